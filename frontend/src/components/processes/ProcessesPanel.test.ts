import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { Process, ProcessOutput } from '../../api/types'
import { language } from '../../i18n'
import { useProcesses } from '../../stores/processes'
import { useWindow } from '../../stores/window'
import { copyText, killProcess, moveToBackground } from '../../testing/bridge'
import { begin } from '../../testing/events'
import { exited, foreground, process } from '../../testing/processes'
import { readOutput, readProcesses, stateWith } from '../../testing/routes'
import { announce } from '../base/announce'
import ProcessesPanel from './ProcessesPanel.vue'
import { lookTime } from './tail'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

let panel: VueWrapper
/** What the commands have written so far, and how much of its beginning is gone, by the call. */
let written: Map<string, string>
let gone: number
const visibility = vi.fn<() => DocumentVisibilityState>()

/** How long a part of an answer is at most. */
const partLength = 1000

/** Answers as the program does; the texts of these tests have a byte a character. */
async function part(callId: string, from: number): Promise<ProcessOutput> {
  const text = written.get(callId)
  if (text === undefined) throw new Fault('NOT_FOUND', `no command of ${callId}`)
  const begins = Math.max(from, gone)
  const piece = text.slice(begins, begins + partLength)
  return { text: piece, from: begins, next: begins + piece.length, running: true }
}

async function open(...processes: Process[]): Promise<void> {
  await list(...processes)
  panel = mount(ProcessesPanel, { attachTo: document.body })
  await flushPromises()
}

/** What the list is from now on. */
async function list(...processes: Process[]): Promise<void> {
  readProcesses.mockResolvedValue({ processes })
  await useProcesses().refresh()
  await flushPromises()
}

async function writes(callId: string, text: string): Promise<void> {
  written.set(callId, (written.get(callId) ?? '') + text)
  await later()
}

/** Lets the next look pass, and its output be shown. */
async function later(ms = lookTime + 60): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

const rows = () => panel.findAll('[role=option]')
const box = () => panel.get('[role=listbox]')
const details = () => panel.get('section')
const output = () => panel.find<HTMLElement>('[aria-label="Output"]')
const active = () => document.activeElement

/** What readers hear of a row: its words, and the names of its signs. */
function heard(row: Element): string {
  const words = (node: Node): string => {
    if (node instanceof Comment) return ''
    if (!(node instanceof Element)) return node.textContent?.trim() ?? ''
    const label = node.getAttribute('aria-label')
    return label ?? [...node.childNodes].map(words).filter(Boolean).join(' ')
  }
  return words(row)
}

function button(name: string) {
  const found = panel
    .findAll('button')
    .find((each) => (each.attributes('aria-label') ?? each.text()) === name)
  if (!found) throw new Error(`there is no button ${name} in: ${panel.text()}`)
  return found
}

async function press(key: string, on: Element = box().element): Promise<void> {
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  await flushPromises()
}

beforeEach(() => {
  vi.useFakeTimers({ now: begin + 5000 })
  setActivePinia(createPinia())
  vi.resetAllMocks()
  visibility.mockReturnValue('visible')
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(visibility)
  copyText.mockResolvedValue()
  killProcess.mockResolvedValue({})
  moveToBackground.mockResolvedValue({ processId: 'p7' })
  written = new Map([
    ['c1', ''],
    ['c2', ''],
    ['c3', ''],
  ])
  gone = 0
  readOutput.mockImplementation(part)
  readProcesses.mockResolvedValue({ processes: [] })
  useWindow().state = stateWith({ sessionId: 's1' })
})

afterEach(() => {
  panel.unmount()
  language.value = 'en'
  vi.useRealTimers()
})

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
    gone = 2000
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
    expect(killProcess.mock.calls).toEqual([['p1']])
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

  it('is moved to the background, and not ended here', async () => {
    expect(() => button('Kill')).toThrow('no button')
    button('Move to background').element.focus()
    await button('Move to background').trigger('click')
    await flushPromises()
    expect(moveToBackground.mock.calls).toEqual([['c1']])
    expect(announce).toHaveBeenCalledWith('Moved to the background as p7.')
    await list(process('c1', { id: 'p7' }))
    expect(active()).toBe(box().element)
    expect(button('Kill').exists()).toBe(true)
  })

  it('says why it cannot be moved', async () => {
    moveToBackground.mockRejectedValueOnce(new Fault('INVALID_STATE', 'it is ending'))
    await button('Move to background').trigger('click')
    await flushPromises()
    expect(details().get('[role=alert]').text()).toContain('it is ending')
  })
})
