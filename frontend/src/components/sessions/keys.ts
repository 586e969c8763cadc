/** The keys of the list of conversations: the arrows, Home and End move between the rows. */
import { isIme } from '../base/keys'

/** Moves the focus to another row. */
export function moveRow(event: KeyboardEvent): void {
  if (isIme(event) || event.ctrlKey || event.metaKey || event.altKey) return
  const list = event.currentTarget
  // Where a title is written the keys move in it.
  if (!(list instanceof HTMLElement) || event.target instanceof HTMLInputElement) return
  const rows = [...list.querySelectorAll<HTMLElement>('[data-session]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const targets: Record<string, number> = {
    ArrowDown: Math.min(at + 1, rows.length - 1),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: rows.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  rows[target]?.querySelector('button')?.focus()
}
