/** The keys of what can be done with a file. */
import type { Deed } from './outside'
import { isPressed } from '../base/keys'

export const fileKeys: Partial<Record<Deed, string>> = {
  openFile: 'Mod+Shift+O',
  showInFolder: 'Mod+Shift+E',
  copyPath: 'Mod+Shift+C',
}

/** What a key does with a file; undefined where it does nothing. */
export const deedOf = (event: KeyboardEvent): Deed | undefined =>
  (Object.keys(fileKeys) as Deed[]).find((deed) => isPressed(event, fileKeys[deed] ?? ''))
