import type { SameKeys } from '../dict'
import type { transcript as en } from '../en/transcript'

export const transcript = {} satisfies SameKeys<typeof en>
