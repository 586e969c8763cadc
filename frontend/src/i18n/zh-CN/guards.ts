import type { SameKeys } from '../dict'
import type { guards as en } from '../en/guards'

export const guards = {
  call: { other: '对 {name} 的同一调用连续出现了 {n} 次。' },
  cycle: { other: '相同的 {calls} 个调用（最后一个是 {name}）连续出现了 {n} 次。' },
  rounds: { other: '连续 {n} 轮调用全部失败。' },
  tokens: '已使用 {used} / {most} 个 token。',
  dollars: '已花费 {used} / {most}。',
  steps: '已达到 {n} 步的上限。',
} satisfies SameKeys<typeof en>
