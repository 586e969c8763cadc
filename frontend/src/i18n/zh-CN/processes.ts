import type { SameKeys } from '../dict'
import type { processes as en } from '../en/processes'

export const processes = {
  label: '此对话的命令',
  chosen: '选中的命令',
  none: '没有正在运行的进程。',
  background: '在后台运行，编号 {id}',
  foreground: '有调用正在等待它结束',
  network: '可访问网络',
  level: { full: '已隔离', limited: '部分隔离', none: '未隔离' },
  short: { failed: '未运行', ended: '已结束' },
  state: {
    running: '已运行 {time}',
    exited: '运行 {time} 后退出，退出码 {code}',
    signal: '运行 {time} 后被 {signal} 结束',
    ended: '运行 {time} 后结束',
    failed: '未运行：{why}',
  },
  kill: '结束进程',
  unnamed: '此命令',
  sure: '结束 {name} 和它启动的所有进程？',
  keep: '继续运行',
  killed: '已结束 {name}。',
  move: '移到后台',
  moved: '已移到后台，编号 {id}。',
  output: '输出',
  copy: '复制输出',
  silent: '没有输出。',
  lost: '更早的输出已不再保留。',
} satisfies SameKeys<typeof en>
