import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { State } from '../../api/types'
import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import { useSessions } from '../../stores/sessions'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { call, eventsOf, start, type Step } from '../../testing/events'
import { ask, runs } from '../../testing/questions'
import { readEvents, readState, stateWith } from '../../testing/routes'
import { announce } from '../base/announce'
import Composer from './Composer.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

let page: VueWrapper

beforeEach(async () => {
  setActivePinia(createPinia())
  bridge.run.mockReset().mockResolvedValue({ runId: 'run-1', sessionId: 'session-1' })
  bridge.cancel.mockReset().mockResolvedValue({ runId: 'run-1', cancelled: true, message: '' })
  bridge.queue.mockReset().mockResolvedValue({ promptId: 'q1', runId: '' })
  bridge.sendNow.mockReset().mockResolvedValue(null)
  bridge.interrupt.mockReset().mockResolvedValue(null)
  vi.mocked(announce).mockReset()
  bridge.detect.mockResolvedValue([])
  bridge.providers.mockResolvedValue([])
  readState.mockReset().mockResolvedValue(stateWith({ sessionId: 'session-1' }))
  readEvents.mockReset().mockResolvedValue([])
  await useWindow().refresh()
  page = mount(Composer, { attachTo: document.body })
})
afterEach(() => {
  page.unmount()
})

const field = () => page.get('textarea')
const button = (name: string) =>
  page.findAll('button').find((each) => (each.attributes('aria-label') ?? each.text()) === name)
const typed = (text: string) => field().setValue(text)

/** Presses a key in the field; reports whether the field keeps what the key does by itself. */
function press(key: string, more: KeyboardEventInit & { keyCode?: number } = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  if (more.keyCode !== undefined) Object.defineProperty(event, 'keyCode', { value: more.keyCode })
  return field().element.dispatchEvent(event)
}

/** A run is active. */
async function work(): Promise<void> {
  useRuns().receive(eventsOf(start))
  await nextTick()
}

describe('sending', () => {
  it('Enter sends and empties the field', async () => {
    await typed('Fix the parser')
    expect(press('Enter')).toBe(false)
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['Fix the parser', 'session-1']])
    expect(useComposer().text).toBe('')
    expect(readState).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['Shift', { shiftKey: true }],
    ['Alt', { altKey: true }],
  ])('%s+Enter makes a new line', async (_, keys) => {
    await typed('one')
    expect(press('Enter', keys)).toBe(true)
    expect(bridge.run).not.toHaveBeenCalled()
  })

  it('Mod+Enter sends, and with nothing to send is left to the question that waits', async () => {
    expect(press('Enter', { ctrlKey: true })).toBe(true)
    await typed('one')
    expect(press('Enter', { ctrlKey: true })).toBe(false)
    expect(bridge.run).toHaveBeenCalledOnce()
  })

  it('nothing but blanks is no task', async () => {
    await typed(' \n ')
    press('Enter')
    expect(bridge.run).not.toHaveBeenCalled()
    expect(button('Send')?.attributes('disabled')).toBeDefined()
  })

  it('a second Enter sends nothing more', async () => {
    bridge.run.mockReturnValue(new Promise(() => {}))
    await typed('one')
    press('Enter')
    press('Enter')
    await page.get('form').trigger('submit')
    expect(bridge.run).toHaveBeenCalledOnce()
  })

  it('what is typed while it is on its way stays', async () => {
    let begun: (run: { runId: string; sessionId: string }) => void = () => {}
    bridge.run.mockReturnValue(new Promise((resolve) => (begun = resolve)))
    await typed('one')
    press('Enter')
    await typed('two')
    begun({ runId: 'run-1', sessionId: 'session-1' })
    await flushPromises()
    expect(useComposer().text).toBe('two')
  })

  it('what is typed and sent while something is on its way follows it', async () => {
    let begun: (run: { runId: string; sessionId: string }) => void = () => {}
    bridge.run.mockReturnValueOnce(new Promise((resolve) => (begun = resolve)))
    await typed('one')
    press('Enter')
    await typed('two')
    press('Enter')
    expect(bridge.run).toHaveBeenCalledOnce()
    begun({ runId: 'run-1', sessionId: 'session-1' })
    await flushPromises()
    expect(bridge.run.mock.calls.map(([prompt]) => prompt)).toEqual(['one', 'two'])
    expect(useComposer().text).toBe('')
  })

  it('what was to follow something that did not arrive stays', async () => {
    let refused: (reason: Fault) => void = () => {}
    bridge.run.mockReturnValueOnce(new Promise((_, reject) => (refused = reject)))
    await typed('one')
    press('Enter')
    await typed('two')
    press('Enter')
    refused(new Fault('INTERNAL', 'disk full'))
    await flushPromises()
    expect(bridge.run).toHaveBeenCalledOnce()
    expect(useComposer().text).toBe('two')
  })
})

describe('UI-05 another conversation', () => {
  async function show(sessionId: string): Promise<void> {
    readState.mockResolvedValue(stateWith({ sessionId }))
    await useWindow().refresh()
    await nextTick()
  }

  it('that is new begins with its first task, and a reader hears that', async () => {
    vi.mocked(announce).mockReset()
    await show('')
    await typed('one')
    readState.mockResolvedValue(stateWith({ sessionId: 'session-2' }))
    bridge.run.mockResolvedValue({ runId: 'run-2', sessionId: 'session-2' })
    press('Enter')
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['one', '']])
    expect(vi.mocked(announce).mock.calls).toEqual([['The task began.']])
    await show('')
    expect(field().element.value).toBe('')
  })

  it('that is new keeps what is typed until its id is known', async () => {
    await show('')
    await typed('one')
    let read: (state: State) => void = () => {}
    readState.mockReturnValue(new Promise((resolve) => (read = resolve)))
    bridge.run.mockResolvedValue({ runId: 'run-2', sessionId: 'session-2' })
    press('Enter')
    await flushPromises()
    await typed('two')
    read(stateWith({ sessionId: 'session-2' }))
    await flushPromises()
    expect(field().element.value).toBe('two')
    await show('')
    expect(field().element.value).toBe('')
  })

  it('that was chosen gets the task, also before it is shown', async () => {
    let opened: () => void = () => {}
    bridge.showSession.mockReturnValueOnce(new Promise<void>((resolve) => (opened = resolve)))
    void useSessions().choose('session-2')
    await nextTick()
    await typed('one')
    press('Enter')
    await flushPromises()
    expect(bridge.run).not.toHaveBeenCalled()
    readState.mockResolvedValue(stateWith({ sessionId: 'session-2' }))
    opened()
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['one', 'session-2']])
  })

  it('has a text of its own, and no fault of the one before', async () => {
    bridge.run.mockRejectedValueOnce(new Fault('NO_MODEL', 'why'))
    await typed('one')
    press('Enter')
    await flushPromises()
    expect(page.find('[role=alert]').exists()).toBe(true)
    await show('session-2')
    expect([field().element.value, page.find('[role=alert]').exists()]).toEqual(['', false])
    await show('session-1')
    expect(field().element.value).toBe('one')
  })

  it('is not where a task begins that was sent before', async () => {
    let refuse: (reason: unknown) => void = () => {}
    bridge.run.mockReturnValueOnce(new Promise((_, reject) => (refuse = reject)))
    await typed('one')
    press('Enter')
    await show('session-2')
    refuse(new Fault('INTERNAL', 'disk full'))
    await flushPromises()
    expect(page.find('[role=alert]').exists()).toBe(false)
    await show('session-1')
    expect(field().element.value).toBe('one')
  })
})

it('what another process works on offers no task to stop', async () => {
  bridge.run.mockRejectedValueOnce(new Fault('BUSY', 'another window works on it'))
  await typed('one')
  press('Enter')
  await flushPromises()
  expect(page.get('[role=alert]').text()).toContain('another window works on it')
  expect(button('Stop the task')).toBeUndefined()
})

describe('UI-07 an input method', () => {
  it('Chromium: the Enter that ends a composition comes inside it', async () => {
    await typed('你好')
    await field().trigger('compositionstart')
    expect(press('Enter', { isComposing: true, keyCode: 229 })).toBe(true)
    await field().trigger('compositionend')
    expect(bridge.run).not.toHaveBeenCalled()
    press('Enter', { keyCode: 13 })
    expect(bridge.run).toHaveBeenCalledWith('你好', 'session-1')
  })

  it('WebKit: the Enter that ends a composition comes after it', async () => {
    await typed('你好')
    await field().trigger('compositionstart')
    await field().trigger('compositionend')
    expect(press('Enter', { isComposing: false, keyCode: 229 })).toBe(true)
    expect(bridge.run).not.toHaveBeenCalled()
    press('Enter', { keyCode: 13 })
    expect(bridge.run).toHaveBeenCalledWith('你好', 'session-1')
  })

  it('what is being composed is the text already', async () => {
    await field().trigger('compositionstart')
    field().element.value = 'ni'
    await field().trigger('input', { isComposing: true })
    expect(useComposer().text).toBe('ni')
  })
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
    expect(bridge.queue.mock.calls).toEqual([['session-1', 'Use tabs.', 'step']])
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
    expect(bridge.queue.mock.calls).toEqual([['session-1', 'Use tabs.', 'step']])
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

describe('a task that does not begin', () => {
  async function refused(code: string): Promise<void> {
    bridge.run.mockRejectedValueOnce(new Fault(code, 'why'))
    await typed('one')
    press('Enter')
    await flushPromises()
  }

  it.each([
    ['NO_FOLDER', 'Choose folder', 'folder'],
    ['NO_MODEL', 'Open model settings', 'model'],
    ['NO_KEY', 'Open model settings', 'model'],
  ])('%s: the text stays, and %s leads on', async (code, action, panel) => {
    await refused(code)
    expect(useComposer().text).toBe('one')
    await button(action)?.trigger('click')
    expect(useShell().panel).toBe(panel)
    expect(page.find('[role=alert]').exists()).toBe(false)
  })

  it('INTERNAL: Try again sends it again', async () => {
    await refused('INTERNAL')
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(bridge.run).toHaveBeenCalledTimes(2)
    expect(useComposer().text).toBe('')
  })
})

it('the field takes the focus when it is wanted', async () => {
  field().element.blur()
  useComposer().focus()
  await nextTick()
  expect(document.activeElement).toBe(field().element)
})
