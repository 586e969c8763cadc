/** What a tree of files says about changes. */
import type { RunView } from './view'

/** What became of a file: by a call of this conversation, or `touched` by any program. */
export type Mark = 'created' | 'modified' | 'deleted' | 'touched'

/** What the calls of runs did to files, by path: the sum of it, not each step. */
export function callMarks(runs: readonly RunView[]): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const run of runs) {
    for (const { result } of run.tools.values()) {
      for (const { path, kind } of result?.changes ?? []) {
        const sum = together(marks.get(path), kind)
        if (sum === null) marks.delete(path)
        else marks.set(path, sum)
      }
    }
  }
  return marks
}

/** What two changes of a file come to, one after the other; null for nothing. */
function together(before: Mark | undefined, kind: string): Mark | null {
  switch (kind) {
    case 'deleted':
      return before === 'created' ? null : 'deleted'
    case 'created':
      return before === 'deleted' ? 'modified' : 'created'
    default:
      return before === 'created' ? 'created' : 'modified'
  }
}

/** The last of the runs that deleted a file; undefined where none did. */
export function deletedBy(runs: readonly RunView[], path: string): string | undefined {
  const run = runs.findLast(({ tools }) =>
    [...tools.values()].some(({ result }) =>
      result?.changes.some((change) => change.path === path && change.kind === 'deleted'),
    ),
  )
  return run?.runId
}

/** The folder that a path lies in; the empty path is the workspace. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The folders that have one of the paths somewhere below them. */
export function foldersAbove(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder)
    }
  }
  return folders
}
