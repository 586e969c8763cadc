import type { SameKeys } from '../dict'
import type { welcome as en } from '../en/welcome'

export const welcome = {} satisfies SameKeys<typeof en>
