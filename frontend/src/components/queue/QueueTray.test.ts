import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { Prompt } from '../../api/types'
import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { eventsOf, start, type Step } from '../../testing/events'
import { readEvents, readState, stateWith } from '../../testing/routes'
import { announce } from '../base/announce'
import QueueTray from './QueueTray.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)

const ended: Step = [
  'lifecycle.error',
  { reason: 'cancelled', code: 'CANCELLED', message: '', steps: 1, durationMs: 9 },
]
const tabs: Prompt = { promptId: 'q1', text: 'Use tabs.\nEverywhere.', target: 'step' }
const tests: Prompt = { promptId: 'q2', text: 'Then test it.', target: 'run' }

let page: VueWrapper

/** What waits, as the program says from now on. */
async function waits(queue: Prompt[], sessionId = 'session-1'): Promise<void> {
  readState.mockResolvedValue(
    stateWith({ sessionId, queue, runs: [{ runId: 'run-1', ended: !useRuns().busy }] }),
  )
  await useWindow().refresh()
  await nextTick()
}

beforeEach(async () => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  readEvents.mockResolvedValue([])
  useRuns().receive(eventsOf(start))
  await waits([tabs, tests])
  page = mount(QueueTray, { attachTo: document.body })
})

const rows = () => page.findAll('li')
const buttons = (name: string) =>
  page.findAll<HTMLElement>('button').filter(({ element }) => {
    const copy = element.cloneNode(true) as HTMLElement
    for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
    return (copy.getAttribute('aria-label') ?? copy.textContent.trim()) === name
  })
async function click(name: string): Promise<void> {
  await buttons(name)[0]?.trigger('click')
  await flushPromises()
}
const field = () => page.get('textarea')

function press(key: string, more: KeyboardEventInit & { keyCode?: number } = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  if (more.keyCode !== undefined) Object.defineProperty(event, 'keyCode', { value: more.keyCode })
  field().element.dispatchEvent(event)
  return event
}

describe('STEER-01 what waits', () => {
  it('is listed in order, each with when it is sent and what can be done with it', () => {
    expect(page.get('section').attributes('aria-label')).toBe('Messages that wait')
    const texts = page.findAll('.text')
    expect(texts.map((text) => text.text())).toEqual(['Use tabs.\nEverywhere.', 'Then test it.'])
    expect(texts[0]?.attributes('title')).toBe('Use tabs.\nEverywhere.')
    expect(page.findAll('select').map(({ element }) => element.selectedOptions[0]?.text)).toEqual([
      'After this step',
      'After the run',
    ])
    for (const name of ['Edit', 'Send now', 'Remove']) {
      expect(buttons(name)).toHaveLength(2)
      expect(buttons(name)[1]?.attributes('aria-describedby')).toBe(texts[1]?.attributes('id'))
    }
  })

  it('takes no space where there is nothing', async () => {
    await waits([])
    expect(page.find('section').exists()).toBe(false)
  })

  it('is sent by the user alone once nothing is running', async () => {
    useRuns().receive(eventsOf([...start, ended]))
    await nextTick()
    expect(page.find('select').exists()).toBe(false)
    expect(buttons('Send now')).toEqual([])
    await click('Send')
    expect(bridge.sendNow.mock.calls).toEqual([['session-1', 'q1']])
  })
})

describe('each message', () => {
  it('can be sent at another time', async () => {
    bridge.changePrompt.mockImplementation(async () => waits([{ ...tabs, target: 'run' }, tests]))
    await page.get('select').setValue('run')
    await flushPromises()
    expect(bridge.changePrompt.mock.calls).toEqual([['session-1', 'q1', tabs.text, 'run']])
    expect(page.get('select').element.value).toBe('run')
  })

  it('shows when it is really sent where that could not be changed', async () => {
    bridge.changePrompt.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await page.get('select').setValue('run')
    await flushPromises()
    expect(page.get('select').element.value).toBe('step')
    expect(rows()[0]?.get('[role=alert]').text()).toContain('disk full')
    expect(rows()[1]?.find('[role=alert]').exists()).toBe(false)
  })

  it.each([
    ['Send now', bridge.sendNow],
    ['Remove', bridge.removePrompt],
  ])('%s is done once, and the focus goes on to the composer', async (name, order) => {
    let arrived: () => void = () => {}
    order.mockReturnValueOnce(new Promise<void>((resolve) => (arrived = resolve)))
    const { wanted } = useComposer()
    buttons(name)[0]?.element.focus()
    await click(name)
    await click(name)
    expect(order.mock.calls).toEqual([['session-1', 'q1']])
    await waits([tests])
    arrived()
    await flushPromises()
    expect(rows()).toHaveLength(1)
    expect(useComposer().wanted).toBe(wanted + 1)
  })

  it('that another one goes before leaves the focus where it is', async () => {
    const { wanted } = useComposer()
    buttons('Remove')[1]?.element.focus()
    await waits([tests])
    expect(document.activeElement).toBe(buttons('Remove')[0]?.element)
    expect(useComposer().wanted).toBe(wanted)
  })
})

describe('editing', () => {
  beforeEach(() => click('Edit'))

  it('begins in the field, with the whole text', () => {
    expect(document.activeElement).toBe(field().element)
    expect([field().element.value, field().attributes('aria-label')]).toEqual([
      tabs.text,
      'Message that waits',
    ])
  })

  it('has space for all of the text, also while that grows', async () => {
    // jsdom lays nothing out: a letter is a pixel high here.
    vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
      this: HTMLTextAreaElement,
    ) {
      return this.value.length
    })
    press('Escape')
    await nextTick()
    await click('Edit')
    expect(field().element.style.height).toBe(`${tabs.text.length}px`)
    await field().setValue(`${tabs.text} Always.`)
    expect(field().element.style.height).toBe(`${tabs.text.length + 8}px`)
  })

  it('Enter saves, Shift+Enter makes a new line', async () => {
    await field().setValue('Use spaces.')
    expect(press('Enter', { shiftKey: true }).defaultPrevented).toBe(false)
    expect(bridge.changePrompt).not.toHaveBeenCalled()
    bridge.changePrompt.mockImplementation(async () => waits([{ ...tabs, text: 'Use spaces.' }, tests]))
    expect(press('Enter').defaultPrevented).toBe(true)
    press('Enter')
    await flushPromises()
    expect(bridge.changePrompt.mock.calls).toEqual([['session-1', 'q1', 'Use spaces.', 'step']])
    expect(page.get('.text').text()).toBe('Use spaces.')
    expect(document.activeElement).toBe(buttons('Edit')[0]?.element)
    expect(useComposer().text).toBe('')
  })

  it('UI-07 the Enter and the Esc of an input method do neither', async () => {
    await field().setValue('用空格')
    press('Enter', { isComposing: true })
    press('Enter', { keyCode: 229 })
    press('Escape', { keyCode: 229 })
    await nextTick()
    expect(bridge.changePrompt).not.toHaveBeenCalled()
    expect(field().element.value).toBe('用空格')
  })

  it('Esc leaves it as it was, and stops no task', async () => {
    const seen = vi.fn<() => void>()
    document.addEventListener('keydown', seen)
    await field().setValue('Use spaces.')
    press('Escape')
    document.removeEventListener('keydown', seen)
    await flushPromises()
    expect(seen).not.toHaveBeenCalled()
    expect(bridge.changePrompt).not.toHaveBeenCalled()
    expect(page.get('.text').text()).toBe(tabs.text)
    expect(document.activeElement).toBe(buttons('Edit')[0]?.element)
  })

  it('saves no empty message, and nothing where nothing changed', async () => {
    await field().setValue(' \n')
    press('Enter')
    await flushPromises()
    expect(buttons('Save')[0]?.attributes()).toHaveProperty('disabled')
    await field().setValue(tabs.text)
    press('Enter')
    await flushPromises()
    expect(page.find('textarea').exists()).toBe(false)
    expect(bridge.changePrompt).not.toHaveBeenCalled()
  })

  it('keeps what was written when it could not be saved', async () => {
    bridge.changePrompt.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await field().setValue('Use spaces.')
    await click('Save')
    expect(field().element.value).toBe('Use spaces.')
    expect(page.get('[role=alert]').text()).toContain('disk full')
  })

  it('of a message that is sent meanwhile leaves what was written to the composer', async () => {
    await field().setValue('Use spaces.')
    await waits([tests])
    expect(useComposer().text).toBe('Use spaces.')
    expect(announce).toHaveBeenCalledWith('It was sent meanwhile. What you wrote is in the message field.')
  })

  it('does the same where it was being saved then and came too late, and only then', async () => {
    let refuse: (reason: unknown) => void = () => {}
    bridge.changePrompt.mockReturnValueOnce(new Promise((_, reject) => (refuse = reject)))
    await field().setValue('Use spaces.')
    await click('Save')
    await waits([tests])
    expect(useComposer().text).toBe('')
    refuse(new Fault('NOT_FOUND', 'no such prompt'))
    await flushPromises()
    expect(useComposer().text).toBe('Use spaces.')
  })

  it('of a conversation that is left stays with that one', async () => {
    await field().setValue('Use spaces.')
    await waits([tests], 'session-2')
    expect(useComposer().text).toBe('')
    await waits([tabs, tests])
    expect(useComposer().text).toBe('Use spaces.')
  })

  it('that changed nothing leaves nothing behind', async () => {
    await waits([tests])
    expect(useComposer().text).toBe('')
    expect(announce).not.toHaveBeenCalled()
  })
})
