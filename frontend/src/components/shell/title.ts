/** What the window is called in a list of windows: what waits for the user, or what goes on. */
import { computed, onBeforeUnmount, watch } from 'vue'

import { setTitle } from '../../api/bridge'
import { t } from '../../i18n'
import { useAnswers } from '../../stores/answers'
import { useRuns } from '../../stores/runs'
import { useSessions } from '../../stores/sessions'
import { verbOf } from '../../text/calls'
import { inline } from '../../text/visible'
import { asksNetwork, objectOf } from '../confirm/words'

/** The most characters that say what is asked about. */
const most = 60

export function useTitle(): void {
  const answers = useAnswers()
  const runs = useRuns()
  const sessions = useSessions()

  const asked = computed(() => {
    const { front } = answers
    if (front === undefined) return ''
    const text = asksNetwork(front)
      ? t('confirm.network.question')
      : `${verbOf(front)} ${inline(objectOf(front))}`.trim()
    const letters = [...text]
    return letters.length > most ? `${letters.slice(0, most).join('')}…` : text
  })
  const title = computed(() => {
    if (asked.value !== '') return t('shell.title.approve', { what: asked.value })
    if (runs.guard !== null) return t('shell.title.decide')
    if (sessions.entries?.some(({ mark }) => mark === 'waiting')) return t('shell.title.elsewhere')
    return runs.busy ? t('shell.title.running') : 'Fairlead'
  })
  watch(title, setTitle, { immediate: true })
  // What waits elsewhere is known also where no list is shown.
  onBeforeUnmount(sessions.follow())
}
