/** A tool call in words: what it does, to what, and what came of it. */
import { hasText, number, t } from '../../i18n'
import type { ResultView, ToolState, ToolView } from '../../stores/view'
import { pastOf, subjectOf, verbOf } from '../../text/calls'
import type { GlyphState } from '../base/StateGlyph.vue'

export const glyphs: Readonly<Record<ToolState, GlyphState>> = {
  pending: 'queued',
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  rejected: 'cancelled',
  cancelled: 'cancelled',
}

/** What the call does, or did: Run, Ran. A tool there is no word for is named. */
export function stateVerbOf(tool: ToolView): string {
  const shown = tool.result?.processId === undefined ? tool : asStarted(tool)
  return tool.state === 'done' ? pastOf(shown) : verbOf(shown)
}

/** A command that was moved to the background was started, as it turned out. */
const asStarted = (tool: ToolView): ToolView =>
  tool.display ? { ...tool, display: { ...tool.display, verb: 'start' } } : tool

/** Reports whether a call only looks at files of the folder. */
export function explores({ display }: ToolView): boolean {
  const kind = display?.subject?.kind
  switch (display?.verb) {
    case 'read':
      return kind === 'path'
    case 'list':
      return kind === 'path' || kind === 'folder'
    default:
      return display?.verb === 'search'
  }
}

/** What came of a call in one or two words: `ok`, `exit 1`, `12 lines`, `+12 −4`. Empty before its end. */
export function badgeOf(tool: ToolView): string {
  const { result } = tool
  if (!result) return tool.state === 'waiting' ? t('transcript.waits') : ''
  if (!result.success) return shortFailureOf(result)
  if (result.changes.length > 0) return changedLines(result.changes)
  const { lines = 0, entries = 0, matches = 0, processId } = result.data
  if (lines > 0) return t('transcript.lines', { n: lines })
  if (entries > 0) return t('transcript.entries', { n: entries })
  if (matches > 0) return t('transcript.matches', { n: matches })
  return processId === undefined ? (result.processId ?? t('transcript.ok')) : processBadge(result)
}

/** The name of a process that was started and runs, or how one is. */
function processBadge({ data, processId }: ResultView): string {
  if (data.running) return processId ?? t('transcript.state.running')
  if (data.killed) return t('transcript.ok')
  if (data.exitCode !== undefined) return t('transcript.exit', { code: String(data.exitCode) })
  return data.signal ?? t('transcript.ok')
}

/** Why a call failed, in one or two words. */
export function shortFailureOf({ errorCode, data }: ResultView): string {
  if (errorCode === 'COMMAND_FAILED' && data.exceeded !== undefined) {
    const key = `transcript.exceeded.${data.exceeded.resource}`
    if (hasText(key)) return t(key)
  }
  if (errorCode === 'COMMAND_FAILED' && data.exitCode !== undefined) {
    return t('transcript.exit', { code: String(data.exitCode) })
  }
  if (errorCode === 'COMMAND_FAILED' && data.signal !== undefined) return data.signal
  if (errorCode === 'HTTP_ERROR' && data.httpStatus !== undefined && !isFine(data.httpStatus)) {
    return String(data.httpStatus)
  }
  const key = `transcript.failures.${errorCode}`
  return hasText(key) ? t(key) : errorCode
}

/** Reports whether a server answered with what was asked for. */
const isFine = (status: number): boolean => status >= 200 && status <= 299

/** Lines added and removed, in all files together. */
export function changedLines(changes: readonly { added: number; removed: number }[]): string {
  const sum = (of: 'added' | 'removed') => changes.reduce((total, change) => total + change[of], 0)
  return `+${number(sum('added'))} −${number(sum('removed'))}`
}

/** What calls that look around looked at: `4 files · 1 search`. */
export function exploredParts(tools: readonly ToolView[]): string {
  const having = (verb: string) => tools.filter((tool) => tool.display?.verb === verb)
  const files = new Set(having('read').map((tool) => subjectOf(tool, tool.arguments).text))
  const folders = having('list').length
  const searches = having('search').length
  return [
    files.size > 0 ? t('transcript.explored.files', { n: files.size }) : '',
    folders > 0 ? t('transcript.explored.folders', { n: folders }) : '',
    searches > 0 ? t('transcript.explored.searches', { n: searches }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}
