/** Texts whose lines are the rows of a table (RFC 4180). */

export interface Row {
  cells: string[]
  /** Its first line, from 1, and its last one. */
  first: number
  last: number
}

const separators = [',', ';', '\t'] as const

/** What separates the cells: what stands most often in the first row. */
export function separatorOf(text: string): string {
  const [row] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  let found: string = separators[0]
  let most = 0
  for (const one of separators) {
    const count = (row ?? '').split(one).length - 1
    if (count > most) [found, most] = [one, count]
  }
  return found
}

/** What separates the cells of a file, where its name tells. */
export const separatorIn = (path: string): string | undefined => (/\.tsv$/i.test(path) ? '\t' : undefined)

/** The rows of a table. A quote that is not closed ends with the text. The separator is found out where
    it is not known. */
export function rowsOf(text: string, separator = separatorOf(text)): Row[] {
  const rows: Row[] = []
  let [at, line] = [0, 1]
  while (at < text.length) {
    const row: Row = { cells: [], first: line, last: line }
    for (let more = true; more;) {
      let cell = ''
      if (text[at] === '"') {
        const [quoted, end] = quotedCell(text, at)
        cell = quoted
        line += text.slice(at, end).split('\n').length - 1
        at = end
      }
      const end = endOfCell(text, at, separator)
      cell += text.slice(at, end)
      row.cells.push(cell)
      more = text[end] === separator
      at = end + 1
      if (text[end] === '\r' && text[end + 1] === '\n') at++
    }
    row.last = line
    line++
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row)
  }
  return rows
}

/** A cell in quotes, and where it ends. */
function quotedCell(text: string, from: number): [cell: string, end: number] {
  let cell = ''
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return [cell + text.slice(at), text.length]
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return [cell, quote + 1]
    cell += '"'
    at = quote + 2
  }
}

function endOfCell(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === separator || sign === '\n' || sign === '\r') return at
  }
  return text.length
}
