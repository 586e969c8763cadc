/**
 * Hidden characters made visible as ‹U+202E›: control characters and those that
 * show nothing or turn the direction of what follows, so that a text cannot be
 * read as another one (SPEC HITL-10). The set is the one of message.Visible.
 */

// Letters and marks to Unicode that show nothing. U+FE0F stays: it stands in every
// other emoji.
const blank =
  '[\\u034F]|[\\u115F\\u1160\\u3164\\uFFA0\\u17B4\\u17B5\\u2800\\u2028\\u2029]|[\\u180B-\\u180F]|[\\uFE00-\\uFE0E]|[\\u{E0100}-\\u{E01EF}]'
// Long runs of spaces count where wide or no-break ones are among them: these do not hang
// at the end of a line as plain ones do, and could push the rest out of sight.
const spaces = /\p{Zs}{20,}/u
const hidden = new RegExp(`(?![\\n\\t])[\\p{Cc}\\p{Cf}]|${blank}|${spaces.source}`, 'gu')

const onlySpaces = /^\p{Zs}{20,}$/u
const onlyPlain = /^ +$/
const hiddenOrBreak = new RegExp(`${hidden.source}|\\n`, 'gu')

/** A stretch of text; `hidden` means that it stands for what shows nothing. */
export interface Piece {
  text: string
  hidden: boolean
}

/** The text in stretches. Line breaks and tabs stay, in one line only tabs do. */
export function pieces(text: string, oneLine = false): Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const match of text.matchAll(oneLine ? hiddenOrBreak : hidden)) {
    const mark = named(match[0])
    if (mark === match[0]) continue
    if (match.index > from) found.push({ text: text.slice(from, match.index), hidden: false })
    found.push({ text: mark, hidden: true })
    from = match.index + match[0].length
  }
  if (from < text.length) found.push({ text: text.slice(from), hidden: false })
  return found
}

/** Reports whether there is a hidden character; line breaks and tabs are none. */
export const hasHidden = (text: string): boolean => visible(text) !== text

/** The text with hidden characters as ‹U+202E›. Line breaks and tabs stay. */
export const visible = (text: string): string => text.replaceAll(hidden, named)

/** The same for text that must not begin a new line, such as a path. */
export const inline = (text: string): string => text.replaceAll(hiddenOrBreak, named)

function named(character: string): string {
  if (onlyPlain.test(character)) return character
  if (onlySpaces.test(character)) return `‹␣ × ${character.length}›`
  const code = character.codePointAt(0) ?? 0
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
}
