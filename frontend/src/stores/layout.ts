/** How the window was arranged when it was last open (SPEC DESK-08). */
import { defineStore } from 'pinia'
import { watch } from 'vue'

import { setLayout } from '../api/bridge'
import { usePreview } from './preview'
import { useShell } from './shell'
import { useWindow } from './window'

/** How long after a change it is remembered, in milliseconds. */
const settleTime = 400

export const useLayout = defineStore('layout', () => {
  const app = useWindow()
  const shell = useShell()
  const preview = usePreview()
  let timer: number | undefined

  /** Everything is as it was before the first of it is seen. */
  const stop = watch(
    () => app.state,
    (state) => {
      if (state === null) return
      stop()
      shell.arrange(state.layout)
      const { file, folder, tab } = state.layout
      const at = tab === 'files' || tab === 'preview' ? tab : null
      const there = state.workspace?.path === folder && !state.tour
      if (file && at && there && shell.desk) preview.open(file, at)
      watch([() => shell.layout, () => preview.path], keep)
    },
    { flush: 'sync' },
  )

  function keep(): void {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      const file = app.state?.tour ? '' : (preview.path ?? '')
      const folder = file === '' ? '' : (app.state?.workspace?.path ?? '')
      // What cannot be remembered costs nothing now.
      setLayout({ ...shell.layout, file, folder }).catch(() => undefined)
    }, settleTime)
  }

  return {}
})
