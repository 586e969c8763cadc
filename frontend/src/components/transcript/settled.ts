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
import { usePlaces } from './places'

interface Settled {
  /** How many of the first items may be folded. */
  readonly settled: Readonly<Ref<number>>
  /** The keys of the rows that are not. */
  readonly held: ReadonlySet<string>
  /** Folds what can be folded once the focus has gone to something else. */
  onFocusout(event: FocusEvent): void
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
  /** Something of it was seen, now or before another conversation was shown; before that nobody
      can miss it. */
  const { runId, sessionId } = props.run
  let seen = usePlaces().of(sessionId)?.turn === runId

  function settle(): void {
    const { run, last, following } = props
    // What the guided tour says is there to be read.
    const wanted = app.state?.tour ? 0 : settledItems(run)
    if (wanted === settled.value) return
    if (seen) {
      if ((last && !following) || isUsed(element.value)) return
      for (const row of passagesOf(run, settled.value, held).flatMap(({ rows }) => rows)) {
        // What lies in a row of folded ones is not in the way.
        if (row.kind !== 'work' && isOpened(row)) held.add(row.key)
      }
    }
    settled.value = wanted
  }

  /** Reports whether somebody opened a row, or one in it. */
  function isOpened(row: Row): boolean {
    const keys = [row.key, ...callsOf(row).map(({ callId }) => `tool ${callId}`)]
    return keys.some((key) => folds.isOpen(`${runId} ${key}`, false))
  }

  function onFocusout({ relatedTarget }: FocusEvent): void {
    // What gets the focus in here would go away, and what is being pressed would move.
    if (relatedTarget instanceof Node && !element.value?.contains(relatedTarget)) settle()
  }

  watch(
    () => [props.run.startedAt > 0, settledItems(props.run), props.last, props.following],
    ([shown], before) => {
      // The place that was left is found again first.
      if (before !== undefined || !seen) settle()
      seen ||= shown === true
    },
    { immediate: true },
  )
  return { settled: readonly(settled), held, onFocusout }
}

/** Reports whether something in an element has the focus, or text in it is selected. */
function isUsed(element: HTMLElement | null): boolean {
  if (!element) return false
  const selection = document.getSelection()
  const selected = selection?.isCollapsed === false && selection.containsNode(element, true)
  return selected || element.contains(document.activeElement)
}
