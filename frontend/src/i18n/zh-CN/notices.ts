import type { SameKeys } from '../dict'
import type { notices as en } from '../en/notices'

export const notices = {
  label: 'Fairlead 提示',
  created: '新增了 {path}：{runs}',
  modified: '{path} 有改动：{runs}',
  more: { other: '另有 {n} 处同类情况：{runs}' },
  notPinned: '命令运行期间可以修改 {path}：{runs}',
  pinned: '命令运行期间 {path} 为只读：{runs}',
  toolsMissing: '这次运行缺少 {name} 提供的工具：{error}',
  undone: '您已撤销对 {paths} 的更改',
  redone: '您已重做对 {paths} 的更改',
  applied: '你已应用暂存的更改：{paths}',
  draftApplied: '你已应用草稿中的更改：{paths}',
  draftDropped: '你已放弃草稿，其中的更改：{paths}',
  dropped: '你已放弃暂存的更改：{paths}',
  partlyUndone: '您已撤销或重做对 {paths} 的部分更改',
  comma: '、',
  andMore: { other: '{names} 以及另外 {n} 项' },
  gaps: {
    entries: '未能全部检查：{path} 中的条目太多。',
    time: '未能全部检查：时间不够。',
    unreadable: '未能全部检查：无法读取 {path}。',
    settings: '未能全部检查：{path} 中的 git 设置无法读取，或者包含的文件太多。',
  },
  process: '命令 {id} 之后：{text}',
  autorun: {
    git: 'git 会运行其中的内容',
    editor: '打开文件夹时，编辑器可能运行其中的内容',
    assistant: '编程助手会遵照其中的内容',
    shell: 'Shell 和终端启动时，可能运行其中的内容',
    environment: '使用此项目时，由它决定运行哪些程序',
    task: '任务工具和 git 钩子会运行其中的内容',
    ci: '推送之后，CI 服务会运行其中的内容',
    programs: '其他程序会运行其中的内容',
  },
} satisfies SameKeys<typeof en>
