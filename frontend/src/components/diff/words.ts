import { diffWordsWithSpace } from 'diff'

import type { DiffLine } from './parse'

/** A stretch of a line; `changed` means that the other line does not have it. */
export interface Word {
  text: string
  changed: boolean
}

/** Longer lines are not compared: the time grows with their length. */
const maxLength = 400
/** Lines that differ in more than this many words have little in common to point out. */
const maxChanges = 24

/** A line as the stretches that changed and those that did not. */
export function wordsOf(line: DiffLine): Word[] {
  if (line.other === undefined || (line.kind !== 'added' && line.kind !== 'removed')) {
    return [{ text: line.text, changed: false }]
  }
  return changedWords(line.text, line.other, line.kind)
}

/** What changed between two lines, as the stretches of one of them. */
export function changedWords(line: string, other: string, kind: 'added' | 'removed'): Word[] {
  const whole = [{ text: line, changed: false }]
  if (line.length > maxLength || other.length > maxLength) return whole
  const [before, after] = kind === 'added' ? [other, line] : [line, other]
  const found = diffWordsWithSpace(before, after, { maxEditLength: maxChanges })
  // Nothing but space in common: underlining the whole line would say nothing.
  if (!found?.some((part) => !part.added && !part.removed && part.value.trim() !== '')) return whole
  return found
    .filter((part) => (kind === 'added' ? !part.removed : !part.added))
    .map((part) => ({ text: part.value, changed: part.added || part.removed }))
}
