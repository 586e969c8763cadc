/**
 * Brings the events of a run to its view in order, each once, and fetches what
 * is missing. Events can be cut, can come twice (a reload) and, in the
 * development build, out of order.
 */
import { faultOf } from '../api/fault'
import type { Envelope, EventType } from '../api/types'
import { reduce } from './reduce'
import type { RunView } from './view'

/** Reads the events of a run after a seq; rejects with a Fault. */
export type Fetch = (runId: string, after: number) => Promise<Envelope[]>

export interface Feed {
  readonly run: RunView
  /** Takes events as they come. */
  take(events: readonly Envelope[]): void
  /** Fetches whatever there is after the last event of the view. */
  catchUp(): Promise<void>
  /** The run is no longer shown: whatever still arrives changes nothing. */
  close(): void
}

/** What is of no use cut: the view is made of its whole text. */
const needed: ReadonlySet<EventType> = new Set([
  'lifecycle.start',
  'assistant.delta',
  'reasoning.delta',
  'assistant.final',
  'tool.progress',
  'prompt.joined',
])

/** How long to wait after a failed fetch, in milliseconds. */
export const retryTime = 1000

/** Follows a run; gone is called when the program does not know it any more. */
export function createFeed(run: RunView, fetch: Fetch, gone: () => void): Feed {
  /** What came while something before it is missing, by seq. */
  const early = new Map<number, Envelope>()
  let fetching: Promise<void> | null = null
  /** An answer is under way. */
  let asked = false
  let closed = false

  function apply(events: readonly Envelope[], whole: boolean): void {
    for (const e of events) {
      if (e.seq <= run.lastSeq) continue
      // What was read leaves out the seqs of what was joined: nothing is missing there.
      const fits = e.seq === run.lastSeq + 1 && (e.ref === undefined || !needed.has(e.type))
      if (whole || fits) reduce(run, e)
      else early.set(e.seq, e)
    }
  }

  /** Applies what can be now; reports whether something is missing. */
  function drain(): boolean {
    const waiting = [...early.values()].toSorted((a, b) => a.seq - b.seq)
    early.clear()
    apply(waiting, false)
    return early.size > 0
  }

  /** Fetches once and applies what came; reports whether that worked. */
  async function fetchOnce(): Promise<boolean> {
    asked = true
    try {
      const events = await fetch(run.runId, run.lastSeq)
      if (!closed) apply(events, true)
      return true
    } catch (reason) {
      if (faultOf(reason).code !== 'NOT_FOUND') return false
      if (!closed) gone()
      closed = true
      return true
    } finally {
      asked = false
    }
  }

  async function fetchMissing(): Promise<void> {
    try {
      for (;;) {
        const before = run.lastSeq
        const fetched = await fetchOnce()
        if (closed || (fetched && !drain())) return
        // Nothing new although something is missing: asking at once would be no use.
        if (run.lastSeq === before) await new Promise((resolve) => setTimeout(resolve, retryTime))
        if (closed) return
      }
    } finally {
      fetching = null
    }
  }

  const feed: Feed = {
    run,
    take(events) {
      if (closed) return
      for (const e of events) if (e.seq > run.lastSeq) early.set(e.seq, e)
      // The answer goes on from where the view was when it was asked for.
      if (!asked && drain()) void feed.catchUp()
    },
    catchUp() {
      fetching ??= fetchMissing()
      return fetching
    },
    close() {
      closed = true
    },
  }
  return feed
}
