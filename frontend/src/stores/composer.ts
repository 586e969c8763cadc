/** The task that is being written; each conversation keeps its own. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'

import * as bridge from '../api/bridge'
import type { Attached } from '../api/types'
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
  /** The pictures that go with it, by the conversation's id. */
  const attached = reactive(new Map<string, Attached[]>())
  const pictures = computed(() => attached.get(sessionId.value) ?? [])
  /** Counts the wishes to have the cursor in the field. */
  const wanted = ref(0)
  /** Counts the wishes to have what is in the field sent. */
  const toSend = ref(0)

  /** The new conversation that the last prompt began, until it is shown. */
  let began = ''
  /** How often a new conversation got its id, and the last one. */
  let named = 0
  let lastNamed = ''
  /** The pictures that are being read. */
  const pending = new Set<Promise<void>>()

  /** A prompt was taken from a conversation with its pictures. The conversation has another id now if
      it was a new one. */
  function sent(prompt: string, went: readonly Attached[], from: string, to: string): void {
    // What was typed and added meanwhile stays with its conversation.
    if (drafts.get(from) === prompt) drafts.delete(from)
    keepPictures(
      from,
      (attached.get(from) ?? []).filter(({ id }) => went.every((one) => one.id !== id)),
    )
    if (from === to) return
    began = to
    // The state may have told of the conversation before the answer to the prompt did.
    if (app.state?.sessionId === to) follow(to)
  }

  /** Takes what is written in a new conversation along to the one that is shown now. */
  function follow(shown: string | undefined): void {
    // After another choice the field is that of another conversation.
    if (began !== '' && shown === began && sessions.opening === null) {
      const written = drafts.get('')
      if (written !== undefined) {
        drafts.set(began, written + (drafts.get(began) ?? ''))
        drafts.delete('')
      }
      keepPictures(began, [...(attached.get('') ?? []), ...(attached.get(began) ?? [])])
      attached.delete('')
      named++
      lastNamed = began
    }
    began = ''
  }

  function keepPictures(id: string, kept: Attached[]): void {
    if (kept.length > 0) attached.set(id, kept)
    else attached.delete(id)
  }

  /** Adds pictures to what is written once they are read. Rejects with a Fault. */
  function attach(wished: Promise<Attached[]>): Promise<void> {
    const adding = add(wished)
    pending.add(adding)
    return adding.finally(() => pending.delete(adding))
  }

  async function add(wished: Promise<Attached[]>): Promise<void> {
    const id = sessionId.value
    const before = named
    const read = await wished
    // A new conversation can have begun meanwhile.
    const to = id === '' && named !== before ? lastNamed : id
    keepPictures(to, [...(attached.get(to) ?? []), ...read])
  }

  const reading = (): boolean => pending.size > 0

  /** Waits for the pictures that are being read, and reports whether all of them could be. */
  async function settled(): Promise<boolean> {
    const results = await Promise.allSettled(pending)
    return results.every(({ status }) => status === 'fulfilled')
  }

  /** Takes a picture back. */
  function detach(id: string): void {
    const of = sessionId.value
    keepPictures(
      of,
      (attached.get(of) ?? []).filter((one) => one.id !== id),
    )
    bridge.removePicture(id).catch(() => undefined) // it is let go of when others come
  }

  /** Names files behind what is written. */
  function name(paths: readonly string[]): void {
    if (paths.length === 0) return
    const before = text.value === '' || /\s$/.test(text.value) ? text.value : `${text.value} `
    text.value = `${before}${paths.join(' ')} `
    focus()
  }

  /** Puts a text that would be lost behind what is written in a conversation. */
  function keep(written: string, id: string): void {
    drafts.set(id, [drafts.get(id) ?? '', written].filter((part) => part.trim() !== '').join('\n\n'))
  }

  /** Begins a conversation with what an earlier one held before a run, and shows it with the task in the
      field, or sends that at once. Rejects with a Fault. */
  async function fork(runId: string, prompt: string, asItWas: boolean, again = false): Promise<void> {
    const { sessionId: id, pictures: given } = await bridge.forkSession(runId, asItWas)
    keep(prompt, id)
    keepPictures(id, given)
    await sessions.show(id)
    focus()
    if (again) toSend.value++
  }

  /** Begins a conversation with everything up to the end of a run, and shows it. Rejects with a Fault. */
  async function forkAfter(runId: string): Promise<void> {
    const { sessionId: id } = await bridge.forkAfter(runId)
    await sessions.show(id)
    focus()
  }

  watch(() => app.state?.sessionId, follow, { flush: 'sync' })

  /** Puts the cursor into the field. */
  function focus(): void {
    wanted.value++
  }

  return {
    text,
    empty,
    pictures,
    wanted,
    toSend,
    sent,
    name,
    attach,
    reading,
    settled,
    detach,
    keep,
    focus,
    fork,
    forkAfter,
  }
})
