/** Has a screen reader say that a task began, that it is to stop, and how it ended. */
import { watch } from 'vue'

import { span, t } from '../../i18n'
import { useRuns } from '../../stores/runs'
import type { EndView, RunView } from '../../stores/view'
import { announce } from '../base/announce'
import { refusedAll } from '../transcript/endings'

function words(run: RunView, end: EndView): string {
  if (end.reason === 'cancelled' || end.reason === 'interrupted') return t('shell.spoken.stopped')
  if (end.code !== undefined) return t('shell.spoken.failed')
  const made = run.items.find((item) => item.kind === 'compacted')
  if (run.compacts && made) {
    return t('meter.done', { before: made.before, after: made.after })
  }
  if (refusedAll(run)) return t('ends.refused')
  return t('shell.spoken.finished', { n: end.steps, time: span(end.durationMs) })
}

export function useSpokenRuns(): void {
  const runs = useRuns()
  /** The run began in the conversation that was shown, and nobody has said so yet. */
  let begun = false
  watch(
    [
      () => runs.shown,
      () => runs.current?.runId,
      () => (runs.current?.startedAt ?? 0) > 0,
      () => runs.current?.end,
    ],
    ([shown, runId, known, end], [shownBefore, previous, wasKnown]) => {
      if (runId !== previous) begun = shown === shownBefore
      if (runId === undefined || !known) return
      if (end) {
        // What was over before the page looked is no news.
        if (runId === previous && wasKnown) announce(words(runs.current as RunView, end))
      } else if (begun) {
        begun = false
        announce(t(runs.current?.compacts ? 'meter.started' : 'shell.spoken.started'))
      }
    },
  )
  watch(
    [() => runs.current?.runId, () => (runs.current?.startedAt ?? 0) > 0, () => runs.current?.interrupted],
    ([runId, , interrupted], [previous, wasKnown]) => {
      if (interrupted && runs.busy && runId === previous && wasKnown) announce(t('shell.status.interrupted'))
    },
  )
}
