/** What the window works with: folder, model, conversation and settings. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'

import * as bridge from '../api/bridge'
import { onEvents, onNews } from '../api/events'
import { faultOf, type Fault } from '../api/fault'
import { readState } from '../api/routes'
import type { State } from '../api/types'
import { useRuns } from './runs'

/** How long to wait before the state is asked for again, in milliseconds. */
const retryTime = 500

export const useWindow = defineStore('window', () => {
  const runs = useRuns()
  const state = shallowRef<State | null>(null)
  /** Why the state could not be read; null once it was. */
  const fault = shallowRef<Fault | null>(null)
  /** The window was to be closed while a run is active. */
  const closing = ref(false)
  /** Counts the wishes to answer here what a native dialog asked. */
  const reviews = ref(0)
  /** The first run's page is left for good. */
  const begun = ref(false)

  /** Reports whether a task can be given. */
  const ready = computed(
    () => state.value !== null && state.value.workspace !== null && state.value.model !== null,
  )
  /** Reports whether the first run's page is to be shown. */
  const welcome = computed(() => state.value !== null && !begun.value)

  let reading: Promise<void> | null = null
  let again = false
  let retry: number | undefined

  /** Reads the state, and what is missing of its runs; calls meanwhile are joined. */
  function refresh(): Promise<void> {
    if (reading) {
      again = true
      return reading
    }
    reading = readUntilCurrent().finally(() => {
      reading = null
    })
    return reading
  }

  async function readUntilCurrent(): Promise<void> {
    do {
      again = false
      try {
        take(await readState())
        fault.value = null
      } catch (reason) {
        fault.value = faultOf(reason)
        clearTimeout(retry)
        retry = window.setTimeout(() => void refresh(), retryTime)
        return
      }
    } while (again)
  }

  function take(read: State): void {
    const first = state.value === null
    state.value = read
    // With folder and model chosen there is no first run.
    if ((first && ready.value) || read.tour || read.runs.length > 0) begun.value = true
    void runs.load(read.sessionId, read.runs, read.earlier)
  }

  /** Follows the program from now on. Resolves when the state was read, or could not be. */
  function connect(): Promise<void> {
    // Events first: what happens while the state is read must not be missed.
    onEvents((events) => {
      if (runs.receive(events)) void refresh()
    })
    onNews((news) => {
      if (news.closing) closing.value = true
      if (news.review !== null) reviews.value++
      if (news.window) void refresh()
    })
    return refresh()
  }

  /** Leaves the guided tour, for a folder and a model of the user's own. Rejects with a Fault. */
  async function leaveTour(): Promise<void> {
    await bridge.leaveTour()
    await refresh()
    if (!ready.value) begun.value = false
  }

  /** Leaves the first run's page. */
  function begin(): void {
    begun.value = true
  }

  return { state, fault, closing, reviews, ready, welcome, refresh, connect, begin, leaveTour }
})
