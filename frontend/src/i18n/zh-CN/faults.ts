import type { SameKeys } from '../dict'
import type { faults as en } from '../en/faults'

export const faults = {} satisfies SameKeys<typeof en>
