import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { Fault } from '../api/fault'
import { readEvents } from '../api/routes'
import type { Envelope } from '../api/types'
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
  vi.mocked(readEvents)
    .mockReset()
    .mockImplementation((runId, after) => {
      const events = stored.get(runId)
      return events ? Promise.resolve(events.slice(after)) : Promise.reject(new Fault('NOT_FOUND', runId))
    })
})

function store(runId: string, steps: readonly Step[]): Envelope[] {
  const events = eventsOf(steps, runId)
  stored.set(runId, events)
  return events
}

describe('a reload', () => {
  test('builds the runs of the conversation in order', async () => {
    store('run-1', [...start, ended])
    store('run-2', start)
    const runs = useRuns()
    await runs.load('session-1', [
      { runId: 'run-1', ended: true },
      { runId: 'run-2', ended: false },
    ])
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
    await runs.load('session-1', [{ runId: 'run-1', ended: false }])
    runs.receive(events.slice(2))
    expect(runs.current?.items).toMatchObject([{ text: 'Hi' }])
    expect(runs.busy).toBe(false)
  })

  test('fetches the end of a run that the page missed', async () => {
    const events = store('run-1', [...start, ended])
    const runs = useRuns()
    runs.receive(events.slice(0, 1))
    await runs.load('session-1', [{ runId: 'run-1', ended: true }])
    expect(runs.busy).toBe(false)
  })

  test('fetches nothing of a run that is whole', async () => {
    const events = store('run-1', [...start, ended])
    const runs = useRuns()
    runs.receive(events)
    await runs.load('session-1', [{ runId: 'run-1', ended: true }])
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
  await runs.load('session-1', [{ runId: 'run-1', ended: true }])
  expect(runs.runs.map((run) => run.runId)).toEqual(['run-1', 'run-2'])
})

test('a new conversation has none of the old runs', async () => {
  const runs = useRuns()
  const events = store('run-1', [...start, ended])
  runs.receive(events)
  stored.clear()
  await runs.load('', [])
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
