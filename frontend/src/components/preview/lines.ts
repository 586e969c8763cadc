/** A text in stretches of lines, so that what is scrolled away is not laid out. */
import { tokensOf, type Token } from '../../markdown/highlight'

export interface Stretch {
  /** The number of its first line, from 1. */
  first: number
  count: number
  /** Its text, in a language with its words marked. */
  tokens: Token[]
}

/** How many lines a stretch has. */
const perStretch = 200

/** The stretches of a text. The CR is left out where every line ends with CR LF. */
export function stretchesOf(text: string, language = ''): Stretch[] {
  const plain = /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? text : text.replaceAll('\r\n', '\n')
  const lines = plain.endsWith('\n') ? plain.slice(0, -1) : plain
  const stretches: Stretch[] = []
  let stretch: Stretch = { first: 1, count: 1, tokens: [] }
  for (const { text: all, kind } of tokensOf(lines, language)) {
    let from = 0
    for (let end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', end + 1)) {
      if (stretch.count < perStretch) {
        stretch.count++
        continue
      }
      if (end > from) stretch.tokens.push({ text: all.slice(from, end), kind })
      stretches.push(stretch)
      stretch = { first: stretch.first + perStretch, count: 1, tokens: [] }
      from = end + 1
    }
    if (from < all.length) stretch.tokens.push({ text: all.slice(from), kind })
  }
  stretches.push(stretch)
  return stretches
}

/** The numbers of a stretch's lines, one a line. */
export const numbersOf = ({ first, count }: Stretch): string =>
  Array.from({ length: count }, (_, i) => first + i).join('\n')

/** Lines that follow each other: how many stand before them in their stretch, and how many they are. */
export interface Run {
  from: number
  count: number
}

/** The runs of lines in a stretch that are among some. */
export function runsOf({ first, count }: Stretch, among: ReadonlySet<number>): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < count; i++) {
    if (!among.has(first + i)) continue
    const last = runs.at(-1)
    if (last && last.from + last.count === i) last.count++
    else runs.push({ from: i, count: 1 })
  }
  return runs
}
