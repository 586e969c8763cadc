import type { SameKeys } from './dict'
import { actions } from './en/actions'
import { confirm } from './en/confirm'
import { ends } from './en/ends'
import { failures } from './en/failures'
import { faults } from './en/faults'
import { guards } from './en/guards'
import { meter } from './en/meter'
import { models } from './en/models'
import { notices } from './en/notices'
import { palette } from './en/palette'
import { processes } from './en/processes'
import { queue } from './en/queue'
import { review } from './en/review'
import { search } from './en/search'
import { servers } from './en/servers'
import { sessions } from './en/sessions'
import { settings } from './en/settings'
import { shell } from './en/shell'
import { suggestions } from './en/suggestions'
import { transcript } from './en/transcript'
import { welcome } from './en/welcome'
import { workspace } from './en/workspace'

/** The English words, a section for each area of the page. */
export const en = {
  shell,
  settings,
  sessions,
  search,
  palette,
  actions,
  welcome,
  models,
  meter,
  transcript,
  confirm,
  queue,
  workspace,
  suggestions,
  servers,
  processes,
  review,
  faults,
  ends,
  failures,
  guards,
  notices,
}

/** A dictionary of the page in any language. */
export type Dict = SameKeys<typeof en>
