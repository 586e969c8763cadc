// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Fault } from '../api/fault'
import type { Envelope } from '../api/types'
import { eventsOf, scenarios, start, type Step, viewOf } from '../testing/events'
import { createFeed, retryTime, type Fetch } from './feed'
import { createRun } from './view'

/** A program with all events of a run, which counts what is asked of it. */
function program(events: readonly Envelope[]) {
  const fetch = vi.fn<Fetch>((_: string, after: number) => Promise.resolve(events.slice(after)))
  const gone = vi.fn<() => void>()
  const feed = createFeed(createRun('run-1', 'session-1'), fetch, gone)
  return { feed, fetch, gone }
}

/** A repeatable sequence of numbers in [0, 1) (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const ended: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 9 }]
const settle = () => vi.advanceTimersByTimeAsync(retryTime * 3)

describe('EV-06: however they come, the view is that of the whole run', () => {
  test.each(scenarios)('%s', async (_, events) => {
    const want = viewOf(events)
    for (let seed = 1; seed <= 5; seed++) {
      const next = random(seed)
      const { feed } = program(events)
      const lossy = events.filter((_event, i) => i === events.length - 1 || next() > 0.2)
      const doubled = lossy.flatMap((e) => (next() < 0.2 ? [e, e] : [e]))
      // Neighbours change places, as in the development build.
      for (let i = 1; i < doubled.length; i++) {
        if (next() < 0.3) doubled.splice(i - 1, 2, doubled[i] as Envelope, doubled[i - 1] as Envelope)
      }
      for (const e of doubled) {
        feed.take([e])
        if (next() < 0.5) await Promise.resolve()
      }
      await settle()
      expect(feed.run).toEqual(want)
    }
  })
})

test.each<Step>([
  ['assistant.final', { partId: 'p1', content: 'the whole text' }],
  ['prompt.joined', { promptId: 'q1', text: 'the whole text', target: 'step' }],
])('EV-06 %s that was cut is read whole', async (...step) => {
  const events = eventsOf([...start, step as unknown as Step])
  const { feed, fetch } = program(events)
  const cut = { ...events[2], data: { ...events[2]?.data, content: 'the', text: 'the' }, ref: '/whole' }
  feed.take([...events.slice(0, 2), cut as Envelope])
  await settle()
  expect(fetch.mock.calls).toEqual([['run-1', 2]])
  expect(feed.run.items).toMatchObject([{ text: 'the whole text' }])
})

test('events in order need no fetch', async () => {
  const events = eventsOf(start)
  const { feed, fetch } = program(events)
  feed.take(events)
  await settle()
  expect(fetch).not.toHaveBeenCalled()
  expect(feed.run.lastSeq).toBe(2)
})

test('a gap is fetched once, and what comes meanwhile waits', async () => {
  const [text, ...events] = [...eventsOf([...start, ...texts('a', 'b', 'c', 'd')])]
  const { feed, fetch } = program([text as Envelope, ...events])
  feed.take([text as Envelope])
  feed.take(events.slice(2, 3))
  feed.take(events.slice(3, 4))
  feed.take(events.slice(4))
  expect(feed.run.lastSeq).toBe(1)
  await settle()
  expect(fetch.mock.calls).toEqual([['run-1', 1]])
  expect(feed.run.items).toMatchObject([{ text: 'abcd' }])
})

test('what comes while it is fetched, and is not in the answer, is not lost', async () => {
  const events = eventsOf([...start, ...texts('a', 'b', 'c', 'd')])
  const { feed, fetch } = program(events)
  fetch.mockImplementationOnce((_, after) => Promise.resolve(events.slice(after, 4)))
  feed.take(events.slice(2, 3))
  feed.take(events.slice(5))
  feed.take(events.slice(4, 5))
  await settle()
  expect(feed.run.items).toMatchObject([{ text: 'abcd' }])
  expect(fetch).toHaveBeenCalledTimes(1)
})

describe('what was read is all there is, whatever seqs it leaves out', () => {
  const events = eventsOf([...start, ...texts('a', 'b', 'c', 'd'), ended])
  const delta = events[5] as Envelope
  /** Deltas that follow each other are one, with the seq of the last. */
  const joinedFrom = (after: number) => [
    ...events.slice(after, 2),
    { ...delta, data: { partId: 'p1', content: 'abcd'.slice(Math.max(0, after - 2)) } } as Envelope,
    ...events.slice(6),
  ]

  test('ST-03: a run that has ended is whole at once', async () => {
    const { feed, fetch } = program(events)
    fetch.mockImplementation((_, after) => Promise.resolve(joinedFrom(after)))
    await feed.catchUp()
    await settle()
    expect(fetch).toHaveBeenCalledOnce()
    expect(feed.run).toMatchObject({ items: [{ text: 'abcd' }], lastSeq: 7, end: { reason: 'completed' } })
  })

  test('what comes while it is read counts for nothing twice', async () => {
    const { feed, fetch } = program(events)
    feed.take(events.slice(0, 3))
    let answer: (read: Envelope[]) => void = () => {}
    fetch.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    void feed.catchUp()
    feed.take(events.slice(3, 5))
    answer(joinedFrom(3))
    await settle()
    expect(feed.run).toMatchObject({ items: [{ text: 'abcd' }], end: { reason: 'completed' } })
  })

  test('what is pushed has gaps where something is missing', async () => {
    const { feed, fetch } = program(events)
    feed.take(events.slice(0, 3))
    feed.take(events.slice(5))
    await settle()
    expect(fetch.mock.calls).toEqual([['run-1', 3]])
    expect(feed.run.items).toMatchObject([{ text: 'abcd' }])
  })
})

test('a delta that was cut is fetched, a result that was cut is taken', async () => {
  const whole = eventsOf([...start, ...texts('the whole text')])
  const cut = eventsOf([
    ...start,
    ['assistant.delta', { partId: 'p1', content: 'the' }, { ref: '/fairlead/runs/run-1/events/3' }],
  ])
  const { feed, fetch } = program(whole)
  feed.take(cut)
  await settle()
  expect(fetch).toHaveBeenCalledTimes(1)
  expect(feed.run.items).toMatchObject([{ text: 'the whole text' }])

  const result = eventsOf([...start, ['guard.warning', { kind: 'max_steps', detail: 'x' }, { ref: '/y' }]])
  const other = program(result)
  other.feed.take(result)
  await settle()
  expect(other.fetch).not.toHaveBeenCalled()
})

test('a failed fetch is tried again', async () => {
  const events = eventsOf([...start, ...texts('a')])
  const { feed, fetch } = program(events)
  fetch.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
  feed.take(events.slice(2))
  await vi.advanceTimersByTimeAsync(retryTime - 1)
  expect(feed.run.lastSeq).toBe(0)
  await settle()
  expect(feed.run.lastSeq).toBe(3)
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('catching up with nothing new ends', async () => {
  const events = eventsOf(start)
  const { feed, fetch } = program(events)
  feed.take(events)
  await feed.catchUp()
  await settle()
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a run that the program does not know is given up', async () => {
  const { feed, fetch, gone } = program([])
  fetch.mockRejectedValue(new Fault('NOT_FOUND', 'there is no run'))
  feed.take(eventsOf([...start, ...texts('a')]).slice(2))
  await settle()
  expect(gone).toHaveBeenCalledTimes(1)
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('after it is closed nothing changes', async () => {
  const events = eventsOf([...start, ...texts('a')])
  const { feed, gone } = program(events)
  feed.take(events.slice(2))
  feed.close()
  feed.take(events)
  await settle()
  expect(feed.run.lastSeq).toBe(0)
  expect(gone).not.toHaveBeenCalled()
})

function texts(...contents: string[]) {
  return contents.map((content) => ['assistant.delta', { partId: 'p1', content }] as const)
}
