import type { SameKeys } from '../dict'
import type { sessions as en } from '../en/sessions'

export const sessions = {
  label: '对话',
  open: '显示对话列表',
  close: '隐藏对话列表',
  none: '还没有对话。',
  waiting: '需要你处理',
  running: '运行中',
  draft: '草稿',
  today: '今天',
  yesterday: '昨天',
  more: '显示更多',
  rename: '重命名',
  delete: '删除',
  renameOne: '重命名「{title}」',
  deleteOne: '删除「{title}」',
  title: '标题',
  deleted: '已删除「{title}」。',
  undo: '撤销',
} satisfies SameKeys<typeof en>
