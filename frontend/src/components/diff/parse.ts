/** A unified diff as the lines that are shown. Nothing of it is dropped: what
    cannot be read as a diff is shown as a note. */

/** The most changed pairs of lines whose words are compared. */
const maxPairs = 500

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'note'
  text: string
  /** The line's number: in the old text for a removed one, else in the new one. */
  number?: number
  /** The file ends with this line, without a line break. */
  endless?: boolean
  /** The line that this one came from or became. */
  other?: string
}

/** Unchanged lines that the diff leaves out. */
export interface DiffGap {
  kind: 'gap'
  count: number
}

export type DiffRow = DiffLine | DiffGap

/** A part of a diff that can be taken back by itself: rows from one index up to another. */
export interface DiffHunk {
  /** Names it, as in the text of the diff. */
  header: string
  from: number
  end: number
}

export interface Diff {
  rows: DiffRow[]
  hunks: DiffHunk[]
  added: number
  removed: number
  /** Every line ends with CR LF; the CR is left out of the texts. */
  crlf: boolean
}

const headerForm = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Reads the unified diff of one file, also one that was cut. */
export function parseDiff(diff: string): Diff {
  const rows: DiffRow[] = []
  const hunks: DiffHunk[] = []
  const texts = diff.split('\n')
  if (texts.at(-1) === '') texts.pop()
  let left = { old: 0, new: 0 }
  let at = { old: 1, new: 1 }
  for (const [i, text] of texts.entries()) {
    const last = rows.at(-1)
    if (left.old > 0 || left.new > 0) {
      const row = lineOf(text, at)
      if (row) {
        rows.push(row)
        const hunk = hunks.at(-1)
        if (hunk) hunk.end = rows.length
        left = {
          old: left.old - (row.kind === 'added' ? 0 : 1),
          new: left.new - (row.kind === 'removed' ? 0 : 1),
        }
        continue
      }
    }
    const found = headerForm.exec(text)
    if (text.startsWith('\\') && last && last.kind !== 'gap') {
      last.endless = true
    } else if (found) {
      const [header, oldStart, oldCount = '1', newStart, newCount = '1'] = found
      left = { old: Number(oldCount), new: Number(newCount) }
      // A side without lines names the line before it.
      const start = Number(newStart) + (left.new === 0 ? 1 : 0)
      if (start > at.new) rows.push({ kind: 'gap', count: start - at.new })
      at = { old: Number(oldStart) + (left.old === 0 ? 1 : 0), new: start }
      hunks.push({ header, from: rows.length, end: rows.length })
    } else if (!(i < 2 && (text.startsWith('--- ') || text.startsWith('+++ ')))) {
      rows.push({ kind: 'note', text })
    }
  }
  const crlf = dropReturns(rows)
  pairLines(rows)
  return { rows, hunks, crlf, added: count(rows, 'added'), removed: count(rows, 'removed') }
}

/** How many digits the largest number of a line has. */
export function digitsOf(rows: readonly DiffRow[]): number {
  const numbers = rows.map((row) => (row.kind === 'gap' ? 0 : (row.number ?? 0)))
  return String(numbers.reduce((most, one) => Math.max(most, one), 0)).length
}

/** The line of a hunk, which moves the place on; undefined where it is none. */
function lineOf(text: string, at: { old: number; new: number }): DiffLine | undefined {
  switch (text[0]) {
    case '+':
      return { kind: 'added', text: text.slice(1), number: at.new++ }
    case '-':
      return { kind: 'removed', text: text.slice(1), number: at.old++ }
    case ' ':
      at.old++
      return { kind: 'same', text: text.slice(1), number: at.new++ }
  }
  return undefined
}

/** Takes the CR off every line where each has one: it says nothing then. */
function dropReturns(rows: DiffRow[]): boolean {
  const lines = rows.filter((row) => row.kind !== 'gap' && row.kind !== 'note' && !row.endless) as DiffLine[]
  if (lines.length === 0 || !lines.every((line) => line.text.endsWith('\r'))) return false
  for (const line of lines) line.text = line.text.slice(0, -1)
  return true
}

/** Pairs removed lines with the added ones in their place, where both are as many. */
function pairLines(rows: DiffRow[]): void {
  let pairs = 0
  for (let i = 0; i < rows.length; i++) {
    const removed = stretch(rows, i, 'removed')
    if (removed.length === 0) continue
    i += removed.length
    const added = stretch(rows, i, 'added')
    if (added.length !== removed.length) continue
    for (const [n, before] of removed.entries()) {
      const after = added[n]
      if (!after || ++pairs > maxPairs) return
      before.other = after.text
      after.other = before.text
    }
  }
}

function stretch(rows: DiffRow[], from: number, kind: DiffLine['kind']): DiffLine[] {
  const lines: DiffLine[] = []
  for (let i = from; i < rows.length; i++) {
    const row = rows[i]
    if (row?.kind !== kind) break
    lines.push(row as DiffLine)
  }
  return lines
}

const count = (rows: DiffRow[], kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length
