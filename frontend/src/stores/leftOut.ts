/** What the user leaves out of the changes of a command. */
import type { Answer, PendingChange } from '../api/types'

export interface LeftOut {
  /** Paths that stay as they are. */
  paths: ReadonlySet<string>
  /** By path, the headers of the hunks that are left out of its text, in any order. */
  hunks: ReadonlyMap<string, readonly string[]>
}

export const nothing: LeftOut = { paths: new Set(), hunks: new Map() }

export const isAll = ({ paths, hunks }: LeftOut): boolean => paths.size === 0 && hunks.size === 0

/** What an approval says to have the rest applied. */
export function chosenOf(
  changes: readonly PendingChange[],
  leftOut: LeftOut,
): Pick<Answer, 'paths' | 'withoutHunks'> {
  const { paths, hunks } = leftOut
  return {
    ...(paths.size > 0 && {
      paths: changes.map(({ path }) => path).filter((path) => !paths.has(path)),
    }),
    ...(hunks.size > 0 && {
      withoutHunks: Object.fromEntries([...hunks].map(([path, headers]) => [path, [...headers]])),
    }),
  }
}

/** A row that shows changes: one of them, or all of a repository or a database. */
export interface PendingRow extends PendingChange {
  /** What is applied with it: of what was moved both paths. */
  paths: string[]
}

/** The rows of changes: of what was moved there is one, at the new path. */
export function rowsOf(changes: readonly PendingChange[]): PendingRow[] {
  const units = new Map<string, PendingRow>()
  const rows: PendingRow[] = []
  for (const change of changes) {
    const { path, from, to, unit, held } = change
    const row = units.get(unit ?? '')
    if (row) {
      row.paths.push(path)
      row.held ??= held
    } else if (unit) {
      const whole: PendingRow = { path: unit, kind: 'modified', unit, held, paths: [path] }
      units.set(unit, whole)
      rows.push(whole)
    } else if (!to) rows.push({ ...change, paths: from ? [path, from] : [path] })
  }
  return rows
}

/** Leaves a row out, or has it applied whole. */
export function withRow(leftOut: LeftOut, row: PendingRow, applied: boolean): LeftOut {
  const paths = new Set(leftOut.paths)
  for (const one of row.paths) {
    if (applied) paths.delete(one)
    else paths.add(one)
  }
  const hunks = new Map(leftOut.hunks)
  hunks.delete(row.path)
  return { paths, hunks }
}

/** Reports whether a row is to be applied, in part or as a whole. */
export const isApplied = ({ paths }: LeftOut, row: PendingRow): boolean =>
  !row.paths.some((path) => paths.has(path))

/** Leaves one of the hunks of a row out, or has it applied: a row without any is left out. */
export function withHunk(
  leftOut: LeftOut,
  row: PendingRow,
  headers: readonly string[],
  header: string,
  applied: boolean,
): LeftOut {
  const gone = new Set(leftOut.paths.has(row.path) ? headers : (leftOut.hunks.get(row.path) ?? []))
  if (applied) gone.delete(header)
  else gone.add(header)
  const next = withRow(leftOut, row, gone.size < headers.length)
  if (gone.size === 0 || gone.size === headers.length) return next
  return { ...next, hunks: new Map(next.hunks).set(row.path, [...gone]) }
}
