import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import * as bridge from '../../testing/bridge'
import { button, field, open, page, press, typed, work } from '../../testing/composer'
import { call, eventsOf, start, type Step } from '../../testing/events'
import { ask, runs } from '../../testing/questions'
import { readState } from '../../testing/routes'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

beforeEach(open)
afterEach(() => {
  page.unmount()
})

describe('UI-03 stopping', () => {
  it('Stop takes the place of Send, and the text stays', async () => {
    await typed('next')
    await work()
    expect(button('Send')).toBeUndefined()
    await button('Stop')?.trigger('click')
    expect(bridge.cancel.mock.calls).toEqual([['run-1']])
    expect(button('Stopping…')).toBeDefined()
    expect(useComposer().text).toBe('next')
  })

  it('a run that has ended meanwhile is no fault', async () => {
    bridge.cancel.mockRejectedValue(new Fault('NOT_FOUND', 'there is no run'))
    await work()
    await button('Stop')?.trigger('click')
    await flushPromises()
    expect(page.find('[role=alert]').exists()).toBe(false)
    expect(button('Stop')).toBeDefined()
  })

  it('a stop that failed says so and can be tried again', async () => {
    bridge.cancel.mockRejectedValueOnce(new Fault('NO_ANSWER', 'Cancel got no answer in 60 s'))
    await work()
    await button('Stop')?.trigger('click')
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('The program took too long to answer.')
    expect(button('Stop')).toBeDefined()
    await typed('next')
    bridge.cancel.mockRejectedValueOnce(new Fault('NO_ANSWER', 'Cancel got no answer in 60 s'))
    await button('Stop')?.trigger('click')
    await flushPromises()
    await button('Try again')?.trigger('click')
    expect(bridge.cancel).toHaveBeenCalledTimes(3)
    expect(bridge.queue).not.toHaveBeenCalled()
  })
})

describe('INT-01 stopping after the step', () => {
  it('is asked for once, and the focus goes to the field', async () => {
    await work()
    field().element.blur()
    await button('Stop after this step')?.trigger('click')
    await flushPromises()
    expect(bridge.interrupt.mock.calls).toEqual([['run-1']])
    expect(bridge.cancel).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(field().element)
    useRuns().receive(eventsOf([...start, ['run.interrupt', { message: '' }]]).slice(-1))
    await nextTick()
    expect(button('Stop after this step')).toBeUndefined()
    expect(page.text()).toContain('Stopping after this step…')
    expect(button('Stop')).toBeDefined()
  })

  it('that failed is tried again', async () => {
    bridge.interrupt.mockRejectedValueOnce(new Fault('NO_ANSWER', 'late'))
    await work()
    await button('Stop after this step')?.trigger('click')
    await flushPromises()
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(bridge.interrupt).toHaveBeenCalledTimes(2)
    expect(page.find('[role=alert]').exists()).toBe(false)
  })

  it('of a task that has ended meanwhile is no fault', async () => {
    bridge.interrupt.mockRejectedValueOnce(new Fault('NOT_FOUND', 'it is over'))
    await work()
    await button('Stop after this step')?.trigger('click')
    await flushPromises()
    expect(page.find('[role=alert]').exists()).toBe(false)
  })
})

describe('STEER-01 while a task is running', () => {
  beforeEach(async () => {
    await work()
    await typed('Use tabs.')
  })

  it('Enter queues what is written, and says so', async () => {
    expect(field().attributes('placeholder')).toBe('Message… (queued until this step ends)')
    readState.mockClear()
    expect(press('Enter')).toBe(false)
    press('Enter')
    await flushPromises()
    expect(bridge.queue.mock.calls).toEqual([['session-1', 'Use tabs.', 'step', []]])
    expect([bridge.run.mock.calls, bridge.sendNow.mock.calls]).toEqual([[], []])
    expect(useComposer().text).toBe('')
    expect(vi.mocked(announce).mock.calls).toEqual([['Queued.']])
    expect(readState).toHaveBeenCalled()
  })

  it('there is a button for it, where there is something to queue', async () => {
    expect(button('Stop')).toBeDefined()
    await button('Queue')?.trigger('submit')
    await flushPromises()
    expect(bridge.queue).toHaveBeenCalledOnce()
    expect(button('Queue')).toBeUndefined()
  })

  it('UI-07 the Enter of an input method queues nothing', () => {
    press('Enter', { isComposing: true })
    press('Enter', { keyCode: 229 })
    expect(bridge.queue).not.toHaveBeenCalled()
  })

  it('Mod+Enter sends it now', async () => {
    press('Enter', { ctrlKey: true })
    await flushPromises()
    expect(bridge.queue.mock.calls).toEqual([['session-1', 'Use tabs.', 'step', []]])
    expect(bridge.sendNow.mock.calls).toEqual([['session-1', 'q1']])
  })

  it.each<[string, Step]>([
    ['a question', ask(runs('c1', 'ls'))],
    ['a guard', ['guard.request', { guardId: 'g1', kind: 'budget', detail: '', expiresAt: 1 }]],
  ])('HITL-10 Mod+Enter queues it while %s waits, which the same key answers', async (_, asked) => {
    useRuns().receive(eventsOf([...start, call('c1', 'shell', {}), asked]).slice(2))
    await nextTick()
    press('Enter', { ctrlKey: true })
    await flushPromises()
    expect(bridge.queue).toHaveBeenCalledOnce()
    expect(bridge.sendNow).not.toHaveBeenCalled()
  })

  it('a task that has ended by then leaves nothing to hurry', async () => {
    bridge.queue.mockResolvedValue({ promptId: 'q1', runId: 'run-2' })
    press('Enter', { ctrlKey: true })
    await flushPromises()
    expect(bridge.sendNow).not.toHaveBeenCalled()
    expect(announce).not.toHaveBeenCalled()
    expect(useComposer().text).toBe('')
  })

  it('what cannot be queued stays, and Try again queues it', async () => {
    bridge.queue.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    press('Enter')
    await flushPromises()
    expect(useComposer().text).toBe('Use tabs.')
    expect(page.get('[role=alert]').text()).toContain('disk full')
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(bridge.queue).toHaveBeenCalledTimes(2)
    expect(useComposer().text).toBe('')
  })

  it('what waits already is not queued again when it could not be hurried', async () => {
    bridge.sendNow.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    press('Enter', { ctrlKey: true })
    await flushPromises()
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(bridge.queue).toHaveBeenCalledOnce()
    expect(bridge.sendNow.mock.calls).toEqual([
      ['session-1', 'q1'],
      ['session-1', 'q1'],
    ])
    expect(page.find('[role=alert]').exists()).toBe(false)
  })
})
