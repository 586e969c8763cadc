/** The commands of the conversation that is shown, and the one that is looked at. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import { onNews } from '../api/events'
import { type Fault, faultOf } from '../api/fault'
import { readProcesses } from '../api/routes'
import type { Process } from '../api/processes'
import { useWindow } from './window'

export const useProcesses = defineStore('processes', () => {
  const app = useWindow()
  /** As they were read: the newest first. */
  const read = shallowRef<readonly Process[]>([])
  /** Why they could not be read. */
  const fault = shallowRef<Fault | null>(null)
  /** The call of the one that is looked at; empty for none. */
  const chosen = ref('')

  /** Those that are running first, then the newest. */
  const processes = computed(() => read.value.toSorted((a, b) => Number(b.running) - Number(a.running)))
  const current = computed(() => read.value.find(({ callId }) => callId === chosen.value) ?? null)
  /** How many run in the background. */
  const background = computed(() => read.value.filter((one) => one.running && one.background).length)

  let reading: Promise<void> | null = null
  let again = false
  /** Names the conversation: what was asked for about another one counts for nothing. */
  let asked = 0

  /** Reads the list; calls meanwhile are joined. */
  function refresh(): Promise<void> {
    if (reading) again = true
    else reading = readUntilCurrent()
    return reading
  }

  async function readUntilCurrent(): Promise<void> {
    do {
      again = false
      const own = asked
      const [found, failed] = await readProcesses().then(
        (list) => [list.processes, null] as const,
        (reason: unknown) => [null, faultOf(reason)] as const,
      )
      if (own !== asked) continue
      if (found) read.value = found
      fault.value = failed
    } while (again)
    reading = null
  }

  watch(
    () => app.state?.sessionId,
    (shown) => {
      asked++
      read.value = []
      chosen.value = ''
      fault.value = null
      if (shown !== undefined) void refresh()
    },
    // An id stands for another command in each conversation.
    { immediate: true, flush: 'sync' },
  )
  onNews((news) => {
    if (news.processes) void refresh()
  })

  return { processes, fault, chosen, current, background, refresh }
})
