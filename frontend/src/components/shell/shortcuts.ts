/** The keys of the page, and those of the web view that it keeps to itself. */
import { onBeforeUnmount, onMounted } from 'vue'

import { t } from '../../i18n'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { announce } from '../base/announce'
import { isIme } from '../base/keys'
import { isFor, type Action } from './actions'

/** How soon the second Esc must follow the first to stop a run, in milliseconds. */
const escTime = 1000

/** What the web view would do with these is of no use here: reload, print, save, find. */
const swallowed: ReadonlySet<string> = new Set(['r', 'p', 's', 'f', 'g', 'u'])

/** Reports whether the web view would leave or reload the page, or print it. */
function isWebView(event: KeyboardEvent): boolean {
  if (['F3', 'F5', 'F7'].includes(event.key)) return true
  if (event.altKey && ['ArrowLeft', 'ArrowRight', 'Home'].includes(event.key)) {
    // On macOS these move by words where there is text to edit.
    return !(event.target instanceof Element && event.target.closest('input, textarea') !== null)
  }
  return (event.ctrlKey || event.metaKey) && swallowed.has(event.key.toLowerCase())
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

/** Listens to the keys of the actions while the component is there. Esc twice stops a run. */
export function useShortcuts(actions: readonly Action[], stop: () => void): void {
  const app = useWindow()
  const runs = useRuns()
  const shell = useShell()
  let lastEsc = -Infinity

  function onEsc(event: KeyboardEvent): void {
    if (shell.uncover() || shell.leavePages() || shell.leaveFull() || !runs.busy) return
    if (event.timeStamp - lastEsc <= escTime) {
      lastEsc = -Infinity
      stop()
      return
    }
    lastEsc = event.timeStamp
    announce(t('shell.composer.again'))
  }

  function onKeydown(event: KeyboardEvent): void {
    if (isIme(event)) return
    const action = actions.find((each) => isFor(each, event))
    if (event.key === 'Escape') {
      // An Esc that closed something is used up.
      if (!event.defaultPrevented) onEsc(event)
    } else if (action !== undefined) {
      event.preventDefault()
      if (!app.welcome || action.early) action.act(event)
    } else if (isWebView(event)) {
      event.preventDefault()
    }
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
