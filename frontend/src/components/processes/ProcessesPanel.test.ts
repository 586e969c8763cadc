import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import { language } from '../../i18n'
import { useProcesses } from '../../stores/processes'
import { killProcess, moveToBackground } from '../../testing/bridge'
import { exited, foreground, process } from '../../testing/processes'
import {
  active,
  box,
  button,
  close,
  details,
  heard,
  later,
  list,
  open,
  panel,
  prepare,
  press,
  rows,
} from '../../testing/processesPanel'
import { readProcesses } from '../../testing/routes'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

beforeEach(prepare)
afterEach(close)

describe('TOOL-05 the list', () => {
  it('says in both languages when there is nothing', async () => {
    await open()
    expect(panel.text()).toBe('Nothing running.')
    language.value = 'zh-CN'
    await nextTick()
    expect(panel.text()).toBe('没有正在运行的进程。')
  })

  it.each([
    [process('c1'), 'running npm run dev p1 0:04 Confined'],
    [
      process('c1', { network: true, level: 'limited' }),
      'running npm run dev p1 0:04 has the network Partly confined',
    ],
    [foreground('c1', { level: 'none' }), 'running npm run dev 0:04 Not confined'],
    [exited('c1', 0), 'done npm run dev p1 exit 0 Confined'],
    [exited('c1', 3), 'failed npm run dev p1 exit 3 Confined'],
    [exited('c1', -1, { signal: 'SIGKILL' }), 'stopped npm run dev p1 SIGKILL Confined'],
    [exited('c1', -1), 'stopped npm run dev p1 ended Confined'],
    [exited('c1', 0, { failed: 'no such folder' }), 'failed npm run dev p1 not run Confined'],
  ])('%#: says how a command is: %s', async (one, words) => {
    await open(one)
    expect(rows().map(({ element }) => heard(element))).toEqual([words])
  })

  it('counts the seconds of what runs, and has no clock without', async () => {
    await open(process('c1'))
    await later(58_000)
    expect(rows()[0]?.text()).toContain('1:02')
    await list(exited('c1', 0))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('HITL-10 shows a command on one line, cut in its middle, with nothing hidden in it', async () => {
    const command = `echo \u202E ${'x'.repeat(60)} the end of it\nrm -r .`
    await open(process('c1', { command }))
    expect(rows()[0]?.get('.middle').attributes('title')).toContain('‹U+202E›')
    expect(rows()[0]?.get('.tail').text()).toBe('end of it …')
    expect(panel.html()).not.toContain('\u202E')
  })

  it('UI-08 is a list box that the arrow keys go through', async () => {
    await open(process('c1'), exited('c2', 0, { id: 'p2' }), exited('c3', 0, { id: 'p3' }))
    expect(box().attributes()).toMatchObject({ tabindex: '0', 'aria-label': 'Commands of this conversation' })
    expect(box().attributes('aria-activedescendant')).toBeUndefined()
    const chosen = () => rows().findIndex((row) => row.attributes('aria-selected') === 'true')
    const went: number[] = []
    for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'ArrowUp', 'x']) {
      await press(key)
      went.push(chosen())
      expect(box().attributes('aria-activedescendant')).toBe(rows()[chosen()]?.attributes('id'))
    }
    expect(went).toEqual([0, 1, 2, 2, 1, 0, 0, 0])
  })

  it('says why it could not be read', async () => {
    await open(process('c1'))
    readProcesses.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await useProcesses().refresh()
    await flushPromises()
    expect(panel.get('[role=alert]').text()).toContain('no answer')
    await button('Try again').trigger('click')
    await flushPromises()
    expect(panel.find('[role=alert]').exists()).toBe(false)
  })
})

describe('TOOL-05 ending a command', () => {
  beforeEach(async () => {
    await open(process('c1'), exited('c2', 0, { id: 'p2' }))
    await press('ArrowDown')
  })

  async function ask(): Promise<void> {
    button('Kill').element.focus()
    await button('Kill').trigger('click')
    await flushPromises()
  }

  it('is asked for once, with the focus on what ends nothing', async () => {
    await ask()
    expect(killProcess).not.toHaveBeenCalled()
    expect(details().get('[role=group]').attributes('aria-label')).toBe('Kill p1 and all that it started?')
    expect(active()?.textContent).toBe('Keep it running')
    await button('Kill').trigger('click')
    await button('Kill').trigger('click')
    await flushPromises()
    expect(killProcess.mock.calls).toEqual([['c1']])
    expect(announce).toHaveBeenCalledWith('Killed p1.')
  })

  it('is taken back by its button, and by Esc, which stops no task', async () => {
    await ask()
    await button('Keep it running').trigger('click')
    await flushPromises()
    expect(active()).toBe(button('Kill').element)
    await ask()
    const seen = vi.fn<(event: Event) => void>()
    document.addEventListener('keydown', seen)
    await press('Escape', button('Keep it running').element)
    document.removeEventListener('keydown', seen)
    expect(seen.mock.calls[0]?.[0].defaultPrevented).toBe(true)
    expect(details().find('[role=group]').exists()).toBe(false)
    expect(killProcess).not.toHaveBeenCalled()
  })

  it('gives the focus to the list when it has ended', async () => {
    await ask()
    await button('Kill').trigger('click')
    await list(exited('c1', -1, { signal: 'SIGTERM' }), exited('c2', 0, { id: 'p2' }))
    expect(active()).toBe(box().element)
    expect(details().text()).toContain('ended by SIGTERM')
    expect(() => button('Kill')).toThrow('no button')
  })

  it('gives the focus to the panel when nothing is left', async () => {
    await ask()
    await list()
    expect(active()).toBe(panel.element)
  })

  it('that came by itself meanwhile is no fault', async () => {
    killProcess.mockRejectedValueOnce(new Fault('NOT_FOUND', 'there is no process "p1"'))
    await ask()
    await button('Kill').trigger('click')
    await flushPromises()
    expect(details().find('[role=alert]').exists()).toBe(false)
  })

  it('that failed is said, and can be tried again', async () => {
    killProcess.mockRejectedValueOnce(new Fault('NO_ANSWER', 'Kill got no answer in 60 s'))
    await ask()
    await button('Kill').trigger('click')
    await flushPromises()
    expect(details().get('[role=alert]').text()).toContain('Kill got no answer')
    await button('Kill').trigger('click')
    expect(killProcess).toHaveBeenCalledTimes(2)
  })

  it('is not offered of one that has ended', async () => {
    await press('ArrowDown')
    expect(details().text()).toContain('exited with code 0')
    expect(() => button('Kill')).toThrow('no button')
  })
})

describe('TOOL-05 a command that a call waits for', () => {
  beforeEach(async () => {
    await open(foreground('c1'))
    await press('ArrowDown')
  })

  it('is moved to the background', async () => {
    button('Move to background').element.focus()
    await button('Move to background').trigger('click')
    await flushPromises()
    expect(moveToBackground.mock.calls).toEqual([['c1']])
    expect(announce).toHaveBeenCalledWith('Moved to the background as p7.')
    await list(process('c1', { id: 'p7' }))
    expect(active()).toBe(box().element)
    expect(button('Kill').exists()).toBe(true)
  })

  it('is ended by its call, as it has no name', async () => {
    await button('Kill').trigger('click')
    expect(details().get('[role=group]').attributes('aria-label')).toBe(
      'Kill this command and all that it started?',
    )
    await button('Kill').trigger('click')
    await flushPromises()
    expect(killProcess.mock.calls).toEqual([['c1']])
    expect(announce).toHaveBeenCalledWith('Killed this command.')
    await list()
    expect(active()).toBe(panel.element)
  })

  it('says why it cannot be moved', async () => {
    moveToBackground.mockRejectedValueOnce(new Fault('INVALID_STATE', 'it is ending'))
    await button('Move to background').trigger('click')
    await flushPromises()
    expect(details().get('[role=alert]').text()).toContain('it is ending')
  })
})
