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

/** The badge of a call that has not ended: it waits for an answer, or what it did in a copy is applied. */
function badgeBefore({ state, startedAt, decision }: ToolView): string {
  if (state === 'waiting') return t('transcript.waits')
  const applies = state === 'pending' && startedAt !== undefined && decision?.decision === 'approve'
  return applies ? t('transcript.applying') : ''
}

/** What came of a call in one or two words: `ok`, `exit 1`, `12 lines`, `+12 −4`. Empty before its end. */
export function badgeOf(tool: ToolView): string {
  const { result } = tool
  if (!result) return badgeBefore(tool)
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

/** Finds calls by what they do. */
const doing = (tools: readonly ToolView[], ...verbs: string[]) =>
  tools.filter(({ display }) => verbs.includes(display?.verb ?? ''))

/** How much calls that look around looked at. */
function countExplored(tools: readonly ToolView[]) {
  const files = doing(tools, 'read').map((tool) => subjectOf(tool, tool.arguments).text)
  return {
    files: new Set(files).size,
    folders: doing(tools, 'list').length,
    searches: doing(tools, 'search').length,
  }
}

/** What calls that look around looked at: `4 files · 1 search`. */
export function exploredParts(tools: readonly ToolView[]): string {
  return partsOf(countExplored(tools), (what, n) => t(`transcript.explored.${what}`, { n }))
}

/** What calls did, in counts: `read 8 files · changed 2 files · 3 commands`. */
export function workParts(tools: readonly ToolView[]): string {
  const explored = tools.filter(explores)
  const commands = doing(tools, 'run', 'start')
  const pages = doing(tools, 'fetch')
  const rest = tools.filter((tool) => ![explored, commands, pages].some((some) => some.includes(tool)))
  const changed = rest.filter(({ result }) => result?.changes.length)
  // What was moved counts where it is now.
  const paths = changed.flatMap(
    ({ result }) => result?.changes.filter(({ to }) => !to).map(({ path }) => path) ?? [],
  )
  const { files, folders, searches } = countExplored(explored)
  // What matters most comes first, because the end may be cut.
  const counts = {
    files,
    changes: new Set(paths).size,
    commands: commands.length,
    pages: pages.length,
    searches,
    folders,
    others: rest.length - changed.length,
  }
  return partsOf(counts, (what, n) => t(`transcript.work.${what}`, { n }))
}

/** Counts in words, without what there is none of. */
function partsOf<What extends string>(
  counts: Readonly<Record<What, number>>,
  words: (what: What, n: number) => string,
): string {
  return (Object.keys(counts) as What[])
    .filter((what) => counts[what] > 0)
    .map((what) => words(what, counts[what]))
    .join(' · ')
}
