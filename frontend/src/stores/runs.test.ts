import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { Fault } from '../api/fault'
import { readEarlier, readEvents } from '../api/routes'
import type { Envelope, RunList } from '../api/types'
import { call, eventsOf, start, type Step } from '../testing/events'
import { useRuns } from './runs'

vi.mock('../api/routes')

const ended: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 9 }]
const ask = (callId: string): Step => [
  'tool.confirm_request',
  { callId, toolName: 'shell', arguments: {}, preview: { effect: 'command' }, hash: callId, expiresAt: 1 },
]

/** What the program has of each run. */
let stored: Map<string, Envelope[]>

beforeEach(() => {
  setActivePinia(createPinia())
  stored = new Map()
  vi.mocked(readEarlier).mockReset()
  vi.mocked(readEvents)
    .mockReset()
    .mockImplementation((runId, after) => {
      const events = stored.get(runId)
      return events ? Promise.resolve(events.slice(after)) : Promise.reject(new Fault('NOT_FOUND', runId))
    })
})

function store(runId: string, steps: readonly Step[], sessionId?: string): Envelope[] {
  const events = eventsOf(steps, runId, sessionId)
  stored.set(runId, events)
  return events
}

describe('a reload', () => {
  test('builds the runs of the conversation in order', async () => {
    store('run-1', [...start, ended])
    store('run-2', start)
    const runs = useRuns()
    await runs.load(
      'session-1',
      [
        { runId: 'run-1', ended: true },
        { runId: 'run-2', ended: false },
      ],
      false,
    )
    expect(runs.runs.map((run) => [run.runId, run.lastSeq])).toEqual([
      ['run-1', 3],
      ['run-2', 2],
    ])
    expect(runs.current?.runId).toBe('run-2')
    expect(runs.busy).toBe(true)
  })

  test('doubles nothing that came while it ran', async () => {
    const events = store('run-1', [...start, ['assistant.delta', { partId: 'p1', content: 'Hi' }], ended])
    const runs = useRuns()
    runs.receive(events.slice(2, 3))
    await runs.load('session-1', [{ runId: 'run-1', ended: false }], false)
    runs.receive(events.slice(2))
    expect(runs.current?.items).toMatchObject([{ text: 'Hi' }])
    expect(runs.busy).toBe(false)
  })

  test('fetches the end of a run that the page missed', async () => {
    const events = store('run-1', [...start, ended])
    const runs = useRuns()
    runs.receive(events.slice(0, 1))
    await runs.load('session-1', [{ runId: 'run-1', ended: true }], false)
    expect(runs.busy).toBe(false)
  })

  test('fetches nothing of a run that is whole', async () => {
    const events = store('run-1', [...start, ended])
    const runs = useRuns()
    runs.receive(events)
    await runs.load('session-1', [{ runId: 'run-1', ended: true }], false)
    expect(readEvents).not.toHaveBeenCalled()
  })
})

test('a run that was begun elsewhere is shown, and the state has to be read again', () => {
  const runs = useRuns()
  const events = store('run-1', start)
  expect(runs.receive(events.slice(0, 1))).toBe(true)
  expect(runs.receive(events.slice(1))).toBe(false)
  expect(runs.current?.prompt).toBe('Fix the parser')
})

test('a run begun elsewhere keeps its place when the state does not know it yet', async () => {
  const runs = useRuns()
  store('run-1', [...start, ended])
  runs.receive(store('run-2', start))
  await runs.load('session-1', [{ runId: 'run-1', ended: true }], false)
  expect(runs.runs.map((run) => run.runId)).toEqual(['run-1', 'run-2'])
})

test('a new conversation has none of the old runs', async () => {
  const runs = useRuns()
  const events = store('run-1', [...start, ended])
  runs.receive(events)
  stored.clear()
  await runs.load('', [], false)
  expect(runs.runs).toEqual([])
  runs.receive(events.slice(2))
  await vi.waitFor(() => expect(runs.runs).toEqual([]))
})

test('news of the window are no run', () => {
  const runs = useRuns()
  expect(runs.receive(eventsOf([['window.changed', {}]], ''))).toBe(false)
  expect(runs.runs).toEqual([])
})

test('HITL-06: questions wait in the order they were asked', () => {
  const runs = useRuns()
  const steps = [...start, call('c1', 'shell', {}), call('c2', 'shell', {}), ask('c2'), ask('c1')]
  runs.receive(store('run-1', steps))
  expect(runs.questions.map((question) => question.callId)).toEqual(['c2', 'c1'])
  runs.receive(
    eventsOf([
      ...steps,
      ['tool.confirm_result', { callId: 'c2', decision: 'reject', arguments: {}, by: 'user' }],
    ]).slice(-1),
  )
  expect(runs.questions.map((question) => question.callId)).toEqual(['c1'])
})

describe('ST-03: another conversation', () => {
  const ids = () => useRuns().runs.map((run) => run.runId)
  const at = (runId: string) => ({ runId, ended: false })

  test('is shown in place of the one before, whose runs change nothing any more', async () => {
    const runs = useRuns()
    const first = store('a1', [...start, ended], 'a')
    await runs.load('a', [at('a1')], false)
    const before = runs.current
    store('b1', start)
    await runs.load('b', [at('b1')], false)
    expect([runs.shown, ids()]).toEqual(['b', ['b1']])
    expect(runs.receive(first.slice(2))).toBe(true)
    expect(ids()).toEqual(['b1'])
    expect(before?.end?.reason).toBe('completed')
  })

  test('that is not shown has its events read once the state says that it is', async () => {
    const runs = useRuns()
    await runs.load('', [], false)
    const events = store('a1', [...start, ...texts('Hi')], 'a')
    expect(runs.receive(events)).toBe(true)
    expect(ids()).toEqual([])
    await runs.load('a', [at('a1')], false)
    expect(runs.current?.items).toMatchObject([{ text: 'Hi' }])
    expect(runs.receive(eventsOf([...start, ...texts('Hi', ' you')], 'a1', 'a').slice(3))).toBe(false)
    expect(runs.current?.items).toMatchObject([{ text: 'Hi you' }])
  })

  test('and back again, quickly, ends with what is there, once', async () => {
    const runs = useRuns()
    const answers: (() => void)[] = []
    store('a1', [...start, ...texts('Hi')])
    store('b1', start)
    vi.mocked(readEvents).mockImplementation(
      (runId, after) =>
        new Promise((resolve) => answers.push(() => resolve((stored.get(runId) ?? []).slice(after)))),
    )
    const loads = [
      runs.load('a', [at('a1')], false),
      runs.load('b', [at('b1')], false),
      runs.load('a', [at('a1')], false),
    ]
    for (const answer of answers.toReversed()) answer()
    await Promise.all(loads)
    expect([runs.shown, ids()]).toEqual(['a', ['a1']])
    expect(runs.current?.items).toMatchObject([{ text: 'Hi' }])
  })
})

describe('UI-05: earlier runs', () => {
  const named = (...ids: string[]) => ids.map((runId) => ({ runId, ended: true }))
  const ids = () => useRuns().runs.map((run) => run.runId)

  beforeEach(async () => {
    for (const id of ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']) store(id, [...start, ended])
    await useRuns().load('session-1', named('r4', 'r5'), true)
    vi.mocked(readEarlier).mockResolvedValueOnce({ runs: named('r2', 'r3'), earlier: true })
  })

  test('come before the others, whole, as long as there are some', async () => {
    const runs = useRuns()
    await runs.loadEarlier()
    expect([ids(), runs.earlier]).toEqual([['r2', 'r3', 'r4', 'r5'], true])
    expect(runs.runs.every((run) => run.end !== null)).toBe(true)
    vi.mocked(readEarlier).mockResolvedValueOnce({ runs: named('r1'), earlier: false })
    await runs.loadEarlier()
    expect([ids(), runs.earlier]).toEqual([['r1', 'r2', 'r3', 'r4', 'r5'], false])
    await runs.loadEarlier()
    expect(vi.mocked(readEarlier).mock.calls).toEqual([
      ['session-1', 'r4', ''],
      ['session-1', 'r2', ''],
    ])
  })

  test('stay when the state is read again and goes on', async () => {
    const runs = useRuns()
    await runs.loadEarlier()
    vi.mocked(readEvents).mockClear()
    await runs.load('session-1', named('r5', 'r6'), true)
    expect(ids()).toEqual(['r2', 'r3', 'r4', 'r5', 'r6'])
    expect(vi.mocked(readEvents).mock.calls).toEqual([['r6', 0]])
    vi.mocked(readEarlier).mockResolvedValueOnce({ runs: named('r1'), earlier: false })
    await runs.loadEarlier()
    await runs.load('session-1', named('r5', 'r6'), true)
    expect(runs.earlier).toBe(false)
  })

  test('go where others are missing in between', async () => {
    const runs = useRuns()
    await runs.loadEarlier()
    store('r9', [...start, ended])
    await runs.load('session-1', named('r9'), true)
    expect([ids(), runs.earlier]).toEqual([['r9'], true])
  })

  test('are asked for once', async () => {
    const runs = useRuns()
    await Promise.all([runs.loadEarlier(), runs.loadEarlier()])
    expect(readEarlier).toHaveBeenCalledOnce()
    expect(ids()).toEqual(['r2', 'r3', 'r4', 'r5'])
  })

  test('of a conversation that is shown no more go nowhere', async () => {
    const runs = useRuns()
    let answer: (list: RunList) => void = () => {}
    vi.mocked(readEarlier).mockReset()
    vi.mocked(readEarlier).mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    const reading = runs.loadEarlier()
    store('b1', [...start, ended])
    await runs.load('session-2', named('b1'), true)
    answer({ runs: named('r2', 'r3'), earlier: false })
    await reading
    expect([ids(), runs.earlier, runs.fetching]).toEqual([['b1'], true, ''])
  })

  test('that cannot be read can be asked for again', async () => {
    const runs = useRuns()
    vi.mocked(readEarlier).mockReset()
    vi.mocked(readEarlier).mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await expect(runs.loadEarlier()).rejects.toMatchObject({ code: 'UNREACHABLE' })
    vi.mocked(readEarlier).mockResolvedValueOnce({ runs: named('r3'), earlier: true })
    await runs.loadEarlier()
    expect(ids()).toEqual(['r3', 'r4', 'r5'])
  })
})

function texts(...contents: string[]): Step[] {
  return contents.map((content) => ['assistant.delta', { partId: 'p1', content }])
}

test('DOOM-02: a guard asks as long as its run is active', () => {
  const runs = useRuns()
  const steps: Step[] = [
    ...start,
    ['guard.request', { guardId: 'g1', kind: 'budget', detail: 'all used', expiresAt: 1 }],
  ]
  runs.receive(store('run-1', steps))
  expect(runs.guard).toMatchObject({ runId: 'run-1', guardId: 'g1' })
  runs.receive(eventsOf([...steps, ended]).slice(-1))
  expect(runs.guard).toBeNull()
})
