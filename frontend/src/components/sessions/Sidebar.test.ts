import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { SessionEntry } from '../../api/types'
import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import { useSessions } from '../../stores/sessions'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { eventsOf, start } from '../../testing/events'
import { press } from '../../testing/keys'
import { readEvents, readSessions, readState, stateWith } from '../../testing/routes'
import { entry } from '../../testing/sessions'
import { announce } from '../base/announce'
import Sidebar from './Sidebar.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)

let page: VueWrapper
let listed: SessionEntry[]
let further: boolean
/** The archived ones. */
let kept: SessionEntry[]

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  vi.stubGlobal('innerWidth', 1280)
  const today = { updatedAt: Date.now() }
  listed = [entry('a', today), entry('b', today), entry('c', today)]
  further = false
  kept = []
  readSessions.mockImplementation(async (_, archived) => ({
    sessions: archived ? kept : listed,
    more: further,
    archived: kept.length,
  }))
  readState.mockImplementation(async () => stateWith({ sessionId: 'b' }))
  readEvents.mockResolvedValue([])
})
afterEach(() => {
  language.value = 'en'
})

async function open(): Promise<void> {
  await useWindow().refresh()
  page = mount(Sidebar, { attachTo: document.body })
  await flushPromises()
}

const rows = () => page.findAll<HTMLElement>('.row')
const row = (id: string) => page.get<HTMLElement>(`[data-session=${id}] .row`)
const field = () => page.get<HTMLInputElement>('input.field')
const button = (name: string) =>
  page.findAll('button').find((each) => (each.attributes('aria-label') ?? each.text()) === name)
/** The conversation whose row has the focus. */
const focused = () =>
  document.activeElement?.matches('.row')
    ? document.activeElement.closest<HTMLElement>('[data-session]')?.dataset.session
    : undefined

describe('UI-05 the list of conversations', () => {
  it('says what each is called and how it is, and which is shown', async () => {
    listed = [
      entry('x', { mark: 'running', folder: { path: '/home/ada/notes', name: 'notes' } }),
      ...['waiting', 'completed', 'filtered', 'interrupted'].map((mark, i) =>
        entry(i === 1 ? 'b' : mark, { mark, updatedAt: Date.now() }),
      ),
    ]
    await open()
    expect(page.get('nav').attributes('aria-label')).toBe('Conversations')
    expect(page.findAll('h2').map((each) => each.text())).toEqual(['Needs you', 'Running in notes', 'Today'])
    expect(rows().map((each) => each.text())).toEqual([
      'Title waiting, needs you',
      'Title x, running',
      'Title b, done',
      'Title filtered, failed',
      'Title interrupted, stopped',
    ])
    expect(rows().map((each) => each.get('svg').classes()[1])).toEqual([
      'waiting',
      'running',
      'done',
      'failed',
      'cancelled',
    ])
    expect(page.findAll('[aria-current=true]').map((each) => each.text())).toEqual(['Title b, done'])
    expect(row('x').attributes('title')).toBe('Title x · /home/ada/notes')
  })

  it('SEC-04 shows a title that a model wrote as what it is', async () => {
    listed = [entry('a', { title: '<b>x</b>\u202Egnp.exe' })]
    await open()
    expect(row('a').text()).toContain('<b>x</b>‹U+202E›gnp.exe')
    expect(row('a').find('b').exists()).toBe(false)
    expect(page.html()).not.toContain('\u202E')
  })

  it('says that there is none, once that is known', async () => {
    listed = []
    await open()
    expect(page.text()).toContain('No conversations yet.')
    language.value = 'zh-CN'
    await nextTick()
    expect(page.text()).toContain('还没有对话。')
  })

  it('says why it cannot be read, and reads it again', async () => {
    readSessions.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await open()
    expect(page.text()).not.toContain('No conversations yet.')
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(rows()).toHaveLength(3)
  })

  it('shows more where there are more', async () => {
    further = true
    await open()
    further = false
    await button('Show more')?.trigger('click')
    await flushPromises()
    expect(readSessions).toHaveBeenLastCalledWith(200)
    expect(button('Show more')).toBeUndefined()
  })

  it('has a button for a new one, which an empty one needs not', async () => {
    await open()
    expect(page.get('.new').attributes('disabled')).toBeDefined()
    useRuns().receive(eventsOf(start, 'run-1', 'b'))
    await nextTick()
    await page.get('.new').trigger('click')
    expect(page.emitted('conversation')).toHaveLength(1)
  })

  it('shows the one that is chosen', async () => {
    await open()
    await row('c').trigger('click')
    expect(bridge.showSession.mock.calls).toEqual([['c']])
  })
})

describe('UI-08 its keys', () => {
  it('Tab comes to the one that is shown; the arrows, Home and End go through all', async () => {
    await open()
    expect(rows().map((each) => each.attributes('tabindex'))).toEqual(['-1', '0', '-1'])
    row('b').element.focus()
    const gone: unknown[] = []
    for (const key of ['ArrowDown', 'ArrowDown', 'Home', 'ArrowUp', 'End', 'ArrowUp']) {
      await press(key)
      gone.push(focused())
    }
    expect(gone).toEqual(['c', 'c', 'a', 'a', 'c', 'b'])
    await press('ArrowUp')
    expect(rows().map((each) => each.attributes('tabindex'))).toEqual(['0', '-1', '-1'])
    await press('ArrowDown', { ctrlKey: true })
    expect(focused()).toBe('a')
  })

  it('the focus that comes to the list goes on to a row', async () => {
    await open()
    page.get<HTMLElement>('[data-pane]').element.focus()
    expect(focused()).toBe('b')
  })

  it('F2 renames in place, Enter saves, and the focus is on the row again', async () => {
    await open()
    row('b').element.focus()
    await press('F2')
    expect(document.activeElement).toBe(field().element)
    expect(field().element.value).toBe('Title b')
    // These move in the text.
    for (const key of ['Home', 'Delete']) expect((await press(key)).defaultPrevented).toBe(false)
    field().element.value = '  Better '
    await press('Enter')
    expect(bridge.renameSession.mock.calls).toEqual([['b', 'Better']])
    expect(focused()).toBe('b')
    expect([bridge.deleteSession, bridge.showSession].map((one) => one.mock.calls.length)).toEqual([0, 0])
  })

  it('UI-07 the Enter of an input method saves nothing', async () => {
    await open()
    row('b').element.focus()
    await press('F2')
    field().element.value = '好'
    await press('Enter', { isComposing: true })
    expect(page.find('input.field').exists()).toBe(true)
    expect(bridge.renameSession).not.toHaveBeenCalled()
  })

  it('Esc leaves the title as it was, and stops nothing', async () => {
    await open()
    row('b').element.focus()
    await press('F2')
    field().element.value = 'Worse'
    const seen = vi.fn<() => void>()
    window.addEventListener('keydown', seen)
    await press('Escape')
    window.removeEventListener('keydown', seen)
    expect([page.find('input.field').exists(), focused(), seen.mock.calls.length]).toEqual([false, 'b', 0])
    expect(bridge.renameSession).not.toHaveBeenCalled()
  })

  it.each([
    ['saves', 'Better', 1],
    ['changes nothing where nothing is written', '  ', 0],
    ['changes nothing where it is the same', 'Title b', 0],
  ])('who goes elsewhere %s', async (_, written, times) => {
    await open()
    row('b').element.focus()
    await press('F2')
    field().element.value = written
    field().element.blur()
    await flushPromises()
    expect(page.find('input.field').exists()).toBe(false)
    expect(bridge.renameSession).toHaveBeenCalledTimes(times)
  })

  it('Del deletes, the focus goes to the next row, and a key that is held down does no more', async () => {
    bridge.deleteSession.mockImplementation(async (id) => {
      listed = listed.filter((each) => each.id !== id)
    })
    await open()
    row('b').element.focus()
    await press('Delete')
    expect([bridge.deleteSession.mock.calls, focused()]).toEqual([[['b']], 'c'])
    await press('Delete', { repeat: true })
    expect(bridge.deleteSession).toHaveBeenCalledOnce()
    await press('Delete')
    expect(focused()).toBe('a')
  })

  it('the row keeps the focus when it moves', async () => {
    await open()
    row('c').element.focus()
    // In a group of another day it is another element.
    listed = [...listed.slice(0, 2), entry('c', { updatedAt: 0 })]
    await useSessions().refresh()
    await flushPromises()
    expect(focused()).toBe('c')
  })
})

const menu = () => document.querySelector('[role=menu]')
const items = () => [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
const words = () => items().map((item) => item.querySelector('span')?.textContent)
const item = (name: string) => items().find((each) => each.textContent.startsWith(name))

describe('UI-11 the menu of a conversation', () => {
  it.each([
    ['ContextMenu', {}],
    ['F10', { shiftKey: true }],
  ])('%s opens it on the row, and Esc gives the focus back', async (key, more) => {
    await open()
    row('b').element.focus()
    await press(key, more)
    expect(menu()?.getAttribute('aria-label')).toBe('Title b')
    expect(words()).toEqual(['Pin', 'Rename', 'Copy as Markdown', 'Archive', 'Delete'])
    expect(items().map((each) => each.querySelector('kbd')?.textContent)).toEqual([
      'P',
      'F2',
      'C',
      'A',
      'Del',
    ])
    expect(document.activeElement).toBe(items()[0])
    await press('ArrowDown')
    await press('Escape')
    expect([menu(), focused()]).toEqual([null, 'b'])
  })

  it('opens at the pointer too, and with its button', async () => {
    await open()
    await row('c').trigger('contextmenu', { clientX: 5, clientY: 5 })
    expect(menu()?.getAttribute('aria-label')).toBe('Title c')
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await flushPromises()
    expect(menu()).toBeNull()
    const more = button('More for “Title a”')
    await more?.trigger('click')
    expect([menu()?.getAttribute('aria-label'), more?.attributes('aria-expanded')]).toEqual([
      'Title a',
      'true',
    ])
  })

  it('each line does what it says, and so does its key in the menu and on the row', async () => {
    await open()
    const calls = {
      P: () => bridge.pinSession.mock.calls,
      C: () => bridge.copyText.mock.calls,
      A: () => bridge.archiveSession.mock.calls,
      Delete: () => bridge.deleteSession.mock.calls,
    }
    const lines = { P: 'Pin', C: 'Copy as Markdown', A: 'Archive', Delete: 'Delete' }
    for (const key of ['P', 'C', 'A', 'Delete'] as const) {
      for (const how of ['row', 'key', 'line']) {
        row('b').element.focus()
        if (how !== 'row') await press('ContextMenu')
        if (how === 'line') item(lines[key])?.click()
        else await press(key)
        await flushPromises()
        expect(menu()).toBeNull()
      }
      expect([key, calls[key]().length]).toEqual([key, 3])
    }
    expect(bridge.pinSession).toHaveBeenCalledWith('b', true)
    expect(bridge.archiveSession).toHaveBeenCalledWith('b', true)
    expect(announce).toHaveBeenCalledWith('Pinned.')
    expect(announce).toHaveBeenCalledWith('Copied.')
  })

  it('has the title be written, with the cursor in it', async () => {
    await open()
    row('b').element.focus()
    await press('ContextMenu')
    item('Rename')?.click()
    await flushPromises()
    expect(document.activeElement).toBe(field().element)
  })

  it('of a pinned one unpins it', async () => {
    listed = [entry('b', { pinned: true })]
    await open()
    expect(page.get('h2').text()).toBe('Pinned')
    row('b').element.focus()
    await press('ContextMenu')
    item('Unpin')?.click()
    await flushPromises()
    expect(bridge.pinSession.mock.calls).toEqual([['b', false]])
    expect(announce).toHaveBeenCalledWith('Unpinned.')
  })
})

describe('UI-11 the archive', () => {
  it('is at the end, opens and closes, and gives back what is in it', async () => {
    await open()
    expect(page.text()).not.toContain('Archived')
    kept = [entry('k', { archived: true })]
    await useSessions().refresh()
    await flushPromises()
    const archived = button('Archived (1)')
    expect([archived?.attributes('aria-expanded'), rows().length]).toEqual(['false', 3])
    await archived?.trigger('click')
    await flushPromises()
    expect([archived?.attributes('aria-expanded'), rows().length]).toEqual(['true', 4])
    row('c').element.focus()
    await press('ArrowDown')
    expect(focused()).toBe('k')
    await press('ContextMenu')
    expect(words()).toContain('Unarchive')
    await press('A')
    expect(bridge.archiveSession.mock.calls).toEqual([['k', false]])
    expect(announce).toHaveBeenCalledWith('Unarchived.')
    await archived?.trigger('click')
    await flushPromises()
    expect(rows()).toHaveLength(3)
  })

  it('a conversation that goes there can be taken back', async () => {
    bridge.archiveSession.mockImplementation(async (id, on) => {
      if (on) listed = listed.filter((each) => each.id !== id)
    })
    await open()
    row('b').element.focus()
    await press('A')
    expect([page.get('.removed').text(), focused()]).toEqual(['Archived “Title b”.Undo', 'c'])
    await button('Undo')?.trigger('click')
    await flushPromises()
    expect(bridge.archiveSession.mock.calls).toEqual([
      ['b', true],
      ['b', false],
    ])
    expect(bridge.restoreSession).not.toHaveBeenCalled()
  })
})

it('UI-11 says what runs in a conversation, and that it has a draft', async () => {
  listed = [entry('a', { processes: 2, updatedAt: Date.now() }), entry('b', { draft: true })]
  await open()
  expect(page.get('h2').text()).toBe('Running')
  expect(row('a').text()).toContain('2 commands running, done')
  expect(row('b').text()).toContain('Draft, done')
})

describe('UI-05 a deleted conversation', () => {
  beforeEach(async () => {
    await open()
    row('a').element.focus()
    await press('Delete')
  })

  it('is announced, and comes back', async () => {
    expect(page.get('.removed').text()).toContain('Deleted “Title a”.')
    expect(announce).toHaveBeenCalledWith('Deleted “Title a”.')
    const focus = useComposer().wanted
    const undo = page.get<HTMLElement>('.removed button')
    undo.element.focus()
    await undo.trigger('click')
    await flushPromises()
    expect(bridge.restoreSession.mock.calls).toEqual([['a']])
    expect(page.find('.removed').exists()).toBe(false)
    expect(useComposer().wanted).toBe(focus + 1)
  })

  it('that does not come back is said, until that is dismissed', async () => {
    bridge.restoreSession.mockRejectedValue(new Fault('NOT_FOUND', 'it is gone for good'))
    await button('Undo')?.trigger('click')
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('it is gone for good')
    await button('Close')?.trigger('click')
    expect(page.find('[role=alert]').exists()).toBe(false)
  })
})

describe('where it lies over the conversation', () => {
  beforeEach(async () => {
    vi.stubGlobal('innerWidth', 850)
    await useSessions().refresh()
    useShell().sidebar = true
    await open()
  })

  it('takes the focus, and goes once one is chosen', async () => {
    expect(focused()).toBe('b')
    const { wanted } = useComposer()
    await row('c').trigger('click')
    await flushPromises()
    expect([useShell().sidebar, useComposer().wanted]).toEqual([false, wanted + 1])
  })

  it('stays when that one cannot be shown', async () => {
    bridge.showSession.mockRejectedValue(new Fault('BUSY', 'another window works on it'))
    await row('c').trigger('click')
    await flushPromises()
    expect(useShell().sidebar).toBe(true)
    expect(page.get('[role=alert]').text()).toContain('another window works on it')
  })
})
