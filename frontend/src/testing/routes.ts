/** Stands for api/routes in tests: `vi.mock('…/api/routes', () => import('…/testing/routes'))`. */
import { vi } from 'vitest'

import type * as real from '../api/routes'
import type { Model, State } from '../api/types'
import { listOf } from './settings'

export const readState = vi.fn<typeof real.readState>()
export const readContext = vi.fn<typeof real.readContext>(async () => ({
  window: 0,
  used: 0,
  cached: 0,
  estimated: false,
  parts: [],
  steps: [],
  earlier: 0,
  total: null,
}))
export const readSettings = vi.fn<typeof real.readSettings>(async () => listOf())
export const readDoctor = vi.fn<typeof real.readDoctor>(async () => [])
export const readSuggestions = vi.fn<typeof real.readSuggestions>(async () => ({
  suggestions: [],
  more: false,
  leftOut: [],
}))
export const readServers = vi.fn<typeof real.readServers>(async () => ({
  servers: [],
  path: '/home/ada/.config/fairlead/servers.json',
}))
export const readServerText = vi.fn<typeof real.readServerText>()
export const readServerOffer = vi.fn<typeof real.readServerOffer>()
export const readMemory = vi.fn<typeof real.readMemory>(async () => ({
  text: '',
  version: '',
  path: '/home/ada/.local/share/fairlead/memory/date.md',
  bytes: 0,
  promptBytes: 0,
}))
export const readSuggestion = vi.fn<typeof real.readSuggestion>()
export const readModels = vi.fn<typeof real.readModels>()
export const readOffered = vi.fn<typeof real.readOffered>(async () => ({
  provider: '',
  title: '',
  baseUrl: '',
  listed: false,
  models: [],
}))
export const readSessions = vi.fn<typeof real.readSessions>()
export const findText = vi.fn<typeof real.findText>(async () => ({
  titles: [],
  passages: [],
  sessions: [],
  more: false,
}))
export const findTitles = vi.fn<typeof real.findTitles>(async () => ({
  sessions: [],
  more: false,
  archived: 0,
}))
export const readMarkdown = vi.fn<typeof real.readMarkdown>(async () => '')
export const readEarlier = vi.fn<typeof real.readEarlier>()
export const readTree = vi.fn<typeof real.readTree>()
export const readNames = vi.fn<typeof real.readNames>(async () => ({ names: [], whole: true }))
export const readKnown = vi.fn<typeof real.readKnown>(async () => ({ files: [] }))
export const readFile = vi.fn<typeof real.readFile>(async (path) => ({
  path,
  text: '',
  encoding: '',
  truncated: false,
  binary: true,
  size: 0,
}))
export const readProcesses = vi.fn<typeof real.readProcesses>(async () => ({ processes: [] }))
export const readReview = vi.fn<typeof real.readReview>(async () => ({ rows: [], aside: [] }))
export const readDraft = vi.fn<typeof real.readDraft>(async () => ({
  id: '',
  hash: '',
  changes: [],
  runs: false,
}))
export const readReviewText = vi.fn<typeof real.readReviewText>(async () => ({
  text: false,
  diff: '',
  hunks: false,
  taken: [],
}))
export const readChangeText = vi.fn<typeof real.readChangeText>(async () => ({
  text: false,
  diff: '',
  hunks: false,
  taken: [],
}))
export const readUndo = vi.fn<typeof real.readUndo>(async () => ({ steps: [] }))
export const readOutput = vi.fn<typeof real.readOutput>()
export const readEvents = vi.fn<typeof real.readEvents>()
export const sendPicture = vi.fn<typeof real.sendPicture>()
export const readWhole = vi.fn<typeof real.readWhole>()

/** The state of a window on which nothing is chosen, but for what is given. */
export function stateWith(given: Partial<State> = {}): State {
  return {
    version: '0.3.0',
    system: 'linux',
    language: '',
    theme: '',
    silent: [],
    layout: {},
    workspace: null,
    recent: [],
    documents: '/home/ada/Documents',
    model: null,
    favourites: [],
    recentModels: [],
    tour: false,
    approve: 'ask',
    readable: [],
    draft: null,
    nativeDialogs: true,
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
    ...given,
  }
}

export const folder = { path: '/home/ada/code/date', name: 'date' }
export const model: Model = {
  provider: 'ollama',
  title: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  model: 'qwen3:8b',
  needsKey: false,
  keySource: '',
  effort: '',
  window: 0,
  priced: false,
  price: { prompt: 0, completion: 0, cached: 0 },
  reasons: false,
  url: 'http://localhost:11434/v1/chat/completions',
  lessons: [],
}
