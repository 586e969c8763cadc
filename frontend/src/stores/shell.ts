/** Which panels of the page are open. */
import { defineStore } from 'pinia'
import { computed, nextTick, reactive, ref, shallowRef, watch } from 'vue'

import type { WindowLayout } from '../api/types'

/** A panel that opens over the page; one at a time. */
export type Panel = 'folder' | 'model' | 'context' | 'approve' | 'settings'
/** Whether a column is shown; empty while only its space decides. */
type Shown = '' | 'open' | 'closed'
/** The parts of the page of settings, in their order. */
export const sections = [
  'models',
  'permissions',
  'limits',
  'notifications',
  'appearance',
  'instructions',
  'extensions',
  'data',
  'shortcuts',
  'about',
] as const
export type Section = (typeof sections)[number]
export type Tab = 'review' | 'files' | 'processes' | 'preview'

/** The widths from which the columns have space beside the conversation, in CSS pixels. */
const roomy = { rail: 520, sidebar: 900, desk: 1100 }
/** The width of the list of conversations, and the least of the desk and of the conversation: of
    that by itself, and as far as the user drags. */
const sidebarWidth = 232
const least = { desk: 420, conversation: 460, dragged: 360 }
/** How large everything can be shown. */
export const zooms = [0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.8, 2] as const
/** How large code can be shown, in CSS pixels; the middle one is usual. */
export const codeSizes = [11, 12, 13, 14, 15, 16, 18] as const
const usualCode = 13
/** Below this height what can be left out is, in CSS pixels. */
const shortHeight = 440

export const useShell = defineStore('shell', () => {
  const panel = ref<Panel | null>(null)
  /** How large everything is shown. */
  const zoom = ref<number>(1)
  /** How large code is, whether its lines are wrapped, and whether changes have colours. */
  const codeSize = ref<number>(usualCode)
  const wrap = ref(false)
  const tint = ref(false)
  const innerWidth = ref(window.innerWidth)
  const innerHeight = ref(window.innerHeight)
  const width = computed(() => innerWidth.value / zoom.value)
  const height = computed(() => innerHeight.value / zoom.value)
  /** The side has space beside the conversation; else it takes its place. */
  const wide = computed(() => width.value >= roomy.desk)
  /** The same for the list of conversations. */
  const listFits = computed(() => width.value >= roomy.sidebar)
  /** The desk: the column at the side. */
  const desk = ref(wide.value)
  /** It takes the conversation's place although there is space for both. */
  const full = ref(false)
  /** How wide the user dragged it; half of the window by itself. */
  const dragged = ref<number | null>(null)
  /** The list of conversations. */
  const sidebar = ref(listFits.value)
  /** The conversations as signs, where the list has no space. */
  const rail = computed(() => !sidebar.value && !listFits.value && width.value >= roomy.rail)
  const tab = ref<Tab>('files')
  /** The user chose what is shown there. */
  const tabChosen = ref(false)
  /** What the two share. */
  const shared = computed(() => width.value - (sidebar.value ? sidebarWidth : 0))
  const deskMax = computed(() => Math.max(least.desk, shared.value - least.dragged))
  const deskWidth = computed(() => {
    const half = Math.min(width.value / 2, shared.value - least.conversation)
    const wanted = dragged.value ?? half
    return Math.round(Math.min(deskMax.value, Math.max(least.desk, wanted)))
  })
  /** The part of the settings that is shown in place of the conversation; null for none. */
  const settings = ref<Section | null>(null)
  /** The item of that page to lead to, or its search; null once it was reached. */
  const sought = ref<string | null>(null)
  /** What the folder suggests is shown there, before the settings if these were. */
  const suggestions = ref(false)
  /** A page is shown in place of the conversation and the field. */
  const covered = computed(() => suggestions.value || settings.value !== null)
  /** Whether the user has opened or closed the columns, where there is space for them. */
  const kept = reactive<{ sidebar: Shown; desk: Shown }>({ sidebar: '', desk: '' })

  window.addEventListener('resize', () => {
    innerWidth.value = window.innerWidth
    innerHeight.value = window.innerHeight
  })
  watch(
    () => height.value < shortHeight,
    (short) => document.documentElement.toggleAttribute('data-short', short),
    { immediate: true, flush: 'sync' },
  )
  /** The user works at the desk. The focus does not tell: it is lost while the desk changes its place. */
  let atDesk = false
  for (const kind of ['focusin', 'pointerdown'] as const) {
    window.addEventListener(kind, ({ target }) => {
      atDesk = target instanceof Element && target.closest('[data-desk]') !== null
    })
  }
  // What takes the conversation's place comes when asked for, or while somebody works in it.
  watch(
    wide,
    (roomyNow) => {
      desk.value = (roomyNow && kept.desk !== 'closed') || (desk.value && atDesk)
      full.value = false
    },
    { flush: 'sync' },
  )
  watch(
    listFits,
    (fits) => {
      sidebar.value = fits && kept.sidebar !== 'closed'
    },
    { flush: 'sync' },
  )

  watch(
    sidebar,
    (isOpen) => {
      if (listFits.value) kept.sidebar = isOpen ? 'open' : 'closed'
    },
    { flush: 'sync' },
  )
  watch(
    desk,
    (isOpen) => {
      if (wide.value) kept.desk = isOpen ? 'open' : 'closed'
    },
    { flush: 'sync' },
  )

  /** How everything is arranged. */
  const layout = computed<Omit<WindowLayout, 'file' | 'folder'>>(() => ({
    zoom: zoom.value === 1 ? 0 : zoom.value,
    codeSize: codeSize.value === usualCode ? 0 : codeSize.value,
    wrap: wrap.value,
    tint: tint.value,
    sidebar: kept.sidebar,
    desk: kept.desk,
    deskWidth: dragged.value ?? 0,
    tab: tabChosen.value ? tab.value : '',
  }))

  /** Arranges everything as it was. */
  function arrange(was: WindowLayout): void {
    if (zooms.some((each) => each === was.zoom)) setZoom(was.zoom ?? 1)
    if (was.codeSize) codeSize.value = was.codeSize
    wrap.value = was.wrap ?? false
    tint.value = was.tint ?? false
    if (was.deskWidth) dragged.value = was.deskWidth
    if (was.tab) {
      tab.value = was.tab as Tab
      tabChosen.value = true
    }
    if (was.sidebar) kept.sidebar = was.sidebar as Shown
    if (was.desk) kept.desk = was.desk as Shown
    if (listFits.value && was.sidebar) sidebar.value = was.sidebar === 'open'
    if (wide.value && was.desk) desk.value = was.desk === 'open'
  }

  /** Shows everything larger, smaller, or as it is by itself. */
  function scale(step: 1 | -1 | 0): void {
    const at = zooms.findIndex((each) => each === zoom.value) + step
    setZoom(step === 0 ? 1 : (zooms[at] ?? zoom.value))
  }

  function setZoom(wanted: number): void {
    zoom.value = wanted
    const { style } = document.documentElement
    style.setProperty('--zoom', String(zoom.value))
    style.setProperty('zoom', String(zoom.value))
  }

  watch(
    [codeSize, wrap, tint],
    () => {
      const { style, dataset } = document.documentElement
      style.setProperty('--code-size', `${codeSize.value}px`)
      style.setProperty('--code-line', `${codeSize.value + 7}px`)
      dataset.wrap = String(wrap.value)
      dataset.tint = String(tint.value)
    },
    { immediate: true, flush: 'sync' },
  )

  function open(wanted: Panel): void {
    panel.value = wanted
  }

  function toggle(wanted: Panel): void {
    panel.value = panel.value === wanted ? null : wanted
  }

  function close(): void {
    panel.value = null
  }

  /** Shows the settings, or a part of them; with neither, they can be searched at once. The button
      that opened a panel has the focus again by then. */
  async function openSettings(section?: Section, item?: string): Promise<void> {
    close()
    await nextTick()
    suggestions.value = false
    sought.value = item ?? (section === undefined ? 'search' : null)
    settings.value = section ?? settings.value ?? 'models'
  }

  const manageModels = (): Promise<void> => openSettings('models')

  /** Shows what the folder suggests. */
  async function openSuggestions(): Promise<void> {
    close()
    await nextTick()
    suggestions.value = true
  }

  /** Goes back to the conversation; reports whether a page was in its place. */
  function leavePages(): boolean {
    const shown = covered.value
    suggestions.value = false
    settings.value = null
    sought.value = null
    return shown
  }

  /** Gives the conversation its place again; reports whether the desk had taken it. */
  function leaveFull(): boolean {
    const was = full.value
    full.value = false
    return was
  }

  /** Shows a tab at the side. */
  function show(wanted: Tab): void {
    tab.value = wanted
    tabChosen.value = true
    desk.value = true
  }

  /** What is shown in the conversation's place. */
  const inPlace = computed(() => {
    if (suggestions.value) return 'suggestions'
    if (settings.value !== null) return 'settings'
    if (sidebar.value && !listFits.value) return 'sidebar'
    return desk.value && (!wide.value || full.value) ? 'desk' : null
  })

  /** Shows something at the side unless the user chose what is shown there. */
  function suggest(wanted: Tab): void {
    if (!tabChosen.value) tab.value = wanted
  }

  /** Makes the desk as wide as that, within its bounds. */
  function drag(wanted: number): void {
    dragged.value = Math.min(deskMax.value, Math.max(least.desk, wanted))
  }

  /** Gives the desk the width that it has by itself. */
  function undrag(): void {
    dragged.value = null
  }

  /** The desk stands beside the conversation; a page needs its space. */
  const beside = computed(() => desk.value && wide.value && !full.value && !covered.value)
  /** Where the desk has a question answered, at its full width; null while it is not there. */
  const answerPlace = shallowRef<HTMLElement | null>(null)

  /** Closes the list of conversations where it is in the place of what was chosen; reports whether it did. */
  function uncover(): boolean {
    if (listFits.value || !sidebar.value) return false
    sidebar.value = false
    return true
  }

  /** Shows the conversation, whatever is in its place. */
  function reveal(): void {
    leavePages()
    leaveFull()
    uncover()
    if (inPlace.value === 'desk') desk.value = false
  }

  return {
    panel,
    desk,
    full,
    deskWidth,
    deskMax,
    deskMin: least.desk,
    sidebar,
    rail,
    tab,
    settings,
    suggestions,
    covered,
    sought,
    wide,
    listFits,
    inPlace,
    beside,
    answerPlace,
    zoom,
    codeSize,
    wrap,
    tint,
    layout,
    arrange,
    open,
    toggle,
    close,
    openSettings,
    manageModels,
    openSuggestions,
    leavePages,
    leaveFull,
    show,
    suggest,
    drag,
    undrag,
    uncover,
    reveal,
    scale,
    setZoom,
  }
})
