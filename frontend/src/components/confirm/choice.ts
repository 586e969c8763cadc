/** What the user leaves out of the changes that a question shows, and what the answers are called. */
import { computed } from 'vue'

import { t } from '../../i18n'
import { useAnswers } from '../../stores/answers'
import type { QuestionView } from '../../stores/view'
import { applyText } from './pending'
import { asksAboutCopy, asksAboutOutput } from './words'

/** question is the one that is answered; shown is the whole of it, where it came cut. */
export function useChoice(question: () => QuestionView, shown: () => QuestionView) {
  const answers = useAnswers()
  const changes = computed(() => shown().preview.changes ?? [])
  /** It is about what a command has done in its copy. */
  const copied = computed(() => asksAboutCopy(shown()))
  /** It is about keys in what a command has printed. */
  const output = computed(() => asksAboutOutput(shown()))
  const leftOut = computed({
    get: () => answers.leftOutOf(question()),
    set: (next) => answers.leaveOut(question(), changes.value, next),
  })
  /** Something is left to be applied. */
  const some = computed(() => changes.value.some(({ path }) => !leftOut.value.paths.has(path)))
  const says = computed(() =>
    copied.value
      ? {
          yes: applyText(changes.value, leftOut.value),
          no: t('confirm.changes.drop'),
          reason: t('confirm.changes.dropReason'),
          stop: t('confirm.changes.dropStop'),
        }
      : output.value
        ? {
            yes: t('confirm.output.reveal'),
            no: t('confirm.output.hide'),
            reason: t('confirm.output.hideReason'),
            stop: t('confirm.output.hideStop'),
          }
        : {
            yes: t('confirm.approve'),
            no: t('confirm.reject'),
            reason: t('confirm.rejectReason'),
            stop: t('confirm.rejectStop'),
          },
  )
  return { copied, output, leftOut, some, says }
}
