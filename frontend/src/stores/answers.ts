/** Which of the questions that wait is looked at, and which of them were. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'

import { onNews } from '../api/events'
import type { PendingChange } from '../api/types'
import { chosenOf, type LeftOut, nothing } from './leftOut'
import { useRuns } from './runs'
import type { QuestionView } from './view'

/** Names what waits. The same may be asked again, as after an edit that cannot be used. */
export const keyOf = ({ runId, callId, askedSeq }: QuestionView): string =>
  [runId, callId, askedSeq].join('\n')

/** Names what a question showed. */
const shownKey = (question: QuestionView): string => [keyOf(question), question.hash].join('\n')

export const useAnswers = defineStore('answers', () => {
  const runs = useRuns()
  const chosen = ref('')
  /** Where it is among the others, for when it is answered. */
  const place = ref(0)
  /** The questions that were on a card whole, by what they showed. */
  const seen = reactive(new Set<string>())
  /** What is left out of the changes that questions showed, and what an approval then says. */
  const choices = reactive(new Map<string, { leftOut: LeftOut; chosen: ReturnType<typeof chosenOf> }>())

  const front = computed<QuestionView | undefined>(
    () =>
      runs.questions.find((question) => keyOf(question) === chosen.value) ??
      runs.questions[Math.min(place.value, runs.questions.length - 1)],
  )
  const at = computed(() => (front.value ? runs.questions.indexOf(front.value) : 0))

  /** Looks at a question. */
  function choose(question: QuestionView): void {
    chosen.value = keyOf(question)
  }

  /** Looks at the question that is so many further on, from the last to the first. */
  function move(step: number): void {
    const { length } = runs.questions
    const next = runs.questions[(at.value + step + length) % length]
    if (next) choose(next)
  }

  /** Reports whether a question was seen. */
  const wasSeen = (question: QuestionView): boolean => seen.has(shownKey(question))

  /** Notes that a question was shown whole, and long enough to be answered. */
  function see(question: QuestionView): void {
    seen.add(shownKey(question))
  }

  /** What the user leaves out of the changes that a question shows. */
  const leftOutOf = (question: QuestionView): LeftOut => choices.get(shownKey(question))?.leftOut ?? nothing

  /** Leaves that out, of all these changes. */
  function leaveOut(question: QuestionView, changes: readonly PendingChange[], leftOut: LeftOut): void {
    choices.set(shownKey(question), { leftOut, chosen: chosenOf(changes, leftOut) })
  }

  /** What an approval of a question says of its changes. */
  const chosenFor = (question: QuestionView) => choices.get(shownKey(question))?.chosen ?? {}

  /** The call whose question a dialog leads to; its conversation may have to be read first. */
  const wanted = ref('')
  onNews((news) => {
    wanted.value = news.review ?? wanted.value
  })
  watch(
    () => runs.questions.find(({ callId }) => callId === wanted.value),
    (question) => {
      if (!question) return
      choose(question)
      wanted.value = ''
    },
    { flush: 'sync' },
  )
  // What comes or goes before it does not put another one in its place.
  watch(
    [front, at],
    () => {
      chosen.value = front.value ? keyOf(front.value) : ''
      place.value = at.value
    },
    { immediate: true, flush: 'sync' },
  )

  return { front, at, choose, move, see, wasSeen, leftOutOf, leaveOut, chosenFor }
})
