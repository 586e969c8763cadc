/** What the keys of a tree do (ARIA Authoring Practices, tree view). */
import type { Row } from '../../stores/folder'
import { folderOf } from '../../stores/marks'

/** Where to go, or what to do with the row at hand. */
export type Move = { to: number } | 'open' | 'close' | 'act'

/** The rows that a page key goes past. */
const page = 10

/** What a key means on a row; undefined where it means nothing. */
export function moveFor(
  key: string,
  rows: readonly Row[],
  at: number,
  expanded: ReadonlySet<string>,
): Move | undefined {
  const row = rows[at]
  if (!row) return undefined
  const last = rows.length - 1
  const open = row.entry?.folder === true && expanded.has(row.path)
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(last, at + 1) }
    case 'ArrowUp':
      return { to: Math.max(0, at - 1) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: last }
    case 'PageDown':
      return { to: Math.min(last, at + page) }
    case 'PageUp':
      return { to: Math.max(0, at - page) }
    case 'ArrowRight':
      if (open) return { to: Math.min(last, at + 1) }
      return row.entry?.folder ? 'open' : undefined
    case 'ArrowLeft':
      return open ? 'close' : parentOf(rows, row)
    case 'Enter':
    case ' ':
      return 'act'
  }
  return undefined
}

function parentOf(rows: readonly Row[], row: Row): Move | undefined {
  const folder = row.kind === 'entry' ? folderOf(row.path) : row.path
  const to = rows.findIndex((one) => one.kind === 'entry' && one.path === folder)
  return to < 0 ? undefined : { to }
}

/** How long typed letters belong together, in milliseconds. */
const typingTime = 500

/** Finds rows by the letters that are typed. */
export class TypeAhead {
  private typed = ''
  private last = -Infinity

  /** The row to go to; undefined when the key is none of a name, or no name fits. */
  find(key: string, now: number, rows: readonly Row[], at: number): number | undefined {
    if (key.length !== 1) return undefined
    if (now - this.last > typingTime) this.typed = ''
    if (key === ' ' && this.typed === '') return undefined
    this.last = now
    this.typed += key.toLowerCase()
    // The same letter again goes on to the next name with it.
    const same = this.typed.split('').every((letter) => letter === this.typed[0])
    const wanted = same ? this.typed.charAt(0) : this.typed
    const from = same ? at + 1 : at
    for (let i = 0; i < rows.length; i++) {
      const index = (from + i) % rows.length
      const row = rows[index]
      if (row?.kind === 'entry' && row.name.toLowerCase().startsWith(wanted)) return index
    }
    return undefined
  }
}
