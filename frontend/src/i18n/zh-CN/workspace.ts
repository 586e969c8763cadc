import type { SameKeys } from '../dict'
import type { workspace as en } from '../en/workspace'

export const workspace = {} satisfies SameKeys<typeof en>
