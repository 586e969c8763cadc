/** What fills the model's context, and having it summed up. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import * as bridge from '../api/bridge'
import { faultOf, type Fault } from '../api/fault'
import { readContext } from '../api/routes'
import type { Context } from '../api/types'
import { useRuns } from './runs'
import { useShell } from './shell'
import { useWindow } from './window'

export const useMeter = defineStore('meter', () => {
  const app = useWindow()
  const runs = useRuns()
  const shell = useShell()
  /** As it was read last; null before that. */
  const context = shallowRef<Context | null>(null)
  /** Why it could not be read, or not be summed up. */
  const fault = shallowRef<Fault | null>(null)
  /** Summing up was asked for, and has not begun. */
  const asking = ref(false)
  /** What was to be done last, to be tried again. */
  let last: () => Promise<void> = read

  const sessionId = computed(() => app.state?.sessionId ?? '')
  const isOpen = computed(() => shell.panel === 'context')
  /** Names what was counted so far. */
  const counted = computed(() => {
    const run = runs.current
    const tokens = run?.usage ? run.usage.run.prompt + run.usage.run.completion : 0
    return `${sessionId.value} ${run?.runId} ${run?.step} ${tokens} ${run?.context?.tokens} ${run?.end === null}`
  })

  /** Reads it. What another conversation had counts for nothing. */
  async function read(): Promise<void> {
    const asked = counted.value
    try {
      const found = await readContext(sessionId.value)
      if (asked === counted.value) context.value = found
    } catch (reason) {
      if (asked !== counted.value) return
      last = read
      fault.value = faultOf(reason)
    }
  }

  /** Has what was said summed up. It is seen in the conversation, and why not in the panel. */
  async function compact(): Promise<void> {
    if (asking.value) return
    last = compact
    fault.value = null
    asking.value = true
    try {
      await bridge.compactNow(sessionId.value)
      shell.close()
    } catch (reason) {
      fault.value = faultOf(reason)
    }
    asking.value = false
    await app.refresh()
  }

  function retry(): void {
    fault.value = null
    void last()
  }

  watch(sessionId, () => {
    context.value = null
  })
  watch(
    isOpen,
    (open) => {
      if (!open) fault.value = null
    },
    { flush: 'sync' },
  )
  watch(
    [isOpen, counted],
    ([open]) => {
      if (open) void read()
    },
    { immediate: true },
  )

  return { context, fault, asking, compact, retry }
})
