/** The conversations that are listed, and what is done with them. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'

import * as bridge from '../api/bridge'
import { onNews } from '../api/events'
import { faultOf, type Fault } from '../api/fault'
import { readSessions } from '../api/routes'
import type { SessionEntry } from '../api/types'
import { useWindow } from './window'

/** How many conversations are asked for at first, and how many more each time. */
const portion = 100
/** How long a deleted conversation can be brought back, in milliseconds. */
export const undoTime = 8000

type Named = Pick<SessionEntry, 'id' | 'title'>

/** A conversation that was taken off the list just now. */
export interface Removed {
  id: string
  title: string
  /** How: it can be brought back in either case. */
  way: 'deleted' | 'archived'
  /** It was the one that is shown. */
  shown: boolean
}

export const useSessions = defineStore('sessions', () => {
  const app = useWindow()
  /** Null before they were read for the first time. */
  const entries = shallowRef<SessionEntry[] | null>(null)
  /** How many are archived; the list of these is null while it is not open. */
  const archived = ref(0)
  const archive = shallowRef<SessionEntry[] | null>(null)
  /** There are more than those listed. */
  const more = ref(false)
  /** When they were read, in milliseconds since 1970. */
  const readAt = ref(0)
  /** Why they could not be read. */
  const fault = shallowRef<Fault | null>(null)
  /** Why the last thing that was to be done with one was not. */
  const refusal = shallowRef<Fault | null>(null)
  /** What can be brought back. */
  const removed = shallowRef<Removed | null>(null)
  /** Reports whether one of them is running. */
  const working = computed(() => (entries.value ?? []).some(({ mark }) => /^(running|waiting)$/.test(mark)))

  let limit = portion
  let archiveOpen = false
  /** How many places show the list; while there is none it is not read. */
  let followers = 0
  let reading: Promise<void> | null = null
  let again = false
  let undoTimer: number | undefined
  /** The conversations that are being deleted. */
  const leaving = new Set<string>()
  /** The conversation that was chosen, until it is shown or was refused. */
  const opening = ref<string | null>(null)
  let showing: Promise<void> | null = null

  /** Reads the list; calls meanwhile are joined. */
  function refresh(): Promise<void> {
    if (reading) again = true
    else reading = readUntilCurrent()
    return reading
  }

  async function readUntilCurrent(): Promise<void> {
    try {
      do {
        again = false
        const list = await readSessions(limit)
        const kept = archiveOpen && list.archived > 0 ? await readSessions(limit, true) : null
        entries.value = list.sessions
        archived.value = list.archived
        archive.value = archiveOpen ? (kept?.sessions ?? []) : null
        more.value = list.more || kept?.more === true
        readAt.value = Date.now()
        fault.value = null
      } while (again)
    } catch (reason) {
      fault.value = faultOf(reason)
    } finally {
      reading = null
    }
  }

  /** Lists more of them. */
  function showMore(): Promise<void> {
    limit += portion
    return refresh()
  }

  /** Lists the archived ones too, or no longer. */
  function toggleArchive(): Promise<void> {
    archiveOpen = !archiveOpen
    return refresh()
  }

  function refreshFollowed(): void {
    if (followers > 0 && document.visibilityState === 'visible') void refresh()
  }

  /** Keeps the list up to date; returns how to end that. */
  function follow(): () => void {
    followers++
    void refresh()
    return () => {
      followers--
    }
  }

  /** Shows a conversation, a new one for the empty id. Rejects with a Fault. */
  function show(id: string): Promise<void> {
    opening.value = id
    showing ??= showWanted().finally(() => {
      showing = null
      opening.value = null
    })
    return showing
  }

  /** One call at a time, so that what was chosen last is what is shown. */
  async function showWanted(): Promise<void> {
    for (let id = opening.value, shown = false; id !== null && !shown; id = opening.value) {
      try {
        await (id === '' ? bridge.newConversation() : bridge.showSession(id))
        await app.refresh()
      } catch (reason) {
        if (id === opening.value) throw reason
      }
      shown = id === opening.value
    }
  }

  /** Resolves when the conversation that was chosen is shown, or was refused. */
  async function settled(): Promise<void> {
    await showing?.catch(() => {})
  }

  /** Does something with a conversation and keeps why it was refused. */
  async function attempt(act: () => Promise<void>): Promise<void> {
    refusal.value = null
    try {
      await act()
    } catch (reason) {
      refusal.value = faultOf(reason)
    }
    await Promise.all([refresh(), app.refresh()])
  }

  const choose = (id: string): Promise<void> => attempt(() => show(id))

  const rename = (id: string, title: string): Promise<void> =>
    attempt(async () => {
      const all = entries.value ?? []
      const at = all.findIndex((entry) => entry.id === id)
      const known = all[at]
      if (known) entries.value = all.with(at, { ...known, title })
      await bridge.renameSession(id, title)
    })

  const pin = (id: string, on: boolean): Promise<void> =>
    attempt(async () => void (await bridge.pinSession(id, on)))

  /** Takes a conversation off the list, from where it can be brought back for a moment. */
  async function take({ id, title }: Named, way: Removed['way'], act: () => Promise<unknown>): Promise<void> {
    if (leaving.has(id)) return
    leaving.add(id)
    await attempt(async () => {
      const shown = app.state?.sessionId === id
      await act()
      entries.value = (entries.value ?? []).filter((entry) => entry.id !== id)
      offer({ id, title, way, shown })
    })
    leaving.delete(id)
  }

  const remove = (entry: Named): Promise<void> => take(entry, 'deleted', () => bridge.deleteSession(entry.id))

  const moveToArchive = (entry: Named): Promise<void> =>
    take(entry, 'archived', () => bridge.archiveSession(entry.id, true))

  const takeBack = (id: string): Promise<void> =>
    attempt(async () => void (await bridge.archiveSession(id, false)))

  /** Offers to bring a conversation back as long as that is possible. */
  function offer(last: Removed | null): void {
    removed.value = last
    clearTimeout(undoTimer)
    if (last) undoTimer = window.setTimeout(() => offer(null), undoTime)
  }

  /** Brings back the conversation that was taken off the list last. */
  async function undo(): Promise<void> {
    const last = removed.value
    if (last === null) return
    offer(null)
    await attempt(async () => {
      await (last.way === 'archived' ? bridge.archiveSession(last.id, false) : bridge.restoreSession(last.id))
      if (last.shown && app.state?.sessionId === '') await show(last.id)
    })
  }

  onNews((news) => {
    // The list counts the commands that run in the background.
    if (news.sessions || news.processes) refreshFollowed()
  })
  // The days go on, and other processes work on the same conversations.
  window.addEventListener('focus', refreshFollowed)
  document.addEventListener('visibilitychange', refreshFollowed)

  return {
    entries,
    archived,
    archive,
    more,
    readAt,
    fault,
    refusal,
    removed,
    working,
    opening,
    settled,
    attempt,
    refresh,
    showMore,
    toggleArchive,
    follow,
    show,
    choose,
    rename,
    pin,
    moveToArchive,
    takeBack,
    remove,
    undo,
  }
})
