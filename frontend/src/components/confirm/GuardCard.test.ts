import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { EventMap } from '../../api/types'
import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import * as bridge from '../../testing/bridge'
import { call, start, type Step } from '../../testing/events'
import { alt, answered, ask, DockPage, mod, patience, press, runs } from '../../testing/questions'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

let page: DockPage

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const active = () => document.activeElement

const guard = (more: Partial<EventMap['guard.request']> = {}): Step => [
  'guard.request',
  {
    guardId: 'g1',
    kind: 'doom_loop',
    detail: 'the same call of shell came 5 times in a row',
    expiresAt: Date.now() + patience,
    ...more,
  },
]
const decided: Step = ['guard.result', { guardId: 'g1', decision: 'continue', by: 'user' }]

/** The guard asks, and its question is there for long enough. */
async function asked(more: Partial<EventMap['guard.request']> = {}): Promise<void> {
  page.receive(...start, guard(more))
  await nextTick()
  await later(300)
}

beforeEach(() => {
  vi.useFakeTimers()
  bridge.decide.mockReset().mockResolvedValue(null)
  bridge.extend.mockReset().mockResolvedValue(null)
  vi.mocked(announce).mockReset()
  page = new DockPage()
  vi.advanceTimersByTime(10_000)
})

afterEach(() => {
  page.close()
  language.value = 'en'
  vi.useRealTimers()
})

describe('DOOM-02 the card of a guard', () => {
  it.each([
    ['doom_loop', 'The same call is repeating', '同一调用反复出现'],
    ['all_failed', 'Every call failed three times in a row', '连续三轮调用全部失败'],
    ['budget', 'The budget is used up', '预算已用完'],
    ['a_later_one', 'The task is paused', '任务已暂停'],
  ])('%s says what happened, and the program’s detail as text', async (kind, english, chinese) => {
    await asked({ kind, detail: 'shell <b>failed</b>\u202E' })
    expect(page.heading.text()).toBe(english)
    expect(page.card.attributes('aria-labelledby')).toBe(page.heading.attributes('id'))
    expect(page.card.get('.detail').text()).toBe('shell <b>failed</b>‹U+202E›')
    language.value = 'zh-CN'
    await nextTick()
    expect(page.heading.text()).toBe(chinese)
  })

  it('is announced at once, and once', async () => {
    await asked()
    await later(10_000)
    expect(vi.mocked(announce).mock.calls).toEqual([
      ['Needs your decision: The same call is repeating', 'assertive'],
    ])
  })

  it.each([
    ['Continue', 'continue'],
    ['Stop', 'stop'],
  ] as const)('%s decides, once', async (name, decision) => {
    await asked()
    await page.button(name).trigger('click')
    await page.button(name).trigger('click')
    press('a', page.heading.element, alt)
    await flushPromises()
    expect(bridge.decide.mock.calls).toEqual([[{ runId: 'run-1', guardId: 'g1', decision }]])
  })

  it('goes when it is decided, here or elsewhere, and with its run', async () => {
    await asked()
    page.receive(decided)
    await nextTick()
    expect(page.card.exists()).toBe(false)
    page.receive(guard({ guardId: 'g2' }))
    await nextTick()
    expect(page.card.exists()).toBe(true)
    page.receive([
      'lifecycle.error',
      { reason: 'cancelled', code: 'CANCELLED', message: '', steps: 1, durationMs: 9 },
    ])
    await nextTick()
    expect(page.card.exists()).toBe(false)
  })

  it('can be answered again when the answer failed, and is quiet where nobody asks any more', async () => {
    bridge.decide
      .mockRejectedValueOnce(new Fault('NO_ANSWER', 'Decide got no answer in 60 s'))
      .mockRejectedValueOnce(new Fault('NOT_FOUND', 'nobody asks'))
    await asked()
    await page.button('Continue').trigger('click')
    await flushPromises()
    expect(page.card.get('[role=alert]').text()).toContain('Decide got no answer')
    await page.button('Continue').trigger('click')
    await flushPromises()
    expect(page.card.find('[role=alert]').exists()).toBe(false)
    expect(bridge.decide).toHaveBeenCalledTimes(2)
  })

  it('leads to the composer, to say what is to be done instead', async () => {
    const { wanted } = useComposer()
    await asked()
    await page.button('Tell it what to do').trigger('click')
    expect(useComposer().wanted).toBe(wanted + 1)
    expect(bridge.decide).not.toHaveBeenCalled()
  })

  it('comes after the questions about calls', async () => {
    page.receive(...start, call('c1', 'shell', {}), guard(), ask(runs('c1', 'ls')))
    await nextTick()
    expect(page.heading.text()).toBe('Run ls')
    page.receive(answered('c1'))
    await nextTick()
    expect(page.heading.text()).toBe('The same call is repeating')
  })
})

describe('HITL-10 the keys of a guard’s card', () => {
  it.each([
    ['a', 'continue'],
    ['r', 'stop'],
  ])('Alt+%s decides, but not in the first 300 ms', async (key, decision) => {
    page.receive(...start, guard())
    await nextTick()
    await later(299)
    expect(press(key, page.heading.element, alt).defaultPrevented).toBe(true)
    await page.button('Stop').trigger('click')
    expect(bridge.decide).not.toHaveBeenCalled()
    await later(1)
    press(key, page.heading.element, alt)
    expect(bridge.decide.mock.lastCall?.[0].decision).toBe(decision)
  })

  it('bare Enter and Space decide nothing, nor do held keys or the second press of a double click', async () => {
    await asked()
    for (const on of [document.body, page.heading.element, page.card.element]) {
      press('Enter', on)
      press(' ', on)
    }
    press('a', page.heading.element, { ...alt, repeat: true })
    press('a', page.heading.element, { ...alt, isComposing: true })
    await page.button('Continue').trigger('click', { detail: 2 })
    await page.button('Stop').trigger('click', { detail: 2 })
    expect(bridge.decide).not.toHaveBeenCalled()
    expect(press('Enter', page.button('Stop').element, { repeat: true }).defaultPrevented).toBe(true)
  })

  it('decide nothing anywhere but on the card', async () => {
    await asked()
    for (const on of [document.body, page.field]) {
      press('a', on, alt)
      press('Enter', on, mod)
      press('Backspace', on, mod)
    }
    expect(bridge.decide).not.toHaveBeenCalled()
  })
})

describe('the focus', () => {
  it('goes to the heading, and to the composer afterwards', async () => {
    await asked()
    expect(active()).toBe(page.heading.element)
    const { wanted } = useComposer()
    page.receive(decided)
    await flushPromises()
    expect(useComposer().wanted).toBe(wanted + 1)
  })

  it('goes there as well where the card is found', async () => {
    await asked()
    page.again()
    expect(active()).toBe(page.heading.element)
  })

  it('stays while the composer has text, and for 600 ms after a key', async () => {
    page.field.focus()
    useComposer().text = 'half a sent'
    await asked()
    expect(active()).toBe(page.field)
    page.receive(decided)
    useComposer().text = ''
    press('a', page.field)
    await later(599)
    page.receive(guard({ guardId: 'g2' }))
    await nextTick()
    expect(active()).toBe(page.field)
  })
})

describe('HITL-04 the time', () => {
  it('is shown in the last minute, and Keep waiting gives the whole of it again', async () => {
    await asked({ expiresAt: Date.now() + 61_000 })
    expect(page.card.find('.left').exists()).toBe(false)
    await later(1_000)
    expect(page.card.get('.left').text()).toContain('60 seconds left to answer')
    expect(announce).toHaveBeenLastCalledWith('60 seconds left to answer', 'assertive')
    await page.button('Keep waiting').trigger('click')
    expect(bridge.extend.mock.calls).toEqual([['run-1', 'g1']])
    page.receive(guard())
    await nextTick()
    expect(page.card.find('.left').exists()).toBe(false)
    expect(announce).toHaveBeenCalledTimes(2)
  })
})
