/** Has a screen reader say that a task began and how it ended. */
import { watch } from 'vue'

import { span, t } from '../../i18n'
import { useRuns } from '../../stores/runs'
import type { EndView } from '../../stores/view'
import { announce } from '../base/announce'

function words(end: EndView): string {
  if (end.reason === 'cancelled') return t('shell.spoken.stopped')
  if (end.code !== undefined) return t('shell.spoken.failed')
  return t('shell.spoken.finished', { n: end.steps, time: span(end.durationMs) })
}

export function useSpokenRuns(): void {
  const runs = useRuns()
  watch(
    () => [runs.current?.runId, runs.current?.end] as const,
    ([runId, end], [previous]) => {
      if (runId === undefined) return
      // What was over before the page looked is no news.
      if (end) {
        if (runId === previous) announce(words(end))
      } else if (runId !== previous) {
        announce(t('shell.spoken.started'))
      }
    },
  )
}
