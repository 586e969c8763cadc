import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { News } from '../api/events'
import { Fault } from '../api/fault'
import type { SessionList } from '../api/types'
import * as bridge from '../testing/bridge'
import { newsOf } from '../testing/news'
import { readSessions, readState, stateWith } from '../testing/routes'
import { entry, noon } from '../testing/sessions'
import { undoTime, useSessions } from './sessions'
import { useWindow } from './window'

let tell: (news: News) => void

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({
  onEvents: () => {},
  onNews: (listener: typeof tell) => {
    tell = listener
  },
}))

/** What the program has. */
let saved: SessionList
/** The conversation that it shows. */
let shown: string

beforeEach(async () => {
  vi.useFakeTimers({ now: noon })
  vi.resetAllMocks()
  setActivePinia(createPinia())
  saved = { sessions: [entry('a'), entry('b'), entry('c')], more: false, archived: 0 }
  shown = 'a'
  readSessions.mockImplementation(async () => saved)
  readState.mockImplementation(async () => stateWith({ sessionId: shown }))
  bridge.showSession.mockImplementation(async (id) => {
    shown = id
  })
  bridge.newConversation.mockImplementation(async () => {
    shown = ''
  })
  bridge.deleteSession.mockImplementation(async (id) => {
    saved = { ...saved, sessions: saved.sessions.filter((each) => each.id !== id) }
    if (shown === id) shown = ''
  })
  bridge.restoreSession.mockImplementation(async (id) => {
    saved = { ...saved, sessions: [entry(id), ...saved.sessions] }
  })
  await useWindow().refresh()
})
afterEach(() => vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)
const ids = () => useSessions().entries?.map(({ id }) => id)
const news = newsOf({ sessions: true })

describe('UI-05 the list', () => {
  it('is read when it is shown, and whenever it may be another one', async () => {
    const sessions = useSessions()
    tell(news)
    expect(readSessions).not.toHaveBeenCalled()
    const unfollow = sessions.follow()
    await settle()
    expect([ids(), readSessions.mock.calls]).toEqual([['a', 'b', 'c'], [[100]]])
    for (const happen of [
      () => tell(news),
      () => tell(newsOf({ processes: true })),
      () => window.dispatchEvent(new Event('focus')),
      () => document.dispatchEvent(new Event('visibilitychange')),
    ]) {
      readSessions.mockClear()
      happen()
      await settle()
      expect(readSessions).toHaveBeenCalledOnce()
    }
    tell({ ...news, sessions: false, window: true })
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValueOnce('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    unfollow()
    tell(news)
    window.dispatchEvent(new Event('focus'))
    await settle()
    expect(readSessions).toHaveBeenCalledOnce()
  })

  it('joins what is asked for meanwhile, and is up to date in the end', async () => {
    const sessions = useSessions()
    let answer: (list: SessionList) => void = () => {}
    readSessions.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    const first = sessions.refresh()
    void sessions.refresh()
    void sessions.refresh()
    answer({ sessions: [entry('old')], more: false, archived: 0 })
    await first
    expect([ids(), readSessions.mock.calls.length]).toEqual([['a', 'b', 'c'], 2])
  })

  it('says why it cannot be read, and keeps what it has', async () => {
    const sessions = useSessions()
    await sessions.refresh()
    readSessions.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await sessions.refresh()
    expect([sessions.fault?.code, ids()]).toEqual(['UNREACHABLE', ['a', 'b', 'c']])
    await sessions.refresh()
    expect(sessions.fault).toBeNull()
  })

  it('goes on as far as it is asked to', async () => {
    saved = { ...saved, more: true }
    const sessions = useSessions()
    await sessions.refresh()
    expect(sessions.more).toBe(true)
    await sessions.showMore()
    await sessions.refresh()
    expect(readSessions.mock.calls).toEqual([[100], [200], [200]])
  })

  it.each([
    ['running', true],
    ['waiting', true],
    ['completed', false],
    ['error', false],
  ])('with one that is %s: something is running is %s', async (mark, working) => {
    saved = { sessions: [entry('a'), entry('b', { mark })], more: false, archived: 0 }
    await useSessions().refresh()
    expect(useSessions().working).toBe(working)
  })
})

describe('ST-03 showing another one', () => {
  it('shows it, or a new one', async () => {
    await useSessions().show('b')
    expect(useWindow().state?.sessionId).toBe('b')
    await useSessions().show('')
    expect(bridge.newConversation).toHaveBeenCalledOnce()
    expect(useWindow().state?.sessionId).toBe('')
  })

  it('shows in the end what was chosen last, one after the other', async () => {
    const sessions = useSessions()
    let arrive: () => void = () => {}
    bridge.showSession.mockImplementationOnce(async (id) => {
      await new Promise<void>((resolve) => (arrive = resolve))
      shown = id
    })
    const all = [sessions.show('b'), sessions.show('c'), sessions.show('a')]
    expect(bridge.showSession.mock.calls).toEqual([['b']])
    arrive()
    await Promise.all(all)
    expect(bridge.showSession.mock.calls).toEqual([['b'], ['a']])
    expect(useWindow().state?.sessionId).toBe('a')
  })

  it('says when the last one cannot be shown, and nothing of those before', async () => {
    const sessions = useSessions()
    bridge.showSession.mockRejectedValueOnce(new Fault('NOT_FOUND', 'it is gone'))
    const [first, second] = [sessions.choose('b'), sessions.choose('c')]
    await Promise.all([first, second])
    expect([sessions.refusal, shown]).toEqual([null, 'c'])
    bridge.showSession.mockRejectedValueOnce(new Fault('BUSY', 'another window works on it'))
    await sessions.choose('b')
    expect(sessions.refusal?.message).toBe('another window works on it')
    await sessions.choose('a')
    expect(sessions.refusal).toBeNull()
  })
})

describe('UI-05 renaming', () => {
  it('shows the new title at once, and what holds in the end', async () => {
    const sessions = useSessions()
    await sessions.refresh()
    bridge.renameSession.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    const done = sessions.rename('b', 'Better')
    expect(sessions.entries?.[1]?.title).toBe('Better')
    await done
    expect(bridge.renameSession.mock.calls).toEqual([['b', 'Better']])
    expect([sessions.entries?.[1]?.title, sessions.refusal?.code]).toEqual(['Title b', 'INTERNAL'])
  })
})

describe('UI-11 archiving', () => {
  beforeEach(() => {
    bridge.archiveSession.mockImplementation(async (id, on) => {
      const sessions = saved.sessions.filter((each) => each.id !== id)
      saved = { ...saved, sessions: on ? sessions : [entry(id), ...sessions], archived: on ? 1 : 0 }
      if (on && shown === id) shown = ''
    })
  })

  it('can be undone for 8 s, and the one that was shown is shown again', async () => {
    const sessions = useSessions()
    await sessions.refresh()
    await sessions.moveToArchive(entry('a'))
    expect([ids(), sessions.archived, sessions.removed?.way]).toEqual([['b', 'c'], 1, 'archived'])
    await sessions.undo()
    expect([ids(), sessions.archived, useWindow().state?.sessionId]).toEqual([['a', 'b', 'c'], 0, 'a'])
    expect(bridge.restoreSession).not.toHaveBeenCalled()
  })

  it('lists what is there only while that is wanted', async () => {
    const sessions = useSessions()
    await sessions.moveToArchive(entry('a'))
    expect([sessions.archive, readSessions.mock.calls]).toEqual([null, [[100]]])
    await sessions.toggleArchive()
    expect(readSessions).toHaveBeenLastCalledWith(100, true)
    expect(sessions.archive).toEqual(saved.sessions)
    await sessions.toggleArchive()
    expect(sessions.archive).toBeNull()
  })

  it('refuses what is running', async () => {
    const sessions = useSessions()
    await sessions.refresh()
    bridge.archiveSession.mockRejectedValueOnce(new Fault('BUSY', 'it is running'))
    await sessions.moveToArchive(entry('b'))
    expect([sessions.refusal?.code, sessions.removed, ids()]).toEqual(['BUSY', null, ['a', 'b', 'c']])
  })
})

describe('UI-05 deleting', () => {
  it('can be undone for 8 s', async () => {
    const sessions = useSessions()
    await sessions.refresh()
    await sessions.remove(entry('b'))
    expect([ids(), sessions.removed?.title]).toEqual([['a', 'c'], 'Title b'])
    await vi.advanceTimersByTimeAsync(undoTime - 1)
    await sessions.undo()
    expect([ids(), sessions.removed]).toEqual([['b', 'a', 'c'], null])
    expect(bridge.restoreSession.mock.calls).toEqual([['b']])
  })

  it('can be undone no longer than that', async () => {
    const sessions = useSessions()
    await sessions.remove(entry('b'))
    await vi.advanceTimersByTimeAsync(undoTime)
    expect(sessions.removed).toBeNull()
    await sessions.undo()
    expect(bridge.restoreSession).not.toHaveBeenCalled()
  })

  it('offers the last one, for as long as that one can come back', async () => {
    const sessions = useSessions()
    await sessions.remove(entry('b'))
    await vi.advanceTimersByTimeAsync(undoTime - 1)
    await sessions.remove(entry('c'))
    await vi.advanceTimersByTimeAsync(undoTime - 1)
    expect(sessions.removed?.id).toBe('c')
  })

  it('of the one that is shown, undone, shows it again, unless another one is shown by then', async () => {
    const sessions = useSessions()
    await sessions.remove(entry('a'))
    expect(useWindow().state?.sessionId).toBe('')
    await sessions.undo()
    expect(useWindow().state?.sessionId).toBe('a')
    await sessions.remove(entry('a'))
    await sessions.show('b')
    await sessions.undo()
    expect(useWindow().state?.sessionId).toBe('b')
  })

  it('is asked for once, and a refusal is said', async () => {
    const sessions = useSessions()
    bridge.deleteSession.mockRejectedValueOnce(new Fault('BUSY', 'it is running'))
    await Promise.all([sessions.remove(entry('b')), sessions.remove(entry('b'))])
    expect(bridge.deleteSession).toHaveBeenCalledOnce()
    expect([sessions.refusal?.code, sessions.removed, ids()]).toEqual(['BUSY', null, ['a', 'b', 'c']])
    await sessions.remove(entry('b'))
    expect(sessions.removed?.id).toBe('b')
  })
})
