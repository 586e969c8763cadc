/**
 * Which rounds of a run are folded. Nothing folds under the eyes of somebody who reads: only
 * while the end of the conversation is followed, and nothing in the turn has the focus or is
 * selected. Rows that somebody opened stay as they are.
 */
import { reactive, readonly, ref, watch, type Ref } from 'vue'

import type { RunView } from '../../stores/view'
import { useWindow } from '../../stores/window'
import { useFolds } from './folds'
import { callsOf, passagesOf, settledItems, type Row } from './layout'

interface Settled {
  /** How many of the first items may be folded. */
  readonly settled: Readonly<Ref<number>>
  /** The keys of the rows that are not. */
  readonly held: ReadonlySet<string>
  /** Folds what can be folded by now. */
  settle(): void
}

/** Keeps what is folded of a run that is shown in an element. */
export function useSettled(
  props: Readonly<{ run: RunView; last: boolean; following: boolean }>,
  element: Readonly<Ref<HTMLElement | null>>,
): Settled {
  const app = useWindow()
  const folds = useFolds()
  const settled = ref(0)
  const held = reactive(new Set<string>())
  /** Something of it was seen; before that nobody can miss it. */
  let seen = false

  function settle(): void {
    const { run, last, following } = props
    // What the guided tour says is there to be read.
    const wanted = app.state?.tour ? 0 : settledItems(run)
    if (wanted === settled.value || (seen && last && (!following || isUsed(element.value)))) return
    if (seen) {
      for (const row of passagesOf(run).flatMap(({ rows }) => rows)) {
        if (isOpened(run.runId, row)) held.add(row.key)
      }
    }
    settled.value = wanted
  }

  /** Reports whether somebody opened a row, or one in it. */
  function isOpened(runId: string, row: Row): boolean {
    const keys = [row.key, ...callsOf(row).map(({ callId }) => `tool ${callId}`)]
    return keys.some((key) => folds.isOpen(`${runId} ${key}`, false))
  }

  watch(
    () => [props.run.startedAt > 0, settledItems(props.run), props.last, props.following],
    ([shown]) => {
      settle()
      seen ||= shown === true
    },
    { immediate: true },
  )
  return { settled: readonly(settled), held, settle }
}

/** Reports whether something in an element has the focus, or text in it is selected. */
function isUsed(element: HTMLElement | null): boolean {
  if (!element) return false
  const selection = document.getSelection()
  const selected = selection?.isCollapsed === false && element.contains(selection.anchorNode)
  return selected || element.contains(document.activeElement)
}
