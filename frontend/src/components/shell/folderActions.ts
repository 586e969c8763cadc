/** The ways to open a folder, with what went wrong on the last one. */
import { ref, shallowRef } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import type { Workspace } from '../../api/types'
import { useWindow } from '../../stores/window'

export function useFolderActions() {
  const app = useWindow()
  const busy = ref(false)
  const fault = shallowRef<Fault | null>(null)

  /** Reports whether a folder was opened; choosing none is no fault. */
  async function open(opening: () => Promise<Workspace>): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    fault.value = null
    try {
      const { path } = await opening()
      await app.refresh()
      return path !== ''
    } catch (reason) {
      fault.value = faultOf(reason)
      return false
    } finally {
      busy.value = false
    }
  }

  return {
    busy,
    fault,
    choose: () => open(bridge.chooseFolder),
    openPath: (path: string) => open(() => bridge.openFolder(path)),
    create: (name: string) => open(() => bridge.createFolder(name)),
  }
}
