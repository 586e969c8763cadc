/** The model for which the settings are opened: their form begins with it. */
import { shallowRef } from 'vue'

import type { SavedModel } from '../../api/types'

export const wantedModel = shallowRef<SavedModel | null>(null)

/** Returns it once. */
export function takeWanted(): SavedModel | null {
  const wanted = wantedModel.value
  wantedModel.value = null
  return wanted
}
