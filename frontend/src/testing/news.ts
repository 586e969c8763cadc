/** News for tests: what nothing is said of has not changed. */
import type { News } from '../api/events'

export const newsOf = (more: Partial<News>): News => ({
  workspace: [],
  window: false,
  sessions: false,
  processes: false,
  changes: false,
  closing: false,
  review: null,
  ...more,
})
