import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { Model, State, Usage } from '../../api/types'
import { language } from '../../i18n'
import { useProcesses } from '../../stores/processes'
import { useRuns } from '../../stores/runs'
import { useSessions } from '../../stores/sessions'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { begin, eventsOf, start, type Step } from '../../testing/events'
import { model, readEvents, readProcesses, readSessions, readState, stateWith } from '../../testing/routes'
import { exited, foreground, process } from '../../testing/processes'
import { entry } from '../../testing/sessions'
import { announce } from '../base/announce'
import LeftBar from '../processes/LeftBar.vue'
import ApproveChoice from './ApproveChoice.vue'
import ClosingBar from './ClosingBar.vue'
import { examplesFor } from './examples'
import SettingsPanel from './SettingsPanel.vue'
import StatusLine from './StatusLine.vue'
import WarningsBar from './WarningsBar.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)

let state: State

beforeEach(async () => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  state = stateWith({ sessionId: 'session-1' })
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  readSessions.mockResolvedValue({ sessions: [], more: false, archived: 0 })
  await useWindow().refresh()
})
afterEach(() => {
  language.value = 'en'
  vi.useRealTimers()
})

const button = (page: VueWrapper, name: string) =>
  page.findAll('button').find((each) => (each.attributes('aria-label') ?? each.text()) === name)

const used = { prompt: 18_000, completion: 240, reasoning: 0, cached: 0 }
const usage: Step = ['usage', { call: used, run: used }]
const end: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 6, durationMs: 72_400 }]

/** What the eye sees of each part of the status line. */
const parts = (page: VueWrapper) =>
  page.findAll('.part').map(({ element }) => element.firstChild?.textContent?.trim())

describe('what a task cost', () => {
  const priced = {
    ...model,
    model: 'scripted',
    priced: true,
    price: { prompt: 1, completion: 4, cached: 0.1 },
  }

  /** The last part of the status line for what was used with a model. */
  async function cost(chosen: Partial<Model>, run: Partial<Usage>, estimated = false) {
    setActivePinia(createPinia())
    state = stateWith({ sessionId: 'session-1', model: { ...priced, ...chosen } })
    await useWindow().refresh()
    const total = { prompt: 0, completion: 0, reasoning: 0, cached: 0, ...run }
    useRuns().receive(eventsOf([...start, ['usage', { call: used, run: total, estimated }]]))
    return parts(mount(StatusLine)).at(-1)
  }

  it.each<[string, string | undefined, Partial<Model>, Partial<Usage>]>([
    ['of the tokens sent and generated', '$0.03', {}, { prompt: 18_000, completion: 3_000 }],
    ['with less for what was cached', '$0.01', {}, { prompt: 100_000, cached: 100_000 }],
    ['with no more cached than was sent', '$0.01', {}, { prompt: 100_000, cached: 900_000 }],
    ['of less than a cent', '<$0.01', {}, { prompt: 9_000 }],
    ['of thousands', '$1,234.50', {}, { prompt: 1_234_500_000 }],
    ['not, where no price is known', '18K tok', { priced: false }, { prompt: 18_000 }],
    [
      'not, where it costs nothing',
      '18K tok',
      { price: { prompt: 0, completion: 0, cached: 0 } },
      { prompt: 18_000 },
    ],
    ['not, where another model is chosen by now', '18K tok', { model: 'other' }, { prompt: 18_000 }],
  ])('is said %s: %s', async (_, wanted, chosen, run) => {
    expect(await cost(chosen, run)).toBe(wanted)
  })

  it('is said to be about that much where tokens were counted here', async () => {
    expect(await cost({}, { prompt: 30_000 }, true)).toBe('~$0.03')
  })
})

describe('UI-03 the status line', () => {
  it('says context, step, time and tokens, and counts on', async () => {
    vi.useFakeTimers({ now: begin })
    useRuns().receive(eventsOf([...start, usage]))
    const page = mount(StatusLine)
    expect(parts(page)).toEqual(['ctx 18.2K', 'step 1/50', '0:00', '18.2K tok'])
    await vi.advanceTimersByTimeAsync(48_000)
    expect(page.text()).toContain('0:48')
  })

  it('keeps how the last task ended, without a clock', async () => {
    vi.useFakeTimers({ now: begin })
    const page = mount(StatusLine)
    expect([page.text(), vi.getTimerCount()]).toEqual(['', 0])
    useRuns().receive(eventsOf([...start, end]))
    await nextTick()
    expect([page.text(), vi.getTimerCount()]).toEqual(['step 6/501:12', 0])
  })

  it.each([
    ['the last call', { window: 150_000 }, 'ctx 12%', 'Context: 18,240 of 150,000 tokens'],
    ['an estimate', { window: 150_000, estimated: true }, 'ctx ~12%', 'Context: ~18,240 of 150,000 tokens'],
    ['no known window', {}, 'ctx 18.2K', 'Context: 18,240 tokens'],
    ['an estimate of no known window', { estimated: true }, 'ctx ~18.2K', 'Context: ~18,240 tokens'],
  ])('CTX says how full the context is: %s', async (_, more, words, numbers) => {
    useRuns().receive(
      eventsOf([...start, ['usage', { call: used, run: { ...used, prompt: 100_000 }, ...more }]]),
    )
    const page = mount(StatusLine)
    expect(parts(page)).toEqual([words, 'step 1/50', '0:00', '100.2K tok'])
    expect(page.get('.part .unseen').text()).toBe(`(${numbers})`)
    expect(page.get('button').attributes('title')).toBe(
      `Context and cost: ${numbers} · step 1/50 · 0:00 · 100.2K tok`,
    )
    language.value = 'zh-CN'
    await nextTick()
    expect(parts(page)[0]).toMatch(/^上下文 ~?[\d.]+[%万]$/)
  })

  it('says nothing of a context or tokens that nobody counted', () => {
    const none = { prompt: 0, completion: 0, reasoning: 0, cached: 0 }
    useRuns().receive(eventsOf([...start, ['usage', { call: none, run: none, window: 8192 }]]))
    expect(parts(mount(StatusLine))).toHaveLength(2)
  })

  it('UI-16 says what is left of the context once it was summed up, beside the last task', async () => {
    const summary = { prompt: 15_000, completion: 400, reasoning: 0, cached: 0 }
    const summed: Step[] = [
      ['lifecycle.start', { prompt: '', model: 'scripted', maxSteps: 50, compacts: true }],
      ['usage', { call: summary, run: summary, window: 100_000 }],
    ]
    const made: Step = ['context.compacted', { before: 18_240, after: 4_000, mode: 'compact' }]
    const done: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 0, durationMs: 9_000 }]
    useRuns().receive(eventsOf([...start, ['usage', { call: used, run: used, window: 100_000 }], end]))
    useRuns().receive(eventsOf(summed, 'run-2'))
    const page = mount(StatusLine)
    expect(parts(page)[0]).toBe('ctx 18%')
    useRuns().receive(eventsOf([...summed, made, done], 'run-2').slice(2))
    await nextTick()
    expect(parts(page)).toEqual(['ctx ~4%', 'step 6/50', '1:12', '18.2K tok'])
  })

  it('TOOL-05 says how many commands run in the background', async () => {
    readProcesses.mockResolvedValue({
      processes: [process('c1'), process('c2'), foreground('c3'), exited('c4', 0)],
    })
    useRuns().receive(eventsOf([...start, end]))
    const page = mount(StatusLine)
    await flushPromises()
    expect(parts(page).at(-1)).toBe('2 processes')
    readProcesses.mockResolvedValue({ processes: [exited('c4', 0)] })
    await useProcesses().refresh()
    await nextTick()
    expect(page.text()).not.toContain('process')
  })

  it('INT-01 says that the task is to stop, until it has', async () => {
    const page = mount(StatusLine)
    const interrupt: Step = ['run.interrupt', { message: '' }]
    useRuns().receive(eventsOf([...start, interrupt]))
    await nextTick()
    expect(parts(page)[0]).toBe('Stopping after this step…')
    useRuns().receive(eventsOf([...start, interrupt, end]).slice(-1))
    await nextTick()
    expect(page.text()).not.toContain('Stopping')
  })
})

describe('a window that was to be closed', () => {
  async function asked(): Promise<VueWrapper> {
    const page = mount(ClosingBar, { attachTo: document.body })
    useRuns().receive(eventsOf(start))
    useWindow().closing = true
    await nextTick()
    await nextTick()
    return page
  }

  it('asks, aloud, with the focus on no button', async () => {
    const page = await asked()
    expect(announce).toHaveBeenCalledWith('A task is running.', 'assertive')
    expect(document.activeElement).toBe(page.get('section').element)
  })

  it('stops and quits', async () => {
    const page = await asked()
    await button(page, 'Stop it and quit')?.trigger('click')
    await button(page, 'Stopping…')?.trigger('click')
    expect(bridge.quit).toHaveBeenCalledOnce()
  })

  it('says when it could not quit', async () => {
    bridge.quit.mockRejectedValueOnce(new Fault('NO_ANSWER', 'late'))
    const page = await asked()
    await button(page, 'Stop it and quit')?.trigger('click')
    await flushPromises()
    await button(page, 'Try again')?.trigger('click')
    expect(bridge.quit).toHaveBeenCalledTimes(2)
  })

  it('stays', async () => {
    const page = await asked()
    await button(page, 'Stay')?.trigger('click')
    expect([useWindow().closing, page.find('section').exists()]).toEqual([false, false])
  })

  it('has nothing to ask once the task has ended', async () => {
    await asked()
    useRuns().receive(eventsOf([...start, end]))
    await nextTick()
    expect(useWindow().closing).toBe(false)
  })
})

it('ST-03 a window that was to be closed asks as long as a task is running in any conversation', async () => {
  mount(ClosingBar, { attachTo: document.body })
  readSessions.mockResolvedValue({ sessions: [entry('a', { mark: 'waiting' })], more: false, archived: 0 })
  useRuns().receive(eventsOf(start))
  useWindow().closing = true
  await flushPromises()
  useRuns().receive(eventsOf([...start, end]))
  await flushPromises()
  expect(useWindow().closing).toBe(true)
  readSessions.mockResolvedValue({ sessions: [entry('a')], more: false, archived: 0 })
  await useSessions().refresh()
  await flushPromises()
  expect(useWindow().closing).toBe(false)
})

it('warnings are shown until they are dismissed', async () => {
  state = stateWith({ warnings: ['one', 'two'] })
  await useWindow().refresh()
  const page = mount(WarningsBar)
  await button(page, 'Close')?.trigger('click')
  expect(page.findAll('p').map((warning) => warning.text())).toEqual(['two'])
})

it('SEC-08 what a command in the background has left is shown until it is dismissed', async () => {
  const notices = [{ code: 'autorun_new', data: { path: '.vscode/tasks\u202E.json', autorun: 'editor' } }]
  readProcesses.mockResolvedValue({ processes: [process('c1'), exited('c2', 0, { id: 'p2', notices })] })
  const page = mount(LeftBar)
  await useProcesses().refresh()
  await flushPromises()
  expect(page.findAll('li').map((line) => line.text())).toEqual([
    'After command p2: .vscode/tasks‹U+202E›.json is new: editors can run what it says when the folder is opened',
  ])
  await button(page, 'Close')?.trigger('click')
  expect(page.text()).toBe('')
})

describe('HITL-07 what is asked about', () => {
  it('is saved at once and shown as the program has it', async () => {
    const page = mount(ApproveChoice, { props: { label: 'Approval' } })
    bridge.setApprove.mockImplementation(async (_, mode) => {
      state = { ...state, approve: mode }
    })
    await page.get('input[value=none]').setValue()
    await flushPromises()
    expect(bridge.setApprove.mock.calls).toEqual([['session-1', 'none']])
    expect(page.get<HTMLInputElement>('input[value=none]').element.checked).toBe(true)
  })

  it('goes back to what holds when it cannot be saved', async () => {
    const page = mount(ApproveChoice, { props: { label: 'Approval' } })
    bridge.setApprove.mockRejectedValue(new Fault('INTERNAL', 'disk full'))
    await page.get('input[value=none]').setValue()
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('disk full')
    expect(page.get<HTMLInputElement>('input[value=ask]').element.checked).toBe(true)
  })
})

it('UI-04 UI-07 language and theme are saved at once', async () => {
  const page = mount(SettingsPanel)
  await page.get('input[value=zh-CN]').setValue()
  await page.get('input[value=dark]').setValue()
  await flushPromises()
  expect([bridge.setLanguage.mock.calls, bridge.setTheme.mock.calls]).toEqual([[['zh-CN']], [['dark']]])
})

it('the examples suit the folder', () => {
  const file = (name: string) => ({ name, path: name, folder: false, link: false, secret: false, size: 1 })
  expect(examplesFor([file('readme.txt'), file('go.mod')]).slice(1)).toEqual([
    'Sum up readme.txt in five sentences.',
    'Run the tests and explain what fails.',
  ])
  expect(examplesFor([]).slice(1)).toEqual([
    'Write a README.md that says what this folder is for.',
    'Find the notes that say what is left to do, and list them.',
  ])
})
