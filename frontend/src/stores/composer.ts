/** The task that is being written; each conversation keeps its own. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'

import { useSessions } from './sessions'
import { useWindow } from './window'

export const useComposer = defineStore('composer', () => {
  const app = useWindow()
  const sessions = useSessions()
  /** What is written but not sent, by the conversation's id. */
  const drafts = reactive(new Map<string, string>())

  /** Who has chosen a conversation writes to that one, also before it is shown. */
  const sessionId = computed(() => sessions.opening ?? app.state?.sessionId ?? '')
  const text = computed({
    get: () => drafts.get(sessionId.value) ?? '',
    set: (written) => drafts.set(sessionId.value, written),
  })
  const empty = computed(() => text.value.trim() === '')
  /** Counts the wishes to have the cursor in the field. */
  const wanted = ref(0)

  /** The new conversation that the last prompt began, until it is shown. */
  let began = ''

  /** A prompt was taken from a conversation, which has another id now if it was a new one. */
  function sent(prompt: string, from: string, to: string): void {
    // What was typed meanwhile stays with its conversation.
    if (drafts.get(from) === prompt) drafts.delete(from)
    if (from === to) return
    began = to
    // The state may have told of the conversation before the answer to the prompt did.
    if (app.state?.sessionId === to) follow(to)
  }

  /** Takes what is written in a new conversation along to the one that is shown now. */
  function follow(shown: string | undefined): void {
    const written = drafts.get('')
    // After another choice the field is that of another conversation.
    if (shown === began && written !== undefined && sessions.opening === null) {
      drafts.set(began, written + (drafts.get(began) ?? ''))
      drafts.delete('')
    }
    began = ''
  }

  /** Puts a text that would be lost behind what is written in a conversation. */
  function keep(written: string, id: string): void {
    drafts.set(id, [drafts.get(id) ?? '', written].filter((part) => part.trim() !== '').join('\n\n'))
  }

  watch(() => app.state?.sessionId, follow, { flush: 'sync' })

  /** Puts the cursor into the field. */
  function focus(): void {
    wanted.value++
  }

  return { text, empty, wanted, sent, keep, focus }
})
