/** What becomes of files that are dropped on the window. */
import { ref, shallowRef } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import { useComposer } from '../../stores/composer'
import { useWindow } from '../../stores/window'
import { written } from './mention'

/** Reports whether a file is a picture, by its name. */
const isPicture = (path: string): boolean => /\.(?:png|jpe?g|gif|webp)$/i.test(path)

export function useDropped(openFolder: (path: string) => Promise<unknown>) {
  const app = useWindow()
  const composer = useComposer()
  /** Files outside the folder, which the user is asked about. */
  const outside = shallowRef<string[]>([])
  const copying = ref(false)
  const fault = shallowRef<Fault | null>(null)

  /**
   * What lies in the folder is named in the field, pictures go with what is said, and other files
   * are asked about. A folder that lies elsewhere is opened, as every one before there is any.
   */
  async function drop(paths: string[]): Promise<void> {
    fault.value = null
    try {
      const all = await bridge.locate(paths)
      const folder = all.find((one) => one.folder && one.local === '')
      if (folder !== undefined || !app.state?.workspace) {
        await openFolder((folder ?? all[0])?.path ?? '')
        return
      }
      composer.name(all.filter((one) => one.local !== '').map((one) => written({ ...one, path: one.local })))
      const files = all.filter((one) => one.local === '').map((one) => one.path)
      outside.value = files.filter((path) => !isPicture(path))
      const pictures = files.filter(isPicture)
      if (pictures.length > 0) await composer.attach(bridge.addPictures(pictures))
    } catch (reason) {
      fault.value = faultOf(reason)
    }
  }

  /** Copies the files that were asked about, and names them. */
  async function copy(): Promise<void> {
    if (copying.value) return
    copying.value = true
    fault.value = null
    try {
      composer.name((await bridge.copyIn(outside.value)).map(written))
      outside.value = []
    } catch (reason) {
      fault.value = faultOf(reason)
    }
    copying.value = false
  }

  function leave(): void {
    outside.value = []
    composer.focus()
  }

  return { outside, copying, fault, drop, copy, leave }
}
