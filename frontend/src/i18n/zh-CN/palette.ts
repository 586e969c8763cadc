import type { SameKeys } from '../dict'
import type { palette as en } from '../en/palette'

export const palette = {
  label: '搜索操作、对话、文件、模型和设置',
  none: '没有匹配项。',
  hint: '> 操作 · # 对话 · @ 文件 · : 模型 · , 设置',
  file: '文件',
  model: '模型',
  keys: {
    title: '键盘快捷键',
    window: '任何位置',
    field: {
      title: '在消息框中',
      send: '发送',
      line: '换行',
      sendNow: '立即发送，取代正在运行的任务',
      name: '提及文件或文件夹',
      command: '选择要执行的操作',
      edit: '编辑上一条消息（输入框为空时）',
      stop: '停止任务',
    },
    question: {
      title: '需要你决定时',
      approve: '批准',
      reject: '拒绝',
      reason: '拒绝并说明理由',
      edit: '编辑',
      full: '显示全部',
    },
    conversation: {
      title: '在对话中',
      rows: '下一行，上一行',
      open: '展开或收起一行',
      end: '跳到末尾',
    },
    list: {
      title: '在对话列表中',
      rows: '移动',
      menu: '打开对话的菜单',
      pin: '置顶或取消置顶',
      rename: '重命名',
      copy: '复制为 Markdown',
      archive: '归档或取消归档',
      delete: '删除',
    },
  },
} satisfies SameKeys<typeof en>
