/** Live output of a command keeps its last lines only. */

/** How many lines are kept, unless told otherwise. */
export const keptLines = 2000
/** The most characters that are kept: a line can be of any length. */
export const keptCharacters = 400_000

export interface Output {
  output: string
  /** Lines that are no longer in output. */
  outputDropped: number
}

/**
 * Adds text and drops the oldest lines, once there are half as many more than are to
 * be kept: a long output costs the same for each character of it.
 */
export function appendOutput(to: Output, text: string, kept = keptLines): void {
  to.output += text
  if (to.output.length <= keptCharacters && countBreaks(to.output) <= kept * 1.5) return
  let start = to.output.length > keptCharacters ? to.output.length - keptCharacters / 2 : 0
  let at = to.output.length
  for (let lines = 0; lines <= kept && at > start; lines++) at = to.output.lastIndexOf('\n', at - 1)
  start = Math.max(start, at + 1)
  to.outputDropped += countBreaks(to.output.slice(0, start))
  to.output = to.output.slice(start)
}

function countBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
