/** The keys of the page, and those of the web view that it keeps to itself. */
import { onBeforeUnmount, onMounted } from 'vue'

import { t } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useReview } from '../../stores/review'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { announce } from '../base/announce'
import { isField, isIme, isMod } from '../base/keys'

/** How soon the second Esc must follow the first to stop a run, in milliseconds. */
const escTime = 1000

/** What the web view would do with these is of no use here: reload, print, save, find. */
const swallowed: ReadonlySet<string> = new Set(['r', 'p', 's', 'f', 'g', 'u'])

/** What the keys with Mod do to the size of everything, on any layout. */
const scaling: Readonly<Record<string, 1 | -1 | 0>> = { '+': 1, '=': 1, '-': -1, _: -1, '0': 0 }

/** Reports whether the web view would leave or reload the page, or print it. */
function isWebView(event: KeyboardEvent): boolean {
  if (['F3', 'F5', 'F7'].includes(event.key)) return true
  if (event.altKey && ['ArrowLeft', 'ArrowRight', 'Home'].includes(event.key)) {
    // On macOS these move by words where there is text to edit.
    return !(event.target instanceof Element && event.target.closest('input, textarea') !== null)
  }
  return (event.ctrlKey || event.metaKey) && swallowed.has(event.key.toLowerCase())
}

/** Moves the focus to the next part of the page, or the one before. */
function movePane(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-pane]')]
  const panes = all.filter((pane) => pane.getClientRects().length > 0)
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = at < 0 ? (step > 0 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length
  panes[next]?.focus()
}

/**
 * Keeps the web view's menu to where there is text to copy or paste; never to a
 * link, because the menu would open it in the page (SPEC SEC-04).
 */
function onContextMenu(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : null
  const editable = target?.closest('input, textarea') != null
  if (target?.closest('a') != null) event.preventDefault()
  else if (!editable && window.getSelection()?.isCollapsed !== false) event.preventDefault()
}

/** Listens to the keys while the component is there. */
export function useShortcuts(actions: { stop: () => void; conversation: () => void }): void {
  const app = useWindow()
  const runs = useRuns()
  const shell = useShell()
  const composer = useComposer()
  const review = useReview()
  let lastEsc = -Infinity

  const withMod: Readonly<Record<string, () => void>> = {
    l: composer.focus,
    b: () => {
      shell.sidebar = !shell.sidebar
    },
    i: () => {
      shell.desk = !shell.desk
    },
    j: () => shell.show('processes'),
    '.': actions.stop,
    n: actions.conversation,
    o: () => shell.open('folder'),
    ',': () => shell.open('settings'),
  }

  function onEsc(event: KeyboardEvent): void {
    if (shell.uncover() || shell.leaveModels() || shell.leaveFull() || !runs.busy) return
    if (event.timeStamp - lastEsc <= escTime) {
      lastEsc = -Infinity
      actions.stop()
      return
    }
    lastEsc = event.timeStamp
    announce(t('shell.composer.again'))
  }

  /** Shows what undoing the last run would do; what is being written is not taken back that way. */
  function undoLast(event: KeyboardEvent): boolean {
    const run = runs.current
    if (event.key.toLowerCase() !== 'z' || !isMod(event) || run === undefined || run.end === null)
      return false
    if (isField(event.target) && (event.target as HTMLTextAreaElement).value !== '') return false
    review.ask({ runId: run.runId })
    return true
  }

  function onKeydown(event: KeyboardEvent): void {
    if (isIme(event)) return
    if (undoLast(event) || isReview(event)) {
      event.preventDefault()
      return
    }
    const act = isMod(event) ? withMod[event.key.toLowerCase()] : undefined
    const step = (event.ctrlKey || event.metaKey) && !event.altKey ? scaling[event.key] : undefined
    if (event.key === 'Escape') {
      // An Esc that closed something is used up.
      if (!event.defaultPrevented) onEsc(event)
    } else if (event.key === 'F6') {
      event.preventDefault()
      movePane(event.shiftKey ? -1 : 1)
    } else if (step !== undefined) {
      event.preventDefault()
      shell.scale(step)
    } else if (act !== undefined) {
      event.preventDefault()
      if (!app.welcome || event.key === ',') act()
    } else if (isWebView(event)) {
      event.preventDefault()
    }
  }

  /** Mod+Shift+D leads to the review. */
  function isReview(event: KeyboardEvent): boolean {
    const mod = (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey
    if (!mod || event.key.toLowerCase() !== 'd' || app.welcome) return false
    shell.show('review')
    return true
  }

  onMounted(() => {
    window.addEventListener('keydown', onKeydown)
    window.addEventListener('contextmenu', onContextMenu)
  })
  onBeforeUnmount(() => {
    window.removeEventListener('keydown', onKeydown)
    window.removeEventListener('contextmenu', onContextMenu)
  })
}
