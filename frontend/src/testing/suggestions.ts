/** A folder that suggests something, for tests: what is there, and what was decided about it. */
import { Fault } from '../api/fault'
import type { Skill, State, Suggestion, SuggestionText } from '../api/types'
import * as bridge from './bridge'
import { folder, readState, readSuggestion, readSuggestions, stateWith } from './routes'

/** Instructions of so much text. */
export const instructions = (
  path: string,
  text: string,
  more: Partial<SuggestionText> = {},
): SuggestionText => ({
  kind: 'instructions',
  path,
  sha256: `hash of ${text}`,
  bytes: new TextEncoder().encode(text).length,
  cut: false,
  canUse: true,
  decision: '',
  text,
  ...more,
})

/** A file of another assistant. */
export const assistant = (path: string, text: string, more: Partial<SuggestionText> = {}): SuggestionText =>
  instructions(path, text, { kind: 'assistant', canUse: false, ...more })

/** A skill whose files have these texts. */
export const skill = (
  path: string,
  texts: Record<string, string>,
  more: Partial<Skill> = {},
): SuggestionText =>
  instructions(path, texts['SKILL.md'] ?? '', {
    kind: 'skill',
    skill: {
      name: 'release',
      description: 'Makes releases.',
      folder: path,
      source: 'workspace',
      files: Object.entries(texts).map(([name, text]) => ({ path: name, bytes: text.length })),
      sha256: 'hash',
      ...more,
    },
  })

/** Has the program answer for a folder that suggests these, which a test may change. */
export function serve(all: SuggestionText[], more: Partial<State> = {}): void {
  const find = (kind: string, path: string): SuggestionText => {
    const found = all.find((one) => one.kind === kind && one.path === path)
    if (!found) throw new Fault('NOT_FOUND', `there is no ${path}`)
    return found
  }
  readState.mockImplementation(async () => {
    const kinds = [...new Set(all.map(({ kind }) => kind))]
    const suggested = kinds.map((kind) => {
      const those = all.filter((one) => one.kind === kind)
      return { kind, all: those.length, undecided: those.filter(({ decision }) => decision === '').length }
    })
    return stateWith({ workspace: folder, suggested, ...more })
  })
  readSuggestions.mockImplementation(async () => ({
    suggestions: all.map((one): Suggestion => ({ ...one })),
    more: false,
    leftOut: [],
  }))
  readSuggestion.mockImplementation(async (kind, path) => ({ ...find(kind, path) }))
  bridge.useSuggestion.mockImplementation(async (kind, path, sha256, use) => {
    const found = find(kind, path)
    if (found.sha256 !== sha256) throw new Fault('INVALID_STATE', `${path} has changed`)
    found.decision = use ? 'use' : 'skip'
  })
  bridge.skipSuggestions.mockImplementation(async () => {
    for (const one of all) if (one.decision === '') one.decision = 'skip'
  })
}

/** Writes another text to one of them. */
export function rewrite(one: SuggestionText, text: string): void {
  Object.assign(one, instructions(one.path, text, { kind: one.kind, canUse: one.canUse }))
}
