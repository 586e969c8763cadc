/** The runs of the conversation that the window shows, built from their events. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowReactive } from 'vue'

import { readEarlier, readEvents } from '../api/routes'
import type { Envelope, RunState } from '../api/types'
import { createFeed, type Feed } from './feed'
import { createRun, type GuardView, type QuestionView, type RunView } from './view'

export const useRuns = defineStore('runs', () => {
  const feeds = shallowReactive(new Map<string, Feed>())
  /** The conversation that is shown: empty for a new one, null while that is not known. */
  const shown = ref<string | null>(null)
  /** There are runs before the first one. */
  const earlier = ref(false)
  /** Runs that came by their events; no state has named them yet. */
  const unnamed = new Set<string>()
  /** The run before which others are being read. */
  const fetching = ref('')

  /** The runs in order. */
  const runs = computed<RunView[]>(() => [...feeds.values()].map((feed) => feed.run))
  /** The last run. */
  const current = computed<RunView | undefined>(() => runs.value.at(-1))
  /** The last task, or what is being done. A conversation that was summed up since has had no other. */
  const task = computed<RunView | undefined>(() =>
    current.value?.end === null
      ? current.value
      : (runs.value.findLast((run) => !run.compacts) ?? current.value),
  )
  /** Reports whether a run is active. */
  const busy = computed(() => current.value !== undefined && current.value.end === null)
  /** The questions that wait for an answer, the first one first. */
  const questions = computed<QuestionView[]>(() =>
    runs.value
      .filter((run) => run.end === null)
      .flatMap((run) => [...run.tools.values()].flatMap((tool) => tool.question ?? []))
      .toSorted((a, b) => a.askedSeq - b.askedSeq),
  )
  /** A run works in a draft now. */
  const drafting = computed(() => busy.value && current.value?.drafting === true)
  /** Names the state of the draft that is shown instead of the folder, empty where none is. Nothing watches
      drafts: what has ended of the run's calls is what may have changed it. */
  const draftState = computed(() => {
    if (!drafting.value || !current.value) return ''
    const ended = [...current.value.tools.values()].filter(({ result }) => result)
    return `${current.value.runId} ${ended.length}`
  })
  /** What a guard asks, of the run that it has paused. */
  const guard = computed<GuardView | null>(() => (busy.value && current.value?.guard) || null)

  /**
   * Takes events as they arrive, of runs and of the window alike. Reports whether
   * there was one of an unknown run: another page may have begun it, or another
   * conversation is shown, so the page should read the state again.
   */
  function receive(events: readonly Envelope[]): boolean {
    let unknown = false
    for (const { runId, sessionId } of events) {
      if (runId === '' || feeds.has(runId)) continue
      unknown = true
      // What happens in another conversation is read once the state says that it is shown.
      if (shown.value !== null && shown.value !== sessionId) continue
      unnamed.add(runId)
      feeds.set(runId, follow(runId, sessionId))
    }
    for (const [runId, feed] of feeds) {
      const own = events.filter((e) => e.runId === runId)
      if (own.length > 0) feed.take(own)
    }
    return unknown
  }

  /**
   * Brings the runs in line with the state: its last runs in their order, with
   * whatever of them is missing. Before them stays what was read of the same
   * conversation already, behind them a run that the state does not know yet.
   */
  async function load(sessionId: string, states: readonly RunState[], before: boolean): Promise<void> {
    const named = new Set(states.map((state) => state.runId))
    const others = [...feeds].filter(([id, { run }]) => !named.has(id) && run.sessionId === sessionId)
    const later = others.filter(([id]) => unnamed.has(id))
    // Where no run is known there may be some in between.
    const joined = states.some(({ runId }) => feeds.has(runId))
    const older = joined ? others.filter(([id]) => !unnamed.has(id)) : []
    const last = states.map(({ runId }) => [runId, feeds.get(runId) ?? follow(runId, sessionId)] as const)
    arrange([...older, ...last, ...later])
    unnamed.clear()
    for (const [id] of later) unnamed.add(id)
    shown.value = sessionId
    if (older.length === 0) earlier.value = before
    const missing = last.filter(
      ([, { run }], i) => run.lastSeq === 0 || (states[i]?.ended && run.end === null),
    )
    await Promise.all(missing.map(([, feed]) => feed.catchUp()))
  }

  /** Puts runs that precede the first one before it, from a run on where one is named. Rejects with a Fault. */
  async function loadEarlier(from = ''): Promise<void> {
    const [first] = runs.value
    if (!earlier.value || first === undefined || fetching.value === first.runId) return
    fetching.value = first.runId
    try {
      const list = await readEarlier(first.sessionId, first.runId, from)
      const older = list.runs.map(({ runId }) => [runId, follow(runId, first.sessionId)] as const)
      await Promise.all(older.map(([, feed]) => feed.catchUp()))
      // Another conversation is shown by now.
      if (runs.value[0] !== first) return
      arrange([...older.filter(([, { run }]) => run.lastSeq > 0), ...feeds])
      earlier.value = list.earlier
    } finally {
      if (fetching.value === first.runId) fetching.value = ''
    }
  }

  /** Shows these runs and no others. */
  function arrange(wanted: readonly (readonly [string, Feed])[]): void {
    const kept = new Set(wanted.map(([, feed]) => feed))
    for (const feed of feeds.values()) if (!kept.has(feed)) feed.close()
    feeds.clear()
    for (const [id, feed] of wanted) feeds.set(id, feed)
  }

  function follow(runId: string, sessionId: string): Feed {
    const feed: Feed = createFeed(reactive(createRun(runId, sessionId)), readEvents, () => {
      if (feeds.get(runId) === feed) feeds.delete(runId)
    })
    return feed
  }

  return {
    shown,
    runs,
    current,
    task,
    busy,
    drafting,
    draftState,
    questions,
    guard,
    earlier,
    fetching,
    receive,
    load,
    loadEarlier,
  }
})
