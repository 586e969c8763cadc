/** A workspace for tests: its files are a list of paths, folders end with a slash. */
import { Fault } from '../api/fault'
import type { EventMap, Listing, State, TreeEntry } from '../api/types'
import { newsOf } from './news'

/** What the window works with; a folder and a model are chosen. */
export function stateOf(more: Partial<State> = {}): State {
  return {
    version: '1',
    system: 'linux',
    language: '',
    theme: '',
    silent: [],
    layout: {},
    workspace: { path: '/home/me/days', name: 'days' },
    recent: [],
    documents: '/home/me/Documents',
    model: null,
    favourites: [],
    recentModels: [],
    tour: false,
    approve: 'ask',
    readable: [],
    draft: null,
    nativeDialogs: false,
    dialogs: 'always',
    limited: '',
    gone: false,
    confinement: { level: 'full', why: '' },
    sessionId: '',
    title: '',
    pinned: false,
    archived: false,
    runs: [],
    earlier: false,
    warnings: [],
    queue: [],
    groups: [],
    servers: [],
    suggested: [],
    moved: null,
    ...more,
  }
}

/** News that these paths changed. */
export const changed = (paths: string[], more: Partial<EventMap['workspace.changed']> = {}) =>
  newsOf({ workspace: [{ paths, full: false, gone: false, ...more }] })

/** Lists one level of the files, folders first, as the program does. */
export function list(files: readonly string[], level: string): Listing {
  const prefix = level === '' ? '' : `${level}/`
  const entries = new Map<string, TreeEntry>()
  for (const file of files) {
    if (!file.startsWith(prefix) || file === prefix) continue
    const [name = ''] = file.slice(prefix.length).split('/')
    const path = prefix + name
    const folder = file.length > path.length
    entries.set(path, { name, path, folder, link: false, secret: name === '.env', size: folder ? 0 : 1200 })
  }
  if (entries.size === 0 && level !== '' && !files.includes(prefix)) {
    throw new Fault('FILE_NOT_FOUND', `there is no ${level}`)
  }
  const sorted = [...entries.values()].toSorted(
    (a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name),
  )
  return { path: level || '.', entries: sorted, more: false }
}
