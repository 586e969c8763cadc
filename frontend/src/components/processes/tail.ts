/** What a command writes, read as long as somebody looks at it. */
import { onBeforeUnmount, onMounted, reactive, ref, shallowRef, watch } from 'vue'

import { type Fault, faultOf } from '../../api/fault'
import { readOutput } from '../../api/routes'
import type { ProcessOutput } from '../../api/processes'
import { appendOutput } from '../../stores/output'
import { spansOf } from '../transcript/ansi'

/** How long after one look the next one follows, in milliseconds. */
export const lookTime = 500
/** How many lines are kept; up to half as many more are shown, which makes 2,000. */
const keptLines = 1333
/** How many parts are read at once at most: a command may write faster than it is read. */
const mostParts = 16

/** What there is from a place on, part by part. */
async function* partsFrom(callId: string, from: number): AsyncGenerator<ProcessOutput> {
  let place = from
  for (let i = 0; i < mostParts; i++) {
    const part = await readOutput(callId, place)
    if (part.next <= place) return
    yield part
    place = part.next
  }
}

/** All that is kept of the output of a call's command, as plain text. Rejects with a Fault. */
export async function readAll(callId: string): Promise<string> {
  let text = ''
  for await (const part of partsFrom(callId, 0)) text += part.text
  return spansOf(text)
    .map((span) => span.text)
    .join('')
}

/** Follows the output of a call's command: while it runs, and the page can be seen. */
export function useTail(callId: string, running: () => boolean) {
  const tail = reactive({ output: '', outputDropped: 0 })
  /** What was written earlier is gone. */
  const lost = ref(false)
  const fault = shallowRef<Fault | null>(null)
  let next = 0
  let timer: number | undefined
  let looking = false
  let again = false
  let closed = false

  function take({ text, from, next: after }: ProcessOutput): void {
    if (from > next) {
      lost.value = true
      // What follows does not join what is shown.
      Object.assign(tail, { output: '', outputDropped: 0 })
    }
    appendOutput(tail, text, keptLines)
    next = after
  }

  /** Reads what is new; a call meanwhile has it done once more. */
  async function look(): Promise<void> {
    clearTimeout(timer)
    again = looking
    if (looking) return
    looking = true
    try {
      do {
        again = false
        for await (const part of partsFrom(callId, next)) if (!closed) take(part)
        fault.value = null
      } while (again)
    } catch (reason) {
      fault.value = faultOf(reason)
    }
    looking = false
    plan()
  }

  function plan(): void {
    if (closed || !running() || document.visibilityState === 'hidden') return
    timer = window.setTimeout(() => void look(), lookTime)
  }

  function onVisible(): void {
    if (document.visibilityState === 'visible') void look()
  }

  // The last words of a command come with its end.
  watch(running, () => void look())
  onMounted(() => {
    document.addEventListener('visibilitychange', onVisible)
    void look()
  })
  onBeforeUnmount(() => {
    closed = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  })

  return { tail, lost, fault, look }
}
