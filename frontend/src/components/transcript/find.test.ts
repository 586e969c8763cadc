import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Passage } from '../../api/types'
import { useFind } from '../../stores/find'
import { useRuns } from '../../stores/runs'
import { call, start, succeeded, type Step } from '../../testing/events'
import { findText, readEarlier } from '../../testing/routes'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('IntersectionObserver', NoObserver)

let transcript: TranscriptPage

const place = (given: Partial<Passage>): Passage => ({
  sessionId: 'session-1',
  runId: 'run-1',
  partId: '',
  callId: '',
  toolName: '',
  role: 'assistant',
  at: 0,
  before: '',
  match: 'parser',
  after: '',
  ...given,
})
const text = (partId: string, content: string): Step => ['assistant.delta', { partId, content }]
const step = (n: number): Step => ['step.started', { step: n, maxSteps: 50 }]
const end: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 9 }]

beforeEach(async () => {
  transcript = await TranscriptPage.open()
  findText.mockReset()
  await transcript.add(...start, call('a', 'shell', { command: 'go test ./parser' }), succeeded('a', ''))
  await transcript.add(step(2), call('b', 'read_file', { path: 'parser.go' }), succeeded('b', ''))
  await transcript.add(step(3), call('c', 'read_file', { path: 'lexer.go' }), succeeded('c', ''))
  await transcript.add(step(4), text('p1', 'The parser is **par**ser.'), end)
})
afterEach(() => {
  transcript.close()
})

const here = () => transcript.page.element.querySelector('[data-here]') as HTMLElement | null
const bar = () => transcript.page.get('[role=search]')
const field = () => bar().get<HTMLInputElement>('input')
const found = (...passages: Passage[]) =>
  findText.mockResolvedValue({ titles: [], sessions: [], passages, more: false })

async function type(words: string): Promise<void> {
  await field().setValue(words)
  await flushPromises()
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  field().element.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
  )
  await flushPromises()
}

describe('FIND-01 finding in the conversation', () => {
  beforeEach(async () => {
    useFind().show()
    await flushPromises()
  })

  it('shows the newest place, then the older ones, and the newest again', async () => {
    found(place({ partId: 'p1' }), place({ callId: 'a', partId: 'x' }), place({ partId: 'u', role: 'user' }))
    expect(document.activeElement).toBe(field().element)
    await type('parser')
    expect(findText).toHaveBeenLastCalledWith('parser', 'session-1')
    expect(bar().get('[role=status]').text()).toBe('1 of 3')
    expect(here()?.dataset.part).toBe('p1')
    await press('Enter')
    expect(here()?.dataset.call).toBe('a')
    await press('Enter')
    expect(here()?.matches('[data-said]')).toBe(true)
    expect(bar().get('[role=status]').text()).toBe('3 of 3')
    await press('Enter')
    expect(here()?.dataset.part).toBe('p1')
    await press('Enter', { shiftKey: true })
    expect(here()?.matches('[data-said]')).toBe(true)
  })

  it('unfolds what the place is in', async () => {
    expect(transcript.page.find('[data-call=b]').exists()).toBe(false)
    found(place({ callId: 'b', partId: 'x' }))
    await type('parser.go')
    expect(here()?.dataset.call).toBe('b')
  })

  it('says that there is nothing, and asks for nothing with one character', async () => {
    found()
    await type('p')
    expect(findText).not.toHaveBeenCalled()
    expect(bar().get('[role=status]').text()).toBe('')
    await type('pq')
    expect(bar().get('[role=status]').text()).toBe('Not found')
  })

  it('brings the runs up to the place', async () => {
    useRuns().earlier = true
    readEarlier.mockResolvedValue({ runs: [], earlier: false })
    found(place({ runId: 'run-0', partId: 'p0' }))
    await type('parser')
    expect(readEarlier).toHaveBeenCalledWith('session-1', 'run-1', 'run-0')
  })

  it('is closed with Esc, with nothing marked', async () => {
    found(place({ partId: 'p1' }))
    await type('parser')
    await press('Escape')
    expect(transcript.page.find('[role=search]').exists()).toBe(false)
    expect(here()).toBe(null)
    expect(useFind().text).toBe('')
  })

  it('leaves the end to be followed no more', async () => {
    transcript.resize({ box: 400, content: 2000 })
    expect(transcript.page.find('.pill').exists()).toBe(false)
    found(place({ role: 'user', partId: 'u' }))
    await type('parser')
    expect(transcript.page.find('.pill').exists()).toBe(true)
  })
})
