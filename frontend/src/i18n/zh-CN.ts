import type { Dict } from './en'
import { actions } from './zh-CN/actions'
import { confirm } from './zh-CN/confirm'
import { ends } from './zh-CN/ends'
import { failures } from './zh-CN/failures'
import { faults } from './zh-CN/faults'
import { guards } from './zh-CN/guards'
import { meter } from './zh-CN/meter'
import { models } from './zh-CN/models'
import { notices } from './zh-CN/notices'
import { palette } from './zh-CN/palette'
import { processes } from './zh-CN/processes'
import { queue } from './zh-CN/queue'
import { review } from './zh-CN/review'
import { search } from './zh-CN/search'
import { servers } from './zh-CN/servers'
import { sessions } from './zh-CN/sessions'
import { settings } from './zh-CN/settings'
import { shell } from './zh-CN/shell'
import { suggestions } from './zh-CN/suggestions'
import { transcript } from './zh-CN/transcript'
import { welcome } from './zh-CN/welcome'
import { workspace } from './zh-CN/workspace'

/** The Chinese words. */
export const zhCN = {
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
} satisfies Dict
