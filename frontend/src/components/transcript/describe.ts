/** A tool call in words: what it does, to what, and what came of it. */
import { hasText, number, t } from '../../i18n'
import type { ToolState, ToolView } from '../../stores/view'
import { inline } from '../../text/visible'
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
export function verbOf(tool: ToolView): string {
  // A command that was moved to the background was started, as it turned out.
  const name = tool.result?.processId === undefined ? tool.toolName : 'shell_start'
  const key = `transcript.${tool.state === 'done' ? 'did' : 'does'}.${name}`
  return hasText(key) ? t(key) : inline(tool.toolName)
}

/** What a call is about. */
export interface Subject {
  kind: 'path' | 'text'
  text: string
}

/** The argument that says what the call is about; the text is empty where none does. */
export function subjectOf({ toolName, arguments: args }: ToolView): Subject {
  const text = (name: string) => (typeof args?.[name] === 'string' ? args[name] : '')
  switch (toolName) {
    case 'shell':
    case 'shell_start':
      return { kind: 'text', text: text('command').trim() }
    case 'shell_status':
    case 'shell_kill':
      return { kind: 'text', text: text('processId') }
    case 'http_get':
      return { kind: 'text', text: text('url') }
    case 'search_files':
      return { kind: 'text', text: text('pattern') }
    case 'list_files':
      return { kind: 'path', text: text('glob') || text('path') || '.' }
    default:
      return { kind: 'path', text: text('path') }
  }
}

/** What came of a call in one or two words: `ok`, `exit 1`, `12 lines`, `+12 −4`. Empty before its end. */
export function badgeOf(tool: ToolView): string {
  const { result } = tool
  if (!result) return tool.state === 'waiting' ? t('transcript.waits') : ''
  if (!result.success) return failureOf(result.errorCode, result.content)
  if (result.changes.length > 0) return changedLines(result.changes)
  // Of a cut result the lines are not known.
  const lines = result.ref === undefined ? linesOf(result.content) : []
  if (lines.length === 0) return result.processId ?? t('transcript.ok')
  switch (tool.toolName) {
    case 'read_file':
      return t('transcript.lines', { n: lines.length })
    case 'list_files':
      return t('transcript.entries', { n: lines.length })
    case 'search_files':
      return t('transcript.matches', { n: lines.filter((line) => /:\d+: /.test(line)).length })
    case 'shell_start':
    case 'shell_status':
      return processBadge(lines[0] ?? '', result.processId)
    default:
      return result.processId ?? t('transcript.ok')
  }
}

/** The name of a process that was started, or how one is: the first line is the program's. */
function processBadge(line: string, id?: string): string {
  const [, running, code, signal] =
    /^(?:processId p\d+, |p\d+ )(?:(running)|exited with code (-?\d+)|ended by (\w+))/.exec(line) ?? []
  if (running !== undefined) return id ?? t('transcript.state.running')
  if (code !== undefined) return t('transcript.exit', { code })
  return signal ?? t('transcript.ok')
}

/** Why a call failed, in one or two words. */
export function failureOf(code: string, content: string): string {
  const exit = /^COMMAND_FAILED: exit code (-?\d+)/m.exec(content)?.[1]
  if (exit !== undefined) return t('transcript.exit', { code: exit })
  const status = /^HTTP_ERROR: status (\d{3})\b/.exec(content)?.[1]
  if (status !== undefined) return status
  const key = `transcript.failures.${code}`
  return hasText(key) ? t(key) : code
}

/** Lines added and removed, in all files together. */
export function changedLines(changes: readonly { added: number; removed: number }[]): string {
  const sum = (of: 'added' | 'removed') => changes.reduce((total, change) => total + change[of], 0)
  return `+${number(sum('added'))} −${number(sum('removed'))}`
}

/** The lines of a result without the notices that the tool added for the model. */
function linesOf(content: string): string[] {
  const own = content.replace(/(^|\n)\[notice: [^\n]*\]\n?$/, '$1')
  return own === '' ? [] : own.replace(/\n$/, '').split('\n')
}

/** What calls that look around looked at: `4 files · 1 search`. */
export function exploredParts(tools: readonly ToolView[]): string {
  const files = new Set(
    tools.filter((tool) => tool.toolName === 'read_file').map((tool) => subjectOf(tool).text),
  )
  const count = (name: string) => tools.filter((tool) => tool.toolName === name).length
  return [
    files.size > 0 ? t('transcript.explored.files', { n: files.size }) : '',
    count('list_files') > 0 ? t('transcript.explored.folders', { n: count('list_files') }) : '',
    count('search_files') > 0 ? t('transcript.explored.searches', { n: count('search_files') }) : '',
  ]
    .filter(Boolean)
    .join(' · ')
}
