/** A person's answer to a question, given once. */
import { ref, shallowRef } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { type Fault, faultOf } from '../../api/fault'
import type { Answer, Verdict } from '../../api/types'
import type { QuestionView } from '../../stores/view'

export function useAnswer(question: () => QuestionView) {
  /** An answer is on its way, or has arrived. */
  const sending = ref(false)
  const fault = shallowRef<Fault | null>(null)

  /** Gives an answer to exactly what is shown; after the first one the others count for nothing. */
  async function send(decision: Verdict, more: Partial<Answer> = {}): Promise<void> {
    if (sending.value) return
    sending.value = true
    const { runId, callId, hash } = question()
    const failed = await faultIn(confirm({ runId, callId, decision, hash, ...more }))
    // What was answered elsewhere stays answered; the event that says how is on its way.
    if (failed) sending.value = false
  }

  /** Gives the person the whole time again. */
  async function wait(): Promise<void> {
    await faultIn(extend(question().runId, question().callId))
  }

  /** Shows the fault of a call and says whether there was one. */
  async function faultIn(call: Promise<unknown>): Promise<boolean> {
    fault.value = null
    try {
      await call
      return false
    } catch (reason) {
      const found = faultOf(reason)
      // Nobody asks any more.
      if (found.code === 'NOT_FOUND') return false
      fault.value = found
      return true
    }
  }

  return { sending, fault, send, wait }
}
