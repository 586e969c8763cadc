import { beforeEach, describe, expect, it, vi } from 'vitest'

import { newsOf } from '../testing/news'
import type * as Events from './events'
import type { Envelope, EventType } from './types'

let events: typeof Events
let send: (lot: Envelope[]) => void
const subscriptions: string[] = []

beforeEach(async () => {
  vi.resetModules()
  subscriptions.length = 0
  vi.stubGlobal('runtime', {
    EventsOnMultiple: (name: string, callback: typeof send) => {
      subscriptions.push(name)
      send = callback
      return () => {}
    },
  })
  events = await import('./events')
})

function event(seq: number, type: EventType, data: object = {}, runId = ''): Envelope {
  return { seq, runId, sessionId: '', ts: 0, type, data } as Envelope
}

const changed = (path: string) => ({ paths: [path], full: false, gone: false })
const everything = { paths: [], full: true, gone: false }

describe('events', () => {
  it('EV-06 come under one name, to every listener until it goes', () => {
    const [first, second] = [vi.fn<(lot: Envelope[]) => void>(), vi.fn<(lot: Envelope[]) => void>()]
    const leave = events.onEvents(first)
    events.onEvents(second)
    expect(subscriptions).toEqual(['fairlead'])
    send([event(1, 'window.changed')])
    leave()
    send([event(2, 'window.changed')])
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2])
    expect(subscriptions).toHaveLength(1)
  })

  it('reach the others when one listener fails', () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const other = vi.fn<(lot: Envelope[]) => void>()
    events.onEvents(() => {
      throw new Error('broken')
    })
    events.onEvents(other)
    send([event(1, 'window.changed')])
    expect(other).toHaveBeenCalledOnce()
    expect(reported).toHaveBeenCalledOnce()
  })
})

describe('EV-07 news', () => {
  let news: Events.News[]

  beforeEach(() => {
    news = []
    events.onNews((each) => news.push(each))
  })

  it('are told apart, and the events of runs are none', () => {
    send([event(6, 'window.changed')])
    news = []
    send([event(1, 'lifecycle.start', {}, 'r1')])
    send([event(7, 'workspace.changed', changed('a')), event(8, 'window.changed')])
    send([event(9, 'window.closing')])
    send([event(10, 'sessions.changed')])
    send([event(11, 'processes.changed', { sessionId: 's1' })])
    const undone = { setId: 'u1', runId: 'r1', callId: 'c1', paths: [] }
    send([event(12, 'journal.undone', undone)])
    send([event(13, 'journal.redone', undone)])
    expect(news).toEqual([
      newsOf({ workspace: [changed('a')], window: true }),
      newsOf({ closing: true }),
      newsOf({ sessions: true }),
      newsOf({ processes: true }),
      newsOf({ changes: true }),
      newsOf({ changes: true }),
    ])
  })

  it('that were missed mean that everything may have changed', () => {
    send([event(3, 'workspace.changed', changed('a'))])
    send([event(5, 'workspace.changed', changed('c'))])
    expect(news[1]).toEqual(
      newsOf({
        workspace: [everything, changed('c')],
        window: true,
        sessions: true,
        processes: true,
        changes: true,
      }),
    )
  })

  it('that came before the first are as good as missed', () => {
    send([event(2, 'window.changed')])
    send([event(1, 'workspace.changed', changed('a'))])
    expect(news[0]).toEqual(
      newsOf({ workspace: [everything], window: true, sessions: true, processes: true, changes: true }),
    )
  })

  it('are taken once, however often and in whatever order they come', () => {
    send([event(1, 'window.changed')])
    send([event(3, 'workspace.changed', changed('c'))])
    send([event(2, 'workspace.changed', changed('b'))])
    send([event(3, 'workspace.changed', changed('c'))])
    expect(news.slice(2)).toEqual([newsOf({}), newsOf({})])
  })

  it('of a closing window are never too late', () => {
    send([event(2, 'window.changed')])
    send([event(1, 'window.closing')])
    expect(news[1]?.closing).toBe(true)
  })
})
