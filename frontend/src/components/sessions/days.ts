/** The list of conversations under headings: those that need the user, those in which something runs, the
    pinned ones, and the others as far back as they were worked on. */
import type { SessionEntry } from '../../api/types'
import { month, monthOfYear, t, weekday } from '../../i18n'
import { inline } from '../../text/visible'

/** The conversations under a heading. */
export interface Group {
  key: string
  /** The words of the heading. */
  title: string
  entries: SessionEntry[]
  /** The heading names their folder. */
  named?: true
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

/** The headings in their order; those of days and folders follow as entries come. */
const ranks = ['waiting', 'running', 'folder', 'pinned', 'day']

function groupFor(entry: SessionEntry, now: number): Omit<Group, 'entries'> & { rank: string } {
  const { mark, folder, pinned, processes } = entry
  if (mark === 'waiting') return { rank: 'waiting', key: 'waiting', title: t('sessions.waiting') }
  // Of another folder only those are listed in which something runs.
  if (folder) {
    const title = t('sessions.runningIn', { folder: inline(folder.name) })
    return { rank: 'folder', key: `folder ${folder.path}`, title, named: true }
  }
  if (mark === 'running' || processes > 0) {
    return { rank: 'running', key: 'running', title: t('sessions.running') }
  }
  if (pinned) return { rank: 'pinned', key: 'pinned', title: t('sessions.pinnedOnes') }
  const title = headingOf(entry.updatedAt, now)
  return { rank: 'day', key: `day ${title}`, title }
}

/** The entries under their headings, in each in the order in which they come. */
export function groupsOf(entries: readonly SessionEntry[], now: number): Group[] {
  const groups: (Group & { rank: string })[] = []
  for (const entry of entries) {
    const wanted = groupFor(entry, now)
    const group = groups.find(({ key }) => key === wanted.key)
    if (group) group.entries.push(entry)
    else groups.push({ ...wanted, entries: [entry] })
  }
  return groups.toSorted((a, b) => ranks.indexOf(a.rank) - ranks.indexOf(b.rank))
}
