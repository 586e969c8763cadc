/** Conversations of a list, for tests. */
import type { SessionEntry } from '../api/types'

/** When the lists of the tests are looked at: Wednesday, 12 August 2026, noon, where the tests run. */
export const noon = new Date(2026, 7, 12, 12).getTime()

/** A conversation that ended well an hour ago. */
export const entry = (id: string, more: Partial<SessionEntry> = {}): SessionEntry => ({
  id,
  title: `Title ${id}`,
  updatedAt: noon - 3_600_000,
  mark: 'completed',
  draft: false,
  processes: 0,
  pinned: false,
  archived: false,
  folder: null,
  ...more,
})
