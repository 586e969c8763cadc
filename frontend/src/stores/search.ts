/** The search in all conversations. */
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

import type { Passage } from '../api/types'
import { useFind } from './find'
import { useLookup } from './lookup'
import { useSessions } from './sessions'

export const useSearch = defineStore('search', () => {
  const sessions = useSessions()
  const find = useFind()
  const { text, found, fault, look, clear } = useLookup(() => '')
  /** Something is searched for; what was found takes the place of the list. */
  const active = computed(() => text.value.trim() !== '')
  /** Somebody wants the cursor in the field. */
  const wanted = ref(false)

  watch(text, () => void look())

  /** Shows a conversation at a place in it. */
  async function go(passage: Passage): Promise<void> {
    const words = text.value.trim()
    await sessions.choose(passage.sessionId)
    if (sessions.refusal === null) await find.openAt(passage, words)
  }

  function focus(): void {
    wanted.value = true
  }

  return { text, found, fault, active, wanted, look, clear, go, focus }
})
