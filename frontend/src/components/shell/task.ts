/** What is done with a task from the composer: begun, added to, ended. */
import { computed, ref, shallowRef, watch } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import type { Attached } from '../../api/types'
import { t } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import { useSessions } from '../../stores/sessions'
import { useWindow } from '../../stores/window'
import { announce } from '../base/announce'

/** What is sent. */
interface Said {
  prompt: string
  pictures: readonly Attached[]
}

const idsOf = (pictures: readonly Attached[]): string[] => pictures.map(({ id }) => id)

export function useTask() {
  const app = useWindow()
  const runs = useRuns()
  const sessions = useSessions()
  const composer = useComposer()

  const fault = shallowRef<Fault | null>(null)
  /** What is written is on its way; whether it arrived is not known yet. */
  const sending = ref(false)
  let delivery = Promise.resolve()
  /** The run that was told to stop. */
  const stopped = ref('')
  const stopping = computed(() => runs.busy && runs.current?.runId === stopped.value)

  /** What was to be done last, to be tried again. */
  let last: (() => Promise<void>) | undefined

  /**
   * Begins a task, or adds to the one that is running: after its step, or now, in its place.
   * While a card waits nothing is sent now: the same key approves, and must not end a
   * task by accident.
   */
  async function send(now: boolean): Promise<void> {
    const hurry = now && !asked()
    if (sessions.opening !== null) await sessions.settled()
    // Who types on and presses Enter again means what was typed since.
    if (sending.value) {
      await delivery
      if (fault.value !== null) return
    }
    if (composer.empty || sending.value) return
    const prompt = composer.text
    const from = app.state?.sessionId ?? ''
    await deliver(async () => {
      if (composer.reading() && !(await composer.settled())) return
      const said = { prompt, pictures: [...composer.pictures] }
      await (runs.busy ? queue(said, from, hurry && !asked()) : begin(said, from))
    })
  }

  const asked = (): boolean => runs.questions.length > 0 || runs.guard !== null

  async function begin({ prompt, pictures }: Said, from: string): Promise<void> {
    last = () => send(false)
    const { sessionId } = await bridge.run(prompt, from, idsOf(pictures))
    composer.sent(prompt, pictures, from, sessionId)
    // It is another conversation by its id only, which nobody else can tell.
    if (from === '') announce(t('shell.spoken.started'))
  }

  async function queue({ prompt, pictures }: Said, from: string, now: boolean): Promise<void> {
    last = () => send(now)
    const { promptId, runId } = await bridge.queue(from, prompt, 'step', idsOf(pictures))
    composer.sent(prompt, pictures, from, from)
    // The task was over by then, and another one began.
    if (runId !== '') return
    if (!now) {
      announce(t('queue.spoken'))
      return
    }
    const hurry = async () => void (await bridge.sendNow(from, promptId))
    last = () => deliver(hurry)
    await hurry()
  }

  /** Has something that was written arrive, one thing at a time. */
  function deliver(act: () => Promise<void>): Promise<void> {
    delivery = carry(act)
    return delivery
  }

  async function carry(act: () => Promise<void>): Promise<void> {
    const from = app.state?.sessionId
    sending.value = true
    fault.value = null
    try {
      await act()
    } catch (reason) {
      // Elsewhere it would say something about another conversation.
      if (from === app.state?.sessionId) fault.value = faultOf(reason)
    }
    await app.refresh()
    sending.value = false
  }

  async function stop(): Promise<void> {
    const run = runs.current
    if (run === undefined || !runs.busy) return
    last = stop
    stopped.value = run.runId
    announce(t('shell.composer.stopping'))
    if (!(await end(() => bridge.cancel(run.runId)))) stopped.value = ''
  }

  /** Has the task end once its step is done. */
  async function interrupt(): Promise<void> {
    const run = runs.current
    if (run === undefined || !runs.busy) return
    last = interrupt
    // The button goes away, and must not take the focus with it.
    composer.focus()
    await end(() => bridge.interrupt(run.runId))
  }

  /** Reports whether an order to end was taken. */
  async function end(order: () => Promise<unknown>): Promise<boolean> {
    fault.value = null
    try {
      await order()
      return true
    } catch (reason) {
      const failed = faultOf(reason)
      // It ended by itself, or another page stopped it.
      if (failed.code !== 'NOT_FOUND') fault.value = failed
      return false
    }
  }

  watch(
    () => app.state?.sessionId,
    () => {
      fault.value = null
    },
  )

  return { fault, sending, stopping, send, stop, interrupt, retry: () => void last?.() }
}
