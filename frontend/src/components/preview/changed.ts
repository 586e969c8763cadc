/** Which lines of a file a run wrote. */
import { parseDiff } from '../diff/parse'

/** Where nothing is marked. */
export const noLines: ReadonlySet<number> = new Set()

/** The numbers of the lines that a diff adds. */
export function addedLines(diff: string): ReadonlySet<number> {
  const added = new Set<number>()
  for (const row of parseDiff(diff).rows) {
    if (row.kind === 'added' && row.number !== undefined) added.add(row.number)
  }
  return added
}

/** Lines that follow each other, both ends included. */
export interface LineRange {
  first: number
  last: number
}

/** The ranges that lines make up, in order. */
export function rangesOf(lines: ReadonlySet<number>): LineRange[] {
  const ranges: LineRange[] = []
  for (const line of [...lines].toSorted((a, b) => a - b)) {
    const before = ranges.at(-1)
    if (before?.last === line - 1) before.last = line
    else ranges.push({ first: line, last: line })
  }
  return ranges
}

/** A view that leads to lines which are marked. */
export interface MarkedView {
  /** The element that marks a line, made if it was not yet; null where there is none. */
  find: (line: number) => Promise<Element | null>
}

/** Reports whether one of the lines, both ends included, is among them. */
export function anyOf(lines: ReadonlySet<number>, first: number, last: number): boolean {
  for (let line = first; line <= last; line++) if (lines.has(line)) return true
  return false
}
