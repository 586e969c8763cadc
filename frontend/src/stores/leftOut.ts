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

/** Leaves a row out, or has it applied whole. Of what was moved both paths are one row. */
export function withRow(leftOut: LeftOut, { path, from }: PendingChange, applied: boolean): LeftOut {
  const paths = new Set(leftOut.paths)
  for (const one of [path, from ?? '']) {
    if (one === '') continue
    if (applied) paths.delete(one)
    else paths.add(one)
  }
  const hunks = new Map(leftOut.hunks)
  hunks.delete(path)
  return { paths, hunks }
}

/** Leaves one of the hunks of a row out, or has it applied: a row without any is left out. */
export function withHunk(
  leftOut: LeftOut,
  row: PendingChange,
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
