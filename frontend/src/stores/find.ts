/** Where a text stands in the conversation that is shown, and which of these places is looked at. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import { faultOf } from '../api/fault'
import type { Passage } from '../api/types'
import { useLookup } from './lookup'
import { useRuns } from './runs'

export const useFind = defineStore('find', () => {
  const runs = useRuns()
  const { text, found, fault, look, clear } = useLookup(() => runs.shown ?? '')
  /** The bar is shown. */
  const open = ref(false)
  /** The places, the newest first; null before it is known. */
  const places = computed(() => found.value?.passages ?? null)
  /** Which one is looked at. */
  const at = ref(0)
  /** The one that is to be brought into sight, until it is. */
  const sought = shallowRef<Passage | null>(null)
  /** Somebody wants the cursor in the field. */
  const wanted = ref(false)

  /** Looks for what was typed, and shows the newest place. */
  async function type(words: string): Promise<void> {
    text.value = words
    const answer = await look()
    if (answer) move(0)
  }

  /** Shows a place in the conversation, where something was searched for. */
  async function openAt(passage: Passage, words: string): Promise<void> {
    show()
    text.value = words
    void seek(passage)
    await follow(passage.partId)
  }

  /** Looks again, with the same place looked at. */
  async function follow(partId: string): Promise<void> {
    const answer = await look()
    const same = answer?.passages.findIndex((each) => each.partId === partId) ?? -1
    if (same >= 0) at.value = same
  }

  /** Shows the bar, with the cursor in it. */
  function show(): void {
    open.value = true
    wanted.value = true
  }

  /** Shows another place: an older one for a step of 1. After the last one comes the first. */
  function step(by: 1 | -1): void {
    const n = places.value?.length ?? 0
    if (n > 0) move((at.value + by + n) % n)
  }

  function move(to: number): void {
    at.value = to
    const passage = places.value?.[to]
    if (passage) void seek(passage)
  }

  async function seek(passage: Passage): Promise<void> {
    sought.value = passage
    if (runs.runs.some(({ runId }) => runId === passage.runId)) return
    try {
      await runs.loadEarlier(passage.runId)
    } catch (reason) {
      fault.value = faultOf(reason)
    }
  }

  /** What was sought is in sight. */
  function arrive(): void {
    sought.value = null
  }

  function close(): void {
    open.value = false
    sought.value = null
    clear()
  }

  // Another conversation has other places.
  watch(() => runs.shown, close, { flush: 'sync' })
  watch(
    () => runs.current?.end,
    (end) => {
      const looked = places.value?.[at.value]
      if (open.value && end && looked) void follow(looked.partId)
      else if (open.value && end) void look()
    },
  )

  return { open, text, places, found, fault, at, sought, wanted, type, openAt, show, step, arrive, close }
})
