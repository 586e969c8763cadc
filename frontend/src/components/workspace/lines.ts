/** A text in stretches of lines, so that what is scrolled away is not laid out. */
export interface Stretch {
  /** The number of its first line, from 1. */
  first: number
  count: number
  text: string
}

/** How many lines a stretch has. */
const perStretch = 200

/** The stretches of a text. The CR is left out where every line ends with CR LF. */
export function stretchesOf(text: string): Stretch[] {
  const plain = /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? text : text.replaceAll('\r\n', '\n')
  const lines = plain.split('\n')
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  const stretches: Stretch[] = []
  for (let i = 0; i < lines.length; i += perStretch) {
    const part = lines.slice(i, i + perStretch)
    stretches.push({ first: i + 1, count: part.length, text: part.join('\n') })
  }
  return stretches
}

/** The numbers of a stretch's lines, one a line. */
export const numbersOf = ({ first, count }: Stretch): string =>
  Array.from({ length: count }, (_, i) => first + i).join('\n')
