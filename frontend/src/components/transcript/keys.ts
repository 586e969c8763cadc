/** The keys of the transcript: J and K move between the rows. Enter and Space are the rows' own. */
import { isIme } from '../base/keys'

/** Moves the focus to the next row (J), or the one before (K). */
export function moveRow(event: KeyboardEvent): void {
  if (isIme(event) || event.ctrlKey || event.metaKey || event.altKey) return
  const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
  const box = event.currentTarget
  if (step === 0 || !(box instanceof HTMLElement)) return
  const rows = [...box.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step
  rows[next]?.focus()
  event.preventDefault()
}
