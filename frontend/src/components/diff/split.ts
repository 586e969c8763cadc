/** The rows of a diff in two columns: what was removed at the left of what was added. */
import type { DiffLine, DiffRow } from './parse'

/** A row of two sides, or one across both. */
export type SplitRow = { left: DiffLine | null; right: DiffLine | null } | { across: DiffRow }

export function splitRows(rows: readonly DiffRow[]): SplitRow[] {
  const split: SplitRow[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      split.push({ left: removed[i] ?? null, right: added[i] ?? null })
    }
    removed = []
    added = []
  }
  for (const row of rows) {
    if (row.kind === 'removed') {
      // Those of another change begin a block of their own.
      if (added.length > 0) flush()
      removed.push(row)
    } else if (row.kind === 'added') added.push(row)
    else {
      flush()
      split.push(row.kind === 'same' ? { left: row, right: row } : { across: row })
    }
  }
  flush()
  return split
}
