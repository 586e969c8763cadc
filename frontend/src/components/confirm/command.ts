/** A command line as it is shown: one command a line, nested as a shell reads it. */
import { type Danger, dangersOf, dangersWithin } from './danger'

export type { Danger }

/** One line of a command. */
export interface CommandLine {
  text: string
  /** How deep it is nested. */
  depth: number
  dangers: Danger[]
}

/** A command up to the sign that ends it, with the sign and the blanks behind it. */
interface Piece {
  text: string
  sign: string
}

/** Words that begin what cannot be shown one command a line. */
const unread = /^(?:case|esac|select|function|coproc|\[\[)(?=\s|$)/
/** A word that nests what follows it, or ends that. */
const nesting = /^(?:do|then|else|elif|done|fi|if|while|until|!)(?=[\s;]|$)/

/**
 * The lines of a command: put together, their texts are the command to the byte. Only
 * what is plain to read is cut; a command with anything in it that could make a cut
 * mislead is one line, as it was written.
 */
export function linesOf(command: string, folder = ''): CommandLine[] {
  const pieces = cut(command)
  const lines = pieces && nest(pieces, folder)
  return lines ?? [{ text: command, depth: 0, dangers: dangersWithin(command, folder) }]
}

/** Cuts a command line at the signs between its commands; null where that could mislead. */
function cut(line: string): Piece[] | null {
  const pieces: Piece[] = []
  let from = 0
  for (let i = 0; i < line.length;) {
    const sign = /^(?:&&|\|\||;;|\|&|[|;\n]|&(?![>\d]))/.exec(line.slice(i, i + 2))?.[0]
    if (sign !== undefined && line.charAt(i - 1) !== '>') {
      if (sign === ';;' || sign === '|&') return null
      const end = i + sign.length + (/^[ \t]*\n?[ \t]*/.exec(line.slice(i + sign.length))?.[0].length ?? 0)
      pieces.push({ text: line.slice(from, end), sign })
      from = i = end
      continue
    }
    const next = skip(line, i)
    if (next === null) return null
    i = next
  }
  if (from < line.length) pieces.push({ text: line.slice(from), sign: '' })
  // A command between two signs cannot be empty; an empty line can.
  const plain = ({ text, sign }: Piece) => sign === '\n' || /[^\s|&;]/.test(text)
  return pieces.every(plain) ? pieces : null
}

/** Where what stands at a place ends; null for what can mean more than it seems to. */
function skip(line: string, at: number): number | null {
  const character = line.charAt(at)
  switch (character) {
    case "'": {
      const end = line.indexOf("'", at + 1)
      return end < 0 ? null : end + 1
    }
    case '"':
      return skipQuoted(line, at + 1)
    case '\\':
      return at + 2 > line.length ? null : at + 2
    case '$':
      return skipVariable(line, at)
    case '#':
      return at === 0 || /[\s;|&]/.test(line.charAt(at - 1)) ? null : at + 1
    case '<':
      return line.charAt(at + 1) === '<' ? null : at + 1
    case '&':
      return /^>&[\d-]/.test(line.slice(at - 1, at + 2)) || line.charAt(at + 1) === '>' ? at + 1 : null
  }
  return /[\r`(){}^]/.test(character) ? null : at + 1
}

/** The end of what stands between double quotes. */
function skipQuoted(line: string, from: number): number | null {
  for (let i = from; i < line.length;) {
    const character = line.charAt(i)
    if (character === '"') return i + 1
    if (character === '`') return null
    const next = character === '\\' ? i + 2 : character === '$' ? skipVariable(line, i) : i + 1
    if (next === null) return null
    i = next
  }
  return null
}

/** The end of a variable; null for a substitution, which runs commands. */
function skipVariable(line: string, at: number): number | null {
  const rest = line.slice(at)
  if (/^\$[('`]/.test(rest)) return null
  if (!rest.startsWith('${')) return at + 1
  const name = /^\$\{\w+\}/.exec(rest)?.[0]
  return name === undefined ? null : at + name.length
}

/** Gives each command its line, and each word that nests its place; null where they do not fit together. */
function nest(pieces: readonly Piece[], folder: string): CommandLine[] | null {
  const lines: CommandLine[] = []
  let depth = 0
  let before = ''
  for (const { text, sign } of pieces) {
    let head = 0
    let start = 0
    for (;;) {
      start = text.length - text.slice(head).trimStart().length
      const word = nesting.exec(text.slice(start))?.[0]
      if (word === undefined) break
      const end = start + word.length + (/^\s+/.exec(text.slice(start + word.length))?.[0].length ?? 0)
      if (/^(?:done|fi|else|elif)$/.test(word)) depth--
      if (depth < 0) return null
      if (/^(?:do|then|else)$/.test(word)) {
        const last = lines.at(-1)
        const joins = before === ';' && head === 0 && word !== 'else' && last !== undefined
        if (joins) last.text += text.slice(0, end)
        else lines.push({ text: text.slice(0, end), depth, dangers: [] })
        depth++
        // The word is shown; the command behind it has a line of its own.
        const rest = nest([{ text: text.slice(end), sign }], folder)
        if (rest === null && text.length > end) return null
        for (const one of rest ?? []) lines.push({ ...one, depth: depth + one.depth })
        head = -1
        break
      }
      head = end
    }
    if (head >= 0 && text !== '') {
      const command = text.slice(start)
      if (unread.test(command)) return null
      lines.push({ text, depth, dangers: dangersOf(command, before === '|', folder) })
    }
    before = sign
  }
  return depth === 0 ? lines : null
}
