/** A call in words, as its tool says that it is to be shown. */
import type { Arguments, Display } from '../api/types'
import { hasText, t } from '../i18n'
import { inline } from './visible'

/** A call, as far as it is shown by what its tool says. */
interface Call {
  toolName: string
  display: Display | null
}

/**
 * Reports whether there is a word for what the call does. Without something that it does
 * that to, the word would say less than the title.
 */
export const hasVerb = ({ display }: Call): boolean =>
  display?.subject !== undefined && hasText(`transcript.does.${display.verb ?? ''}`)

/** What a call does: Run. Where there is no word for it, the title of its tool, or the name. */
export function verbOf(call: Call): string {
  return wordOf('does', call)
}

/** What a call did: Ran; where there is no word for it, as verbOf. */
export function pastOf(call: Call): string {
  return wordOf('did', call)
}

function wordOf(tense: 'does' | 'did', call: Call): string {
  const { display, toolName } = call
  const key = `transcript.${tense}.${display?.verb ?? ''}`
  return hasVerb(call) && hasText(key) ? t(key) : inline(display?.title || toolName)
}

/** What a call is about. */
export interface Subject {
  kind: 'path' | 'text'
  text: string
  /** What it becomes: for a path in the same folder the name alone; empty where it stays what it is. */
  to: string
}

/** The argument that says what a call is about; the text is empty where none does. */
export function subjectOf({ display }: Call, args: Arguments | null): Subject {
  const { arguments: names = [], kind = '', to: target } = display?.subject ?? {}
  const given = names.map((name) => args?.[name])
  const text = given.find((value) => typeof value === 'string' && value !== '') ?? ''
  const becomes = target === undefined ? undefined : args?.[target]
  const to = typeof becomes === 'string' ? shortened(becomes, String(text)) : ''
  switch (kind) {
    case 'path':
      return { kind: 'path', text: String(text), to }
    case 'folder':
      return { kind: 'path', text: String(text) || '.', to }
    default:
      return { kind: 'text', text: String(text).trim(), to }
  }
}

/** A path as it is told beside another one: its name where both lie in the same folder. */
function shortened(path: string, beside: string): string {
  const folder = beside.slice(0, beside.lastIndexOf('/') + 1)
  const name = path.slice(folder.length)
  return path.startsWith(folder) && !name.includes('/') ? name : path
}
