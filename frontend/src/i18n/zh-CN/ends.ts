import type { SameKeys } from '../dict'
import type { ends as en } from '../en/ends'

export const ends = {} satisfies SameKeys<typeof en>
