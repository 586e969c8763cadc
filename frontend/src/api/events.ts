/*
 * The events of the program. They all come under one name, to one listener, which
 * passes them on: in the window library, taking away the last listener of a name
 * would silence it for good.
 */
import { EventsOn } from '../../wailsjs/runtime/runtime'
import type { Envelope, EventMap } from './types'

const eventName = 'fairlead'

type Listener = (events: Envelope[]) => void

const listeners = new Set<Listener>()
let listening = false

/** Calls back with the events as they come, in small lots; returns how to stop that. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  if (!listening) {
    listening = true
    EventsOn(eventName, (events: Envelope[]) => {
      for (const each of listeners) {
        // What one listener makes of an event must not keep it from the others.
        try {
          each(events)
        } catch (error) {
          reportError(error)
        }
      }
    })
  }
  return () => listeners.delete(listener)
}

/** What a lot of events says about the workspace, the window and its lists. */
export interface News {
  /** Files changed, one entry an event; `full` where news was missed. */
  workspace: EventMap['workspace.changed'][]
  /** The state is to be read again. */
  window: boolean
  /** The list of conversations is to be read again. */
  sessions: boolean
  /** The list of commands is to be read again. */
  processes: boolean
  /** Something was taken back, or made again, in the folder. */
  changes: boolean
  /** The window was to be closed while a run is active. */
  closing: boolean
  /** The call whose question the user chose, in a native dialog, to answer here. */
  review: string | null
}

/**
 * Calls back with the news among the events. Where some was missed, the callback
 * is told that everything may have changed.
 */
export function onNews(listener: (news: News) => void): () => void {
  let last: number | undefined
  return onEvents((events) => {
    const news: News = {
      workspace: [],
      window: false,
      sessions: false,
      processes: false,
      changes: false,
      closing: false,
      review: null,
    }
    let any = false
    for (const event of events) {
      if (event.runId !== '') continue
      any = true
      // What came before the first of them is not known: it may be on its way, or lost.
      if (event.seq > (last ?? 0) + 1) {
        news.workspace.push({ paths: [], full: true, gone: false })
        news.window = true
        news.sessions = true
        news.processes = true
        news.changes = true
      }
      // News out of order has been made up for already, but for these.
      if (event.type === 'window.closing') news.closing = true
      if (event.type === 'window.review') news.review = event.data.callId
      if (last !== undefined && event.seq <= last) continue
      last = event.seq
      if (event.type === 'workspace.changed') news.workspace.push(event.data)
      if (event.type === 'window.changed') news.window = true
      if (event.type === 'sessions.changed') news.sessions = true
      if (event.type === 'processes.changed') news.processes = true
      if (
        event.type === 'journal.undone' ||
        event.type === 'journal.redone' ||
        event.type === 'changes.result' ||
        event.type === 'draft.applied' ||
        event.type === 'draft.dropped'
      )
        news.changes = true
    }
    if (any) listener(news)
  })
}
