/** The list of conversations under headings: those that need the user, those that run, and the others as
    far back as they were worked on. */
import type { SessionEntry } from '../../api/types'
import { month, monthOfYear, t, weekday } from '../../i18n'

/** The conversations under a heading. */
export interface Group {
  /** The words of the heading. */
  title: string
  entries: SessionEntry[]
}

const dayTime = 24 * 60 * 60 * 1000

/** When the day of a moment began; both are milliseconds since 1970. */
const dayOf = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** The heading for what was last worked on at a moment, as it is called at another one. */
function headingOf(ms: number, now: number): string {
  // Where the clocks change, a day has an hour more or less.
  const days = Math.round((dayOf(now) - dayOf(ms)) / dayTime)
  if (days <= 0) return t('sessions.today')
  if (days === 1) return t('sessions.yesterday')
  if (days < 7) return weekday(ms)
  return new Date(ms).getFullYear() === new Date(now).getFullYear() ? month(ms) : monthOfYear(ms)
}

/** The entries under their headings, in each in the order in which they come. */
export function groupsOf(entries: readonly SessionEntry[], now: number): Group[] {
  const waiting: Group = { title: t('sessions.waiting'), entries: [] }
  const running: Group = { title: t('sessions.running'), entries: [] }
  const groups = [waiting, running]
  for (const entry of entries) {
    if (entry.mark === 'waiting') waiting.entries.push(entry)
    else if (entry.mark === 'running') running.entries.push(entry)
    else {
      const title = headingOf(entry.updatedAt, now)
      const group = groups.find((each) => each.title === title)
      if (group) group.entries.push(entry)
      else groups.push({ title, entries: [entry] })
    }
  }
  return groups.filter((group) => group.entries.length > 0)
}
