import type { SameKeys } from '../dict'
import type { guards as en } from '../en/guards'

export const guards = {
  call: { other: '对 {name} 的同一个调用连续出现了 {n} 次。' },
  cycle: { other: '相同的 {calls} 个调用（最后一个是 {name}）连续出现了 {n} 次。' },
  rounds: { other: '连续 {n} 轮的所有调用都失败了。' },
  tokens: '已使用 {most} 个 token 中的 {used} 个。',
  dollars: '已使用 {most} 中的 {used}。',
  steps: '已达到 {n} 步的上限。',
} satisfies SameKeys<typeof en>
