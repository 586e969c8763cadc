import type { SameKeys } from '../dict'
import type { shell as en } from '../en/shell'

export const shell = {
  seconds: '{n} 秒',
} satisfies SameKeys<typeof en>
