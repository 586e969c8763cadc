import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { Context, ContextStep } from '../../api/types'
import { language } from '../../i18n'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import * as bridge from '../../testing/bridge'
import { button, open, page, press, typed } from '../../testing/composer'
import { eventsOf, start, type Step } from '../../testing/events'
import { readContext, readState, stateWith } from '../../testing/routes'
import { useWindow } from '../../stores/window'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<() => void>() }))

const usage = (prompt: number, completion: number, cached = 0) => ({
  prompt,
  completion,
  cached,
  reasoning: 0,
})
const step = (n: number, more: Partial<ContextStep> = {}): ContextStep => ({
  task: 1,
  step: n,
  summary: false,
  usage: usage(4_000 * n, 20),
  cost: null,
  durationMs: 3_000,
  estimated: false,
  ...more,
})
const context: Context = {
  window: 32_000,
  used: 8_020,
  cached: 0,
  estimated: false,
  parts: [
    { kind: 'system', tokens: 300 },
    { kind: 'results', tokens: 6_400 },
  ],
  steps: [step(1), step(2)],
  earlier: 0,
  total: { usage: usage(12_000, 40), cost: null, durationMs: 6_000, estimated: false },
}
const end: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 2, durationMs: 6_000 }]

/** Shows a conversation whose task is over, with what a program answers. */
async function show(more: Partial<Context> = {}): Promise<void> {
  readContext.mockReset().mockResolvedValue({ ...context, ...more })
  useRuns().receive(eventsOf([...start, ['usage', { call: usage(8_000, 20), run: usage(12_000, 40) }], end]))
  await nextTick()
}

/** Opens the panel with its word in the field. */
async function openPanel(): Promise<void> {
  await typed('/context')
  press('Enter')
  await flushPromises()
}

const panel = () => page.get('[role=dialog]')
const rows = (table: number) =>
  panel()
    .findAll('table')
    .at(table)
    ?.findAll('tbody tr, tfoot tr')
    .map((row) => row.findAll('th, td').map((cell) => cell.text()))
const heads = () =>
  panel()
    .findAll('.steps thead th')
    .map((each) => each.text())

beforeEach(async () => {
  bridge.compactNow.mockReset().mockResolvedValue({ runId: 'run-2', sessionId: 'session-1' })
  await open()
})
afterEach(() => {
  page.unmount()
  language.value = 'en'
})

describe('UI-16 what fills the context', () => {
  it('is opened by a word, read, and left with Esc', async () => {
    await show()
    await openPanel()
    expect(readContext).toHaveBeenCalledWith('session-1')
    expect(panel().attributes('aria-label')).toBe('Context and cost')
    expect(document.activeElement?.textContent).toContain(
      '25% of the context is used: 8,020 of 32,000 tokens',
    )
    expect(rows(0)).toEqual([
      ['System prompt', '~300', '<1%'],
      ['Results of tools', '~6,400', '20%'],
    ])
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    await nextTick()
    expect(useShell().panel).toBeNull()
    expect(page.find('[role=dialog]').exists()).toBe(false)
  })

  it('is opened by the numbers, which then have the focus again', async () => {
    await show()
    const numbers = page.get<HTMLButtonElement>('.status button')
    expect(numbers.text()).toContain('ctx 8K (Context: 8,020 tokens)')
    numbers.element.focus()
    await numbers.trigger('click')
    await flushPromises()
    expect(numbers.attributes('aria-expanded')).toBe('true')
    await numbers.trigger('click')
    expect(document.activeElement).toBe(numbers.element)
  })

  it('lists the steps without what is not known', async () => {
    await show()
    await openPanel()
    expect(heads()).toEqual(['Step', 'In', 'Out', 'Time'])
    expect(rows(1)).toEqual([
      ['1.1Task 1, step 1', '4,000', '20', '0:03'],
      ['1.2Task 1, step 2', '8,000', '20', '0:03'],
      ['Total', '12,000', '40', '0:06'],
    ])
    expect(panel().text()).not.toContain('$')
    expect(panel().get('[role=region]').attributes()).toMatchObject({ tabindex: '0', 'aria-label': 'Steps' })
  })

  it('lists what was cached, what it cost, summaries, and how many steps are left out', async () => {
    const steps = [
      step(1, { cost: 0.02, usage: usage(4_000, 20, 3_000) }),
      step(0, { summary: true, estimated: true }),
    ]
    await show({ steps, earlier: 7, cached: 3_000 })
    await openPanel()
    expect(heads()).toEqual(['Step', 'In', 'Cached', 'Out', 'Cost', 'Time'])
    expect(rows(1)).toEqual([
      ['1.1Task 1, step 1', '4,000', '3,000', '20', '$0.02', '0:03'],
      ['Summary', '~0', '0', '~20', 'not known', '0:03'],
      ['Total', '12,000', '0', '40', 'not known', '0:06'],
    ])
    expect(panel().text()).toContain('7 earlier steps are only in the total.')
    expect(panel().text()).toContain('3,000 of them were in the provider’s cache.')
  })

  it('says so where the size of the context is not known, in both languages', async () => {
    await show({ window: 0 })
    await openPanel()
    expect(panel().text()).toContain('8,020 tokens are used; the size of this model’s context is unknown')
    expect(rows(0)?.at(-1)?.at(-1)).toBe('96%')
    language.value = 'zh-CN'
    await nextTick()
    expect(panel().text()).toContain('此模型的上下文大小未知')
  })

  it('is there before the first task', async () => {
    readState.mockResolvedValue(stateWith())
    await useWindow().refresh()
    readContext.mockReset().mockResolvedValue({ ...context, used: 0, steps: [], total: null })
    await openPanel()
    expect(readContext).toHaveBeenCalledWith('')
    expect(panel().text()).toContain('Nothing was sent to the model yet.')
    expect(button('Compact now')?.attributes('disabled')).toBeDefined()
  })

  it('is read again as the task goes on', async () => {
    await show()
    await openPanel()
    readContext.mockResolvedValue({ ...context, used: 16_000 })
    useRuns().receive(
      eventsOf([...start, ['usage', { call: usage(15_900, 100), run: usage(15_900, 100) }]], 'run-2'),
    )
    await flushPromises()
    expect(panel().text()).toContain('50% of the context is used')
    expect(button('Compact now')?.attributes('disabled')).toBeDefined()
  })

  it('says why it could not be read, and reads again', async () => {
    await show()
    readContext.mockRejectedValueOnce(new Fault('STORAGE', 'disk full'))
    await openPanel()
    expect(panel().get('[role=alert]').text()).toContain('cannot be opened')
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(panel().find('[role=alert]').exists()).toBe(false)
    expect(panel().text()).toContain('25% of the context')
  })
})

describe('UI-16 compact now', () => {
  it('closes the panel, because it is seen in the conversation', async () => {
    await show()
    await openPanel()
    await button('Compact now')?.trigger('click')
    await flushPromises()
    expect(bridge.compactNow).toHaveBeenCalledExactlyOnceWith('session-1')
    expect(useShell().panel).toBeNull()
  })

  it.each([
    ['NOTHING_TO_COMPACT', 'Too little was said to be summed up.', '内容太少，无需压缩。'],
    ['BUSY', 'A task is running.', '任务正在进行'],
    ['NO_MODEL', 'No model is chosen.', '没有选择模型'],
  ])('is done by its word, and says why not: %s', async (code, english, chinese) => {
    await show()
    bridge.compactNow.mockRejectedValueOnce(new Fault(code, 'no'))
    await typed('/compact')
    press('Enter')
    await flushPromises()
    expect(useShell().panel).toBe('context')
    expect(panel().get('[role=alert]').text()).toContain(english)
    language.value = 'zh-CN'
    await nextTick()
    expect(panel().get('[role=alert]').text()).toContain(chinese)
  })

  it('is not offered while a task is running', async () => {
    useRuns().receive(eventsOf(start))
    await nextTick()
    await typed('/compact')
    expect(page.find('[role=option]').exists()).toBe(false)
  })
})
