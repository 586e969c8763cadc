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
      const { file, tab } = state.layout
      const at = tab === 'files' || tab === 'preview' ? tab : null
      if (file && at && shell.desk && state.workspace && !state.tour) preview.open(file, at)
      watch([() => shell.layout, () => preview.path], keep)
    },
    { flush: 'sync' },
  )

  function keep(): void {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      const file = app.state?.tour ? '' : (preview.path ?? '')
      // What cannot be remembered costs nothing now.
      setLayout({ ...shell.layout, file }).catch(() => undefined)
    }, settleTime)
  }

  return {}
})
