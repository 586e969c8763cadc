import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { ProcessOutput } from '../../api/processes'
import { copyText } from '../../testing/bridge'
import { exited, foreground, process } from '../../testing/processes'
import {
  button,
  close,
  details,
  forget,
  later,
  list,
  open,
  output,
  panel,
  prepare,
  press,
  rows,
  visibility,
  writes,
  written,
} from '../../testing/processesPanel'
import { readOutput } from '../../testing/routes'
import type { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

beforeEach(prepare)
afterEach(close)

describe('TOOL-05 the chosen command', () => {
  it.each([
    [
      process('c1', { network: true }),
      'running for 0:04 · in the background as p1',
      'Confined · has the network',
    ],
    [foreground('c1', { level: 'limited' }), 'running for 0:04 · a call waits for it', 'Partly confined'],
    [exited('c1', 3, { level: 'none' }), 'exited with code 3 after 1:00', 'Not confined'],
    [exited('c1', -1, { signal: 'SIGKILL' }), 'ended by SIGKILL after 1:00', 'Confined'],
    [exited('c1', -1), 'ended after 1:00', 'Confined'],
    [exited('c1', 0, { failed: 'no such folder' }), 'was not run: no such folder', 'Confined'],
  ])('%#: is shown whole, with how it is: %s', async (one, about, level) => {
    await open({ ...one, command: `echo ${'x'.repeat(500)}\nls` })
    await rows()[0]?.trigger('click')
    await flushPromises()
    expect(details().get('.command').element.textContent).toBe(`echo ${'x'.repeat(500)}\nls`)
    expect(details().get('.about').text()).toBe(about)
    expect(details().get('.level').text()).toBe(level)
  })

  it('shows what it wrote, in weight and not in color, part by part', async () => {
    written.set('c1', `${'line\n'.repeat(500)}\u001b[1;31mFAIL\u001b[0m <b>last</b>\n`)
    await open(process('c1'))
    await press('ArrowDown')
    await later(60)
    expect(output().get('.sgr-bold').text()).toBe('FAIL')
    expect(output().text()).toMatch(/^(line\n){500}FAIL <b>last<\/b>$/)
    expect(readOutput.mock.calls.map(([, from]) => from)).toEqual([0, 1000, 2000, 2528])
  })

  it('says so where it wrote nothing', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    expect(details().text()).toContain('No output.')
    expect(() => button('Copy the output')).toThrow('no button')
  })

  it('keeps at most 2,000 lines of it', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    for (let i = 0; i < 50; i++) await writes('c1', `${i}\n`.repeat(100))
    const shown = output().get('pre').element.textContent.split('\n').length - 1
    expect(shown).toBeGreaterThan(1000)
    expect(shown).toBeLessThanOrEqual(2000)
    expect(output().text()).toContain(`${(5000 - shown).toLocaleString('en')} earlier lines are not shown`)
    expect(output().text()).toMatch(/49$/)
  })

  it('begins anew where what it wrote meanwhile is no longer kept', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    await writes('c1', 'old\n')
    expect(output().text()).toBe('old')
    forget(2000)
    await writes('c1', `${'x'.repeat(3000)}\nnew\n`)
    expect(details().text()).toContain('Earlier output is no longer kept.')
    expect(output().text()).not.toContain('old')
    expect(output().text()).toMatch(/^x{1004}\nnew$/)
  })

  it('follows its end until somebody scrolls up', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    await writes('c1', 'one\n')
    const { element } = output()
    Object.defineProperties(element, { scrollHeight: { value: 500 }, clientHeight: { value: 100 } })
    await writes('c1', 'two\n')
    expect(element.scrollTop).toBe(500)
    element.scrollTop = 300
    element.dispatchEvent(new Event('scroll'))
    await writes('c1', 'three\n')
    expect(element.scrollTop).toBe(300)
  })

  it('is another one at once when another one is chosen', async () => {
    written.set('c2', 'second\n')
    await open(process('c1'), process('c2', { id: 'p2' }))
    await press('ArrowDown')
    await writes('c1', 'first\n')
    await press('ArrowDown')
    await later(60)
    expect(output().text()).toBe('second')
  })

  it('is copied whole, as plain text', async () => {
    written.set('c1', `${'line\n'.repeat(3000)}\u001b[1mlast\u001b[0m\n`)
    await open(exited('c1', 0))
    await press('ArrowDown')
    await button('Copy the output').trigger('click')
    await flushPromises()
    expect(copyText.mock.calls).toEqual([[`${'line\n'.repeat(3000)}last\n`]])
  })
})

describe('TOOL-05 looking', () => {
  const looks = async (ms: number) => {
    readOutput.mockClear()
    await later(ms)
    return readOutput.mock.calls.length
  }

  it('goes on twice a second while a command runs and is looked at', async () => {
    await open(process('c1'), process('c2'))
    expect(await looks(5000)).toBe(0)
    await press('ArrowDown')
    expect(await looks(5000)).toBe(10)
    expect(readOutput.mock.calls[0]?.[0]).toBe('c1')
  })

  it('ends with the command, whose last words are read', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    written.set('c1', 'the end\n')
    await list(exited('c1', 0))
    await later(60)
    expect(output().text()).toBe('the end')
    expect(await looks(5000)).toBe(0)
  })

  it('reads the last words also where they come while it reads', async () => {
    await open(process('c1'))
    let give: (part: ProcessOutput) => void = () => {}
    readOutput.mockReturnValueOnce(new Promise((resolve) => (give = resolve)))
    await press('ArrowDown')
    written.set('c1', 'the end\n')
    await list(exited('c1', 0))
    give({ text: '', from: 0, next: 0, running: true })
    await later(60)
    expect(output().text()).toBe('the end')
  })

  it('rests while the page cannot be seen', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    visibility.mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await later()
    expect(await looks(5000)).toBe(0)
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(readOutput).toHaveBeenCalledTimes(1)
    expect(await looks(999)).toBe(1)
  })

  it('ends with the panel, without a timer left', async () => {
    await open(process('c1'))
    await press('ArrowDown')
    panel.unmount()
    expect(await looks(5000)).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends with the panel also in the midst of an answer', async () => {
    await open(process('c1'))
    let give: (part: ProcessOutput) => void = () => {}
    readOutput.mockReturnValueOnce(new Promise((resolve) => (give = resolve)))
    await press('ArrowDown')
    panel.unmount()
    give({ text: 'late\n', from: 0, next: 5, running: true })
    await flushPromises()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reads no more at once than a command can write', async () => {
    readOutput.mockImplementation(async (_, from) => ({ text: 'x', from, next: from + 1, running: true }))
    await open(process('c1'))
    readOutput.mockClear()
    await press('ArrowDown')
    expect(readOutput.mock.calls.length).toBeLessThan(20)
  })

  it('goes on after a fault, and says what it is', async () => {
    await open(process('c1'))
    readOutput.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await press('ArrowDown')
    expect(details().get('[role=alert]').text()).toContain('no answer')
    await writes('c1', 'here\n')
    expect(details().find('[role=alert]').exists()).toBe(false)
    expect(output().text()).toBe('here')
  })
})
