/** The user's answer to a question, given once. */
import { ref, shallowRef } from 'vue'

import { extend } from '../../api/bridge'
import { type Fault, faultOf } from '../../api/fault'

export function useAnswer() {
  /** An answer is on its way, or has arrived. */
  const sending = ref(false)
  const fault = shallowRef<Fault | null>(null)

  /** Gives an answer; after the first one the others count for nothing. */
  async function give(answer: () => Promise<unknown>): Promise<void> {
    if (sending.value) return
    sending.value = true
    const failed = await faultIn(answer())
    // What was answered elsewhere stays answered; the event that says how is on its way.
    if (failed) sending.value = false
  }

  /** Gives the user the whole time again to answer about a call, or a guard. */
  async function wait(runId: string, id: string): Promise<void> {
    await faultIn(extend(runId, id))
  }

  /** Shows the fault of a call and reports whether there was one. */
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

  return { sending, fault, give, wait }
}
