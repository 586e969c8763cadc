import type { SameKeys } from '../dict'
import type { transcript as en } from '../en/transcript'

export const transcript = {
  image: '图片',
} satisfies SameKeys<typeof en>
