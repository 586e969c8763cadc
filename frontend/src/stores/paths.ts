/** Paths in the workspace, with slashes. */
import type { EventMap } from '../api/types'

/** Reports whether what is at a path, or a folder that it lies in, may have changed. */
export function touches({ full, paths }: EventMap['workspace.changed'], path: string): boolean {
  return full || paths.some((one) => one === path || path.startsWith(`${one}/`))
}
