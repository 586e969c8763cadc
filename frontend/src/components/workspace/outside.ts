/** Files of the folder in the user's own programs. */
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import { t } from '../../i18n'
import { usePreview } from '../../stores/preview'
import { useReview } from '../../stores/review'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { announce } from '../base/announce'
import { placeOf, type MenuPlace } from '../base/menu'

/** What can be done with a file, in the order of the menu. */
export const deeds = ['openFile', 'showInFolder', 'copyPath', 'copyFullPath'] as const
export type Deed = (typeof deeds)[number]

async function copy(text: string): Promise<void> {
  await bridge.copyText(text)
  announce(t('shell.spoken.copied'))
}

export const useOutside = defineStore('outside', () => {
  const app = useWindow()
  const shell = useShell()
  const preview = usePreview()
  const review = useReview()

  /** The menu of a file; null while none is open. */
  const menu = shallowRef<({ path: string } & MenuPlace) | null>(null)
  /** What was not done, and why; null where nothing failed. */
  const failed = shallowRef<{ deed: Deed; path: string; fault: Fault } | null>(null)
  /** The file that is looked at. */
  const current = computed(() =>
    shell.desk && shell.tab === 'review' ? (review.selected?.path ?? null) : preview.path,
  )

  /** The path with the folder's own before it, as the system writes it. */
  function fullPath(path: string): string {
    const folder = app.state?.workspace?.path ?? ''
    return app.state?.system === 'windows' ? `${folder}\\${path.replaceAll('/', '\\')}` : `${folder}/${path}`
  }

  const ways: Record<Deed, (path: string) => Promise<unknown>> = {
    openFile: bridge.openFile,
    showInFolder: bridge.revealFile,
    copyPath: copy,
    copyFullPath: (path) => copy(fullPath(path)),
  }

  /** Does something with a file: the one that is looked at, unless another is named. */
  async function act(deed: Deed, path = current.value): Promise<void> {
    if (path === null) return
    failed.value = null
    try {
      await ways[deed](path)
    } catch (reason) {
      failed.value = { deed, path, fault: faultOf(reason) }
      shell.desk = true // where it is said
    }
  }

  /** Opens the menu of a file where the pointer is, or else below an element. */
  function showMenu(path: string, at: MouseEvent | Element): void {
    menu.value = { path, ...placeOf(at) }
  }

  function closeMenu(): void {
    menu.value = null
  }

  function dismiss(): void {
    failed.value = null
  }

  return { menu, failed, current, act, showMenu, closeMenu, dismiss }
})
