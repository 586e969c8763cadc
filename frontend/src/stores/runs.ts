/** The runs of the conversation that the window shows, built from their events. */
import { defineStore } from 'pinia'
import { computed, reactive, shallowReactive } from 'vue'

import { readEvents } from '../api/routes'
import type { Envelope, RunState } from '../api/types'
import { createFeed, type Feed } from './feed'
import { createRun, type QuestionView, type RunView } from './view'

export const useRuns = defineStore('runs', () => {
  const feeds = shallowReactive(new Map<string, Feed>())

  /** The runs in order. */
  const runs = computed<RunView[]>(() => [...feeds.values()].map((feed) => feed.run))
  /** The last run. */
  const current = computed<RunView | undefined>(() => runs.value.at(-1))
  /** Says whether a run is at work. */
  const busy = computed(() => current.value !== undefined && current.value.end === null)
  /** The questions that wait for an answer, the first one first. */
  const questions = computed<QuestionView[]>(() =>
    runs.value
      .filter((run) => run.end === null)
      .flatMap((run) => [...run.tools.values()].flatMap((tool) => tool.question ?? []))
      .toSorted((a, b) => a.askedSeq - b.askedSeq),
  )

  /**
   * Takes events as they arrive, of runs and of the window alike. Says whether
   * there was one of an unknown run: another page may have begun it, so whoever
   * shows the state should read it again.
   */
  function receive(events: readonly Envelope[]): boolean {
    let unknown = false
    for (const { runId, sessionId } of events) {
      if (runId === '' || feeds.has(runId)) continue
      unknown = true
      follow(runId, sessionId)
    }
    for (const [runId, feed] of feeds) {
      const own = events.filter((e) => e.runId === runId)
      if (own.length > 0) feed.take(own)
    }
    return unknown
  }

  /**
   * Brings the runs in line with the state: those of the conversation in their
   * order, with whatever of them is missing. A run that the state does not know
   * yet stays if it is of the same conversation.
   */
  async function load(sessionId: string, states: readonly RunState[]): Promise<void> {
    const known = new Set(states.map((state) => state.runId))
    const later = [...feeds].filter(([id, { run }]) => !known.has(id) && run.sessionId === sessionId)
    const ordered = states.map(({ runId }) => [runId, follow(runId, sessionId)] as const)
    for (const [id, old] of feeds) {
      if (!known.has(id) && !later.some(([kept]) => kept === id)) old.close()
    }
    feeds.clear()
    for (const [id, kept] of [...ordered, ...later]) feeds.set(id, kept)
    const missing = states.filter(({ runId, ended }) => {
      const { run } = follow(runId, sessionId)
      return run.lastSeq === 0 || (ended && run.end === null)
    })
    await Promise.all(missing.map(({ runId }) => follow(runId, sessionId).catchUp()))
  }

  /** The feed of a run, which is created where there is none. */
  function follow(runId: string, sessionId: string): Feed {
    const known = feeds.get(runId)
    if (known) return known
    const created = createFeed(reactive(createRun(runId, sessionId)), readEvents, () => {
      feeds.delete(runId)
    })
    feeds.set(runId, created)
    return created
  }

  return { runs, current, busy, questions, receive, load }
})
