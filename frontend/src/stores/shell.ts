/** Which panels of the page are open. */
import { defineStore } from 'pinia'
import { ref } from 'vue'

/** A panel that opens over the page; one at a time. */
export type Panel = 'folder' | 'model' | 'approve' | 'settings'
export type Tab = 'files' | 'preview'

/** Says whether the side has room beside the conversation; else it lies over it. */
const isWide = () => window.innerWidth >= 1100

export const useShell = defineStore('shell', () => {
  const panel = ref<Panel | null>(null)
  /** The column at the side. */
  const inspector = ref(isWide())
  const tab = ref<Tab>('files')

  let wide = isWide()
  // What lies over the conversation would hide its buttons: it comes when asked for.
  window.addEventListener('resize', () => {
    if (isWide() === wide) return
    wide = !wide
    inspector.value = wide
  })

  function open(wanted: Panel): void {
    panel.value = wanted
  }

  function toggle(wanted: Panel): void {
    panel.value = panel.value === wanted ? null : wanted
  }

  function close(): void {
    panel.value = null
  }

  /** Shows a tab at the side. */
  function show(wanted: Tab): void {
    tab.value = wanted
    inspector.value = true
  }

  return { panel, inspector, tab, open, toggle, close, show }
})
