/** The task that is being written; each conversation keeps its own. */
import { defineStore } from 'pinia'
import { computed, reactive, ref } from 'vue'

import { useWindow } from './window'

export const useComposer = defineStore('composer', () => {
  const app = useWindow()
  /** What is written but not sent, by the conversation's id. */
  const drafts = reactive(new Map<string, string>())

  const sessionId = computed(() => app.state?.sessionId ?? '')
  const text = computed({
    get: () => drafts.get(sessionId.value) ?? '',
    set: (written) => drafts.set(sessionId.value, written),
  })
  const empty = computed(() => text.value.trim() === '')
  /** Counts the wishes to have the cursor in the field. */
  const wanted = ref(0)

  /** A prompt was taken from a conversation, which has another id now if it was a new one. */
  function sent(prompt: string, from: string, to: string): void {
    const left = drafts.get(from)
    // What was typed meanwhile stays with its conversation.
    if (left !== undefined && left !== prompt) {
      if (from === to) return
      drafts.set(to, left + (drafts.get(to) ?? ''))
    }
    drafts.delete(from)
  }

  /** Puts the cursor into the field. */
  function focus(): void {
    wanted.value++
  }

  return { text, empty, wanted, sent, focus }
})
