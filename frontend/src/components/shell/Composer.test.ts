import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { State } from '../../api/types'
import { useComposer } from '../../stores/composer'
import { useForks } from '../../stores/forks'
import { useRuns } from '../../stores/runs'
import { useSessions } from '../../stores/sessions'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { button, field, open, page, press, typed } from '../../testing/composer'
import { eventsOf, start, type Step } from '../../testing/events'
import { readState, stateWith } from '../../testing/routes'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

beforeEach(open)
afterEach(() => {
  page.unmount()
})

describe('sending', () => {
  it('Enter sends and empties the field', async () => {
    await typed('Fix the parser')
    expect(press('Enter')).toBe(false)
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['Fix the parser', 'session-1', []]])
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

describe('UI-10 the last message', () => {
  const receive = (...steps: Step[]) => useRuns().receive(eventsOf([...start, ...steps]))
  const done: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 9 }]

  it('is edited with the arrow in an empty field', async () => {
    expect(press('ArrowUp')).toBe(true)
    receive(done)
    expect(press('ArrowUp')).toBe(false)
    expect(useForks().asked).toEqual({ runId: 'run-1', again: false })
  })

  it('is left alone while something is written or a task runs, and with another key', async () => {
    receive()
    expect(press('ArrowUp')).toBe(true)
    receive(done)
    await typed('one')
    expect(press('ArrowUp')).toBe(true)
    await typed('')
    expect(press('ArrowUp', { shiftKey: true })).toBe(true)
    expect(useForks().asked).toBe(null)
  })

  it('is sent when that is wished', async () => {
    await typed('one')
    useComposer().toSend++
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['one', 'session-1', []]])
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
    expect(bridge.run.mock.calls).toEqual([['one', '', []]])
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
    expect(bridge.run.mock.calls).toEqual([['one', 'session-2', []]])
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
    expect(bridge.run).toHaveBeenCalledWith('你好', 'session-1', [])
  })

  it('WebKit: the Enter that ends a composition comes after it', async () => {
    await typed('你好')
    await field().trigger('compositionstart')
    await field().trigger('compositionend')
    expect(press('Enter', { isComposing: false, keyCode: 229 })).toBe(true)
    expect(bridge.run).not.toHaveBeenCalled()
    press('Enter', { keyCode: 13 })
    expect(bridge.run).toHaveBeenCalledWith('你好', 'session-1', [])
  })

  it('what is being composed is the text already', async () => {
    await field().trigger('compositionstart')
    field().element.value = 'ni'
    await field().trigger('input', { isComposing: true })
    expect(useComposer().text).toBe('ni')
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
    ['NO_MODEL', 'Open model settings', 'models'],
    ['NO_KEY', 'Open model settings', 'models'],
  ])('%s: the text stays, and %s leads on', async (code, action, wanted) => {
    await refused(code)
    expect(useComposer().text).toBe('one')
    await button(action)?.trigger('click')
    await flushPromises()
    const shell = useShell()
    expect(shell.settings ?? shell.panel).toBe(wanted)
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
