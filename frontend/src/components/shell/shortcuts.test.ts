import { enableAutoUnmount, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'

import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { eventsOf, start } from '../../testing/events'
import { folder, model, readEvents, readState, stateWith } from '../../testing/routes'
import { announce } from '../base/announce'
import { useActions } from './actions'
import { useShortcuts } from './shortcuts'

vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)

const stop = vi.fn<() => void>()
const conversation = vi.fn<() => void>()
const Page = defineComponent(() => {
  useShortcuts(useActions({ stop, conversation }), stop)
  return () => [
    h('input', { 'data-pane': '', class: 'first' }),
    h('div', { 'data-pane': '', tabindex: -1 }, h('button', 'inside')),
    h('div', { 'data-pane': '', tabindex: -1, class: 'away' }),
    h('p', ['text', h('a', { href: 'https://a.example/' }, 'link')]),
  ]
})

beforeEach(async () => {
  setActivePinia(createPinia())
  stop.mockReset()
  conversation.mockReset()
  vi.mocked(announce).mockReset()
  readState.mockReset().mockResolvedValue(stateWith({ workspace: folder, model, sessionId: 'session-1' }))
  readEvents.mockReset().mockResolvedValue([])
  await useWindow().refresh()
})

/** Presses a key; reports whether the web view may do what it does with it. */
function press(
  key: string,
  more: KeyboardEventInit & { at?: number } = {},
  target: EventTarget = document.body,
): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  if (more.at !== undefined) Object.defineProperty(event, 'timeStamp', { value: more.at })
  return target.dispatchEvent(event)
}

const ctrl = { ctrlKey: true }

function open() {
  return mount(Page, { attachTo: document.body })
}

describe('UI-08 the keys of the page', () => {
  it('move to the composer, the list, the side, settings, folder, another conversation', async () => {
    open()
    const [shell, composer] = [useShell(), useComposer()]
    const [list, side, wanted] = [shell.sidebar, shell.desk, composer.wanted]
    for (const key of ['l', 'b', 'i', 'n', '.']) expect(press(key, ctrl)).toBe(false)
    expect([shell.sidebar, shell.desk, composer.wanted]).toEqual([!list, !side, wanted + 1])
    expect([conversation.mock.calls.length, stop.mock.calls.length]).toEqual([1, 1])
    shell.desk = false
    press('j', ctrl)
    expect([shell.desk, shell.tab]).toEqual([true, 'processes'])
    press('o', ctrl)
    expect(shell.panel).toBe('folder')
    press(',', ctrl)
    await nextTick()
    expect([shell.panel, shell.settings]).toEqual([null, 'models'])
  })

  it('are those with nothing else pressed', () => {
    open()
    press('n', { ctrlKey: true, shiftKey: true })
    press('n', { ctrlKey: true, altKey: true })
    press('n')
    press('n', { ctrlKey: true, isComposing: true })
    expect(conversation).not.toHaveBeenCalled()
  })

  it('do nothing in the first run, but for the settings', async () => {
    setActivePinia(createPinia())
    readState.mockResolvedValue(stateWith())
    await useWindow().refresh()
    open()
    press('o', ctrl)
    expect(useShell().panel).toBeNull()
    press(',', ctrl)
    expect(useShell().panel).toBe('settings')
  })

  it('make everything larger and smaller, on any keyboard', () => {
    open()
    const sizes = ['=', '+', '-', '0'].map((key) => {
      expect(press(key, { ctrlKey: true, shiftKey: key === '+' })).toBe(false)
      return useShell().zoom
    })
    expect(sizes).toEqual([1.1, 1.25, 1.1, 1])
    expect(press('0')).toBe(true)
  })

  it('F6 goes round the parts of the page that are there', () => {
    // jsdom lays nothing out.
    vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(function (this: Element) {
      return { length: this.className === 'away' ? 0 : 1 } as DOMRectList
    })
    const page = open()
    const at = () => document.activeElement?.className
    press('F6')
    expect(at()).toBe('first')
    page.get<HTMLElement>('button').element.focus()
    press('F6')
    expect(at()).toBe('first')
    press('F6', { shiftKey: true })
    expect(document.activeElement).toBe(page.get('div').element)
  })

  it('are let go with the page', () => {
    open().unmount()
    expect(press('F5')).toBe(true)
  })
})

describe('UI-03 Esc Esc', () => {
  beforeEach(() => {
    useRuns().receive(eventsOf(start))
    open()
  })

  it('stops a run, and the first Esc says so', () => {
    press('Escape', { at: 1000 })
    expect(stop).not.toHaveBeenCalled()
    expect(vi.mocked(announce).mock.calls).toEqual([['Press Esc again to stop.']])
    press('Escape', { at: 2000 })
    expect(stop).toHaveBeenCalledOnce()
  })

  it('that takes the list away from the conversation does not count', () => {
    const shell = useShell()
    vi.stubGlobal('innerWidth', 850)
    window.dispatchEvent(new Event('resize'))
    shell.sidebar = true
    press('Escape', { at: 1000 })
    expect(shell.sidebar).toBe(false)
    press('Escape', { at: 1100 })
    expect(stop).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  it('that is slow stops nothing', () => {
    press('Escape', { at: 1000 })
    press('Escape', { at: 2001 })
    expect(stop).not.toHaveBeenCalled()
  })

  it('that closed something, or belongs to an input method, does not count', () => {
    const used = (event: Event) => event.preventDefault()
    document.body.addEventListener('keydown', used)
    press('Escape', { at: 1000 })
    document.body.removeEventListener('keydown', used)
    press('Escape', { at: 1100, isComposing: true })
    press('Escape', { at: 1200 })
    expect(stop).not.toHaveBeenCalled()
  })
})

describe('what the web view would do', () => {
  it.each([
    ['F5', {}],
    ['r', ctrl],
    ['R', { ctrlKey: true, shiftKey: true }],
    ['p', ctrl],
    ['f', ctrl],
    ['ArrowLeft', { altKey: true }],
    ['ArrowRight', { altKey: true }],
  ])('with %s %j is kept from it', (key, more) => {
    open()
    expect(press(key, more)).toBe(false)
  })

  it.each([
    ['a', ctrl],
    ['c', ctrl],
    ['v', ctrl],
    ['z', ctrl],
    ['ArrowLeft', {}],
    ['r', {}],
    ['Tab', {}],
  ])('with %s %j is left to it', (key, more) => {
    open()
    expect(press(key, more)).toBe(true)
  })

  it('with a menu is left to it where there is text to copy or paste', () => {
    const page = open()
    const menu = (selector: string) =>
      page
        .get(selector)
        .element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
    expect(menu('p')).toBe(false)
    expect(menu('input')).toBe(true)
    window.getSelection()?.selectAllChildren(page.get('p').element)
    expect(menu('p')).toBe(true)
    // The menu of a link would open it in the page.
    expect(menu('a')).toBe(false)
  })
})
