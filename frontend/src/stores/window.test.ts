import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { News } from '../api/events'
import { Fault } from '../api/fault'
import type { Envelope, State } from '../api/types'
import { newsOf } from '../testing/news'
import { folder, model, readEvents, readState, stateWith } from '../testing/routes'
import { useRuns } from './runs'
import { useWindow } from './window'

let send: (events: Envelope[]) => void
let tell: (news: News) => void
const order: string[] = []

vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({
  onEvents: (listener: typeof send) => {
    order.push('events')
    send = listener
  },
  onNews: (listener: typeof tell) => {
    tell = listener
  },
}))

beforeEach(() => {
  vi.useFakeTimers()
  setActivePinia(createPinia())
  order.length = 0
  readEvents.mockReset().mockResolvedValue([])
  readState.mockReset().mockImplementation(async () => {
    order.push('state')
    return stateWith()
  })
})
afterEach(() => vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)
const start = (runId: string): Envelope => ({
  seq: 1,
  runId,
  sessionId: 's1',
  ts: 1,
  type: 'lifecycle.start',
  data: { prompt: 'hello', model: 'm', maxSteps: 50 },
})

describe('the window', () => {
  it('listens before it reads, then shows the runs there are', async () => {
    readState.mockImplementation(async () => {
      order.push('state')
      return stateWith({ sessionId: 's1', runs: [{ runId: 'r1', ended: false }] })
    })
    readEvents.mockResolvedValue([start('r1')])
    await useWindow().connect()
    await settle()
    expect(order).toEqual(['events', 'state'])
    expect(useRuns().current?.prompt).toBe('hello')
  })

  it('reads again when it is told to, or sees a run it does not know', async () => {
    const app = useWindow()
    await app.connect()
    tell(newsOf({ window: true }))
    await settle()
    expect(readState).toHaveBeenCalledTimes(2)
    readState.mockResolvedValue(stateWith({ sessionId: 's1', runs: [{ runId: 'r9', ended: false }] }))
    send([start('r9')])
    await settle()
    expect(readState).toHaveBeenCalledTimes(3)
    tell(newsOf({}))
    send([start('r9')])
    await settle()
    expect(readState).toHaveBeenCalledTimes(3)
  })

  it('joins what is asked for meanwhile, and is up to date in the end', async () => {
    const app = useWindow()
    let answer: (state: State) => void = () => {}
    readState.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    const first = app.refresh()
    void app.refresh()
    void app.refresh()
    readState.mockResolvedValueOnce(stateWith({ version: 'new' }))
    answer(stateWith({ version: 'old' }))
    await first
    expect(readState).toHaveBeenCalledTimes(2)
    expect(app.state?.version).toBe('new')
  })

  it('tries again until the program answers', async () => {
    const app = useWindow()
    readState.mockRejectedValueOnce(new Fault('UNREACHABLE', 'not yet'))
    await app.connect()
    expect(app.fault?.code).toBe('UNREACHABLE')
    await vi.advanceTimersByTimeAsync(500)
    expect(app.fault).toBeNull()
    expect(app.state).not.toBeNull()
  })

  it('tries again once at a time, however often it was asked to meanwhile', async () => {
    const app = useWindow()
    readState.mockRejectedValue(new Fault('UNREACHABLE', 'not yet'))
    for (let i = 0; i < 5; i++) await app.refresh()
    readState.mockClear()
    await vi.advanceTimersByTimeAsync(500)
    expect(readState).toHaveBeenCalledTimes(1)
  })

  it('remembers that it was to be closed', async () => {
    const app = useWindow()
    await app.connect()
    expect(app.closing).toBe(false)
    tell(newsOf({ closing: true }))
    expect(app.closing).toBe(true)
  })
})

describe('UI-06 the first run', () => {
  async function shown(...states: Partial<State>[]): Promise<boolean> {
    const app = useWindow()
    for (const state of states) {
      readState.mockResolvedValueOnce(stateWith(state))
      await app.refresh()
    }
    return app.welcome
  }

  it('is shown while folder or model are missing', async () => {
    expect(await shown({ workspace: folder })).toBe(true)
  })

  it('stays when both are chosen there, until it is left', async () => {
    expect(await shown({}, { workspace: folder, model })).toBe(true)
    useWindow().begin()
    expect(useWindow().welcome).toBe(false)
  })

  it.each<[string, Partial<State>]>([
    ['both were chosen before', { workspace: folder, model }],
    ['the tour is on', { tour: true }],
    ['there is a run', { runs: [{ runId: 'r1', ended: true }] }],
  ])('is not shown when %s', async (_, state) => {
    expect(await shown(state)).toBe(false)
  })

  it('does not come back when the folder is gone', async () => {
    expect(await shown({ workspace: folder, model }, {})).toBe(false)
  })
})
