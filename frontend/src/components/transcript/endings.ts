/** How a run ended, in words, and what can be done next. */
import type { Model } from '../../api/types'
import { hasText, t } from '../../i18n'
import type { EndView, RunView } from '../../stores/view'

/** What can be done after an end; the words are in the section `ends.actions`. */
export type NextAction = 'again' | 'continue' | 'model' | 'choose' | 'conversation'

/** The reasons after which a run can be gone on with, keeping everything (SPEC LOOP-14). */
const continuable: ReadonlySet<string> = new Set([
  'max_steps',
  'timeout',
  'budget',
  'doom_loop',
  'interrupted',
  'error',
])

/** The ends that somebody or something wanted: no failure. */
const stops: ReadonlySet<string> = new Set(['cancelled', 'rejected', 'budget', 'doom_loop'])

/** What to do next, by one of message.FailCode. */
const afterFailure: Readonly<Record<string, NextAction | undefined>> = {
  RATE_LIMITED: 'again',
  QUOTA: 'model',
  OVERLOADED: 'again',
  AUTH: 'model',
  MODEL_NOT_FOUND: 'choose',
  BAD_REQUEST: 'model',
  FILTERED: 'conversation',
  CONTEXT_OVERFLOW: 'conversation',
  NETWORK: 'again',
  MALFORMED: 'again',
  TRUNCATED: 'again',
  EMPTY_REPLY: 'again',
  TIMEOUT: 'again',
  TOOL_FAILED: 'again',
  HOOK_FAILED: 'again',
  TOO_LARGE: 'again',
  STORAGE: 'again',
  INTERNAL: 'again',
}

/** What can be done after an end, the best first. Summing up is not gone on with, only tried again. */
export function nextActions(end: EndView, compacts = false): NextAction[] {
  const first = afterFailure[end.code ?? '']
  if (compacts) return first === undefined ? [] : [first]
  if (!continuable.has(end.reason)) return first === undefined ? [] : [first]
  // To try again is to go on: what was asked for is in the conversation already.
  if (first === 'again') return [first]
  return first === undefined ? ['continue'] : [first, 'continue']
}

/** Reports whether the run is complete and something it asked for was done, or nothing was
    asked for. */
export function endedWell(run: RunView, end: EndView): boolean {
  return end.reason === 'completed' && !refusedAll(run)
}

/** Reports whether calls were decided against, and no other one that would change something was
    carried out. Calls that only read ask nobody. */
export function refusedAll(run: RunView): boolean {
  const decided = [...run.tools.values()].filter((tool) => tool.decision !== null)
  return decided.length > 0 && decided.every((tool) => tool.decision?.decision === 'reject')
}

/** Reports whether something went wrong: neither did the run come to its end, nor was it stopped. */
export function endedBadly(end: EndView): boolean {
  return end.code !== undefined && !stops.has(end.reason)
}

/** The words for an end. model is the one that is chosen. */
export function wordsOf(run: RunView, end: EndView, model: Model | null): string {
  if (end.reason === 'completed') return t(refusedAll(run) ? 'ends.refused' : 'ends.done')
  if (end.reason === 'interrupted') return t(run.interrupted ? 'ends.stoppedAfter' : 'ends.interrupted')
  if (end.reason === 'max_steps') return t('ends.maxSteps', { n: run.maxSteps })
  if (end.code === 'NETWORK' && model) {
    const host = localHost(model.baseUrl)
    if (host !== '' && model.provider === 'ollama') return t('ends.noOllama', { host })
    if (host !== '') return t('ends.noLocal', { host })
  }
  const key = `ends.codes.${end.code ?? ''}`
  return t(hasText(key) ? key : 'ends.codes.INTERNAL')
}

/** Host and port of an address on this computer; empty for any other one. */
function localHost(address: string): string {
  const host = hostOf(address)
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host) ? host : ''
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

/** A path that a run changed, with the lines of all its changes. */
export interface ChangedFile {
  path: string
  added: number
  removed: number
  /** It was deleted in the end. */
  gone: boolean
}

/** The paths that a run changed, but for folders that were made for what is in them. */
export function changesOf(run: RunView): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const { result } of run.tools.values()) {
    for (const { path, added, removed, kind, op, to } of result?.changes ?? []) {
      if (op === 'mkdir' || to) continue
      const known = files.get(path)
      files.set(path, {
        path,
        added: (known?.added ?? 0) + added,
        removed: (known?.removed ?? 0) + removed,
        gone: kind === 'deleted',
      })
    }
  }
  return [...files.values()]
}

/** Reports whether what a run changed was recorded, so that it can be undone. */
export const isRecorded = (run: RunView): boolean =>
  [...run.tools.values()].some(({ result }) => result?.changes.some(({ setId }) => setId))

/**
 * What helps to find a fault. There is no text of the conversation in it, no
 * message of a provider, which may repeat some, and no key.
 */
export function detailsOf(run: RunView, end: EndView, model: Model | null, version: string): string {
  return [
    `Time: ${new Date(run.endedAt ?? run.startedAt).toISOString()}`,
    `Fairlead: ${version}`,
    `Provider: ${model ? hostOf(model.baseUrl) : ''}`,
    `Model: ${run.model}`,
    `Run: ${run.runId}`,
    `Reason: ${end.reason}`,
    ...(end.code === undefined ? [] : [`Code: ${end.code}`]),
    `Steps: ${end.steps}`,
    `Duration: ${end.durationMs} ms`,
  ].join('\n')
}
