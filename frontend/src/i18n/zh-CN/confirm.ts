import type { SameKeys } from '../dict'
import type { confirm as en } from '../en/confirm'

export const confirm = {} satisfies SameKeys<typeof en>
