import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, provide } from 'vue'

import type { SavedModel } from '../../api/types'
import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { usePalette } from '../../stores/palette'
import { usePreview } from '../../stores/preview'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { eventsOf, start } from '../../testing/events'
import { press } from '../../testing/keys'
import { findTitles, folder, model, readEvents, readNames, readState, stateWith } from '../../testing/routes'
import { entry } from '../../testing/sessions'
import { isFor, useActions } from '../shell/actions'
import { actionsKey } from '../shell/slash'
import { useShortcuts } from '../shell/shortcuts'
import { parse } from './entries'
import KeysPage from './KeysPage.vue'
import Palette from './Palette.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let page: VueWrapper
const stop = vi.fn<() => void>()
const conversation = vi.fn<() => void>()

const Page = defineComponent(() => {
  const palette = usePalette()
  const actions = useActions({ stop, conversation })
  useShortcuts(actions, stop)
  provide(actionsKey, actions)
  return () => [
    h('textarea'),
    palette.open === 'list' ? h(Palette, { actions }) : null,
    palette.open === 'keys' ? h(KeysPage) : null,
  ]
})

const favourite: SavedModel = {
  provider: 'openai',
  title: '',
  baseUrl: 'https://a.example/v1',
  model: 'gpt-large',
  effort: '',
}

beforeEach(async () => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  vi.stubGlobal('innerWidth', 1280)
  readState.mockResolvedValue(stateWith({ workspace: folder, model, favourites: [favourite] }))
  findTitles.mockImplementation(async (text) => ({
    sessions: text === '' || 'the parser'.includes(text) ? [entry('s1', { title: 'Fix the parser' })] : [],
    more: false,
    archived: 0,
  }))
  readNames.mockImplementation(async (typed) => ({
    names:
      typed === ''
        ? []
        : [
            { path: 'src/parser.go', folder: false },
            { path: 'src', folder: true },
          ],
    whole: true,
  }))
  await useWindow().refresh()
  page = mount(Page, { attachTo: document.body })
  page.get('textarea').element.focus()
})
afterEach(() => {
  language.value = 'en'
})

const ctrl = { ctrlKey: true }
const field = () => page.get<HTMLInputElement>('[role=combobox]')
async function type(words: string): Promise<void> {
  await field().setValue(words)
  await flushPromises()
}
const texts = () => page.findAll('[role=option]').map((each) => each.text())
const chosen = () => page.get('[aria-selected=true]').text()
const isOpen = () => page.find('[role=dialog]').exists()

describe('UI-09 one list for everything', () => {
  beforeEach(() => press('k', ctrl))

  it('has the last conversations first, then what can be done, with its keys', () => {
    expect(document.activeElement).toBe(field().element)
    expect(texts()[0]).toContain('Fix the parser')
    expect(texts()).toContain('Review changesCtrl+Shift+D')
    expect(texts()).toContain('Theme: dark')
    // Nothing runs, so nothing can be stopped.
    expect(texts().some((text) => text.startsWith('Stop'))).toBe(false)
    expect(readNames).not.toHaveBeenCalled()
  })

  it('finds actions, conversations, files and models by words', async () => {
    await type('parser')
    expect(texts()).toEqual([expect.stringMatching(/^Fix the parser/), 'src/parser.goFile'])
    await type('dark THEME')
    expect(texts()[0]).toBe('Theme: dark')
    await type('large')
    expect(texts()).toContain('gpt-largeModel')
    await type('no such thing')
    expect(texts()).toEqual(['src/parser.goFile'])
    readNames.mockResolvedValue({ names: [], whole: true })
    await type('no such thing at all')
    expect(page.get('[role=status]').text()).toBe('Nothing fits.')
  })

  it('speaks the language that was chosen', async () => {
    language.value = 'zh-CN'
    await type('深色')
    expect(texts()[0]).toBe('主题：深色')
  })

  it.each([
    ['>changes review', ['Review changesCtrl+Shift+D']],
    ['#', [expect.stringMatching(/^Fix the parser/)]],
    ['@parser', ['src/parser.goFile']],
    [':', ['gpt-largeModel']],
  ])('shows with %s only what that stands for', async (typed, shown) => {
    await type(typed)
    expect(texts()).toEqual(shown)
  })

  it('is gone through with the arrows, and what is chosen stays when others come', async () => {
    await type('parser')
    await press('ArrowDown')
    expect(chosen()).toContain('src/parser.go')
    await press('ArrowDown')
    expect(chosen()).toContain('Fix the parser')
    await press('ArrowUp')
    expect(chosen()).toContain('src/parser.go')
    expect(field().attributes('aria-activedescendant')).toBe(
      page.get('[aria-selected=true]').attributes('id'),
    )
  })

  it('does what is chosen, with the focus back where it was', async () => {
    await type('theme dark')
    await press('Enter')
    expect(isOpen()).toBe(false)
    expect(bridge.setTheme).toHaveBeenCalledWith('dark')
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('opens a file, or names it in the field', async () => {
    await type('@parser')
    await press('Enter')
    expect(usePreview().path).toBe('src/parser.go')
    useComposer().text = 'Look at'
    await press('p', ctrl)
    expect(field().element.value).toBe('@')
    await type('@parser')
    await press('Enter', ctrl)
    expect(useComposer().text).toBe('Look at src/parser.go ')
  })

  it('shows a conversation, and chooses a model', async () => {
    const shell = useShell()
    shell.settings = 'models'
    await type('#')
    await press('Enter')
    expect(bridge.showSession).toHaveBeenCalledWith('s1')
    expect(shell.settings).toBeNull()
    await press('e', ctrl)
    expect(field().element.value).toBe('#')
    await type(':large')
    await press('Enter')
    expect(bridge.chooseModel).toHaveBeenCalledWith(expect.objectContaining({ model: 'gpt-large' }))
  })

  it('has the models that were in use too, each once', async () => {
    const recentModels = [favourite, { ...favourite, model: 'gpt-small' }]
    readState.mockResolvedValue(
      stateWith({ workspace: folder, model, favourites: [favourite], recentModels }),
    )
    await useWindow().refresh()
    await type(':')
    expect(texts()).toEqual(['gpt-largeModel', 'gpt-smallModel'])
  })

  it('leads to a setting, those that are called so first', async () => {
    const shell = useShell()
    await type(',call')
    const called = texts().map((text) => /call.*Settings/i.test(text))
    expect(called).toEqual(called.toSorted((a, b) => Number(b) - Number(a)))
    expect(new Set(called).size).toBe(2)
    await type(',steps')
    expect(texts()[0]).toBe('StepsSettings · Limits')
    await press('Enter')
    expect(isOpen()).toBe(false)
    expect(shell.settings).toBe('limits')
    expect(shell.sought).toBe('keys.max_steps')
  })

  it('offers no setting where there is no page for it yet', async () => {
    setActivePinia(createPinia())
    readState.mockResolvedValue(stateWith({}))
    await useWindow().refresh()
    page = mount(Page, { attachTo: document.body })
    usePalette().show(',steps')
    await flushPromises()
    expect(texts()).toEqual([])
  })

  it('is closed with Esc, its own key and a press beside it; not by an input method', async () => {
    await press('Escape', { isComposing: true })
    expect(isOpen()).toBe(true)
    await press('Escape')
    expect(isOpen()).toBe(false)
    expect(stop).not.toHaveBeenCalled()
    await press('P', { ctrlKey: true, shiftKey: true })
    expect(isOpen()).toBe(true)
    await press('k', ctrl)
    expect(isOpen()).toBe(false)
    await press('k', ctrl)
    await page.get('.over').trigger('pointerdown')
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('asks again while the folder is looked through for the first time', async () => {
    vi.useFakeTimers()
    readNames.mockResolvedValueOnce({ names: [], whole: false })
    await type('@parser')
    expect(texts()).toEqual([])
    await vi.advanceTimersByTimeAsync(60)
    expect(texts()).toEqual(['src/parser.goFile'])
    vi.useRealTimers()
  })
})

describe('UI-11 the conversation that is shown', () => {
  const ended = eventsOf(
    [...start, ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 1000 }]],
    'run-1',
    's1',
  )
  beforeEach(async () => {
    readEvents.mockResolvedValue(ended)
    const shown = { sessionId: 's1', title: 'Fix the parser', runs: [{ runId: 'run-1', ended: true }] }
    readState.mockResolvedValue(stateWith({ workspace: folder, model, ...shown }))
    await useWindow().refresh()
    await flushPromises()
  })

  it.each([
    ['pin', 'd', {}, 'Pin or unpin this conversation', () => bridge.pinSession],
    [
      'archive',
      'A',
      { shiftKey: true },
      'Archive or unarchive this conversation',
      () => bridge.archiveSession,
    ],
  ] as const)('%s by its key, and in the list', async (_, key, more, name, call) => {
    await press(key, { ...ctrl, ...more })
    expect(call().mock.calls).toEqual([['s1', true]])
    await press('k', ctrl)
    await type(`>${name}`)
    await press('Enter')
    await flushPromises()
    expect(call().mock.calls).toEqual([
      ['s1', true],
      ['s1', true],
    ])
  })

  it('is not archived while its task is running', async () => {
    useRuns().receive(eventsOf(start, 'run-2', 's1'))
    await press('A', { ...ctrl, shiftKey: true })
    expect(bridge.archiveSession).not.toHaveBeenCalled()
  })
})

describe('UI-08 the page of keys', () => {
  it('lists every key, and is closed with Esc', async () => {
    await press('/', ctrl)
    const dialog = page.get('[role=dialog]')
    expect(dialog.text()).toContain('Keyboard shortcuts')
    for (const keys of ['Ctrl+K', 'Ctrl+Shift+F', 'Ctrl++', 'F6', 'Alt+A', 'F2'])
      expect(dialog.text()).toContain(keys)
    await press('Escape')
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('is reached through the list, with the focus where it was before that', async () => {
    await press('k', ctrl)
    await type('shortcuts')
    await press('Enter')
    expect(page.get('[role=dialog]').text()).toContain('Keyboard shortcuts')
    await press('Escape')
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('has no key twice', () => {
    const actions = useActions({ stop, conversation })
    for (const action of actions.filter(({ keys }) => keys !== undefined)) {
      const key = action.keys?.split(/\+(?!$)/).at(-1) ?? ''
      const event = new KeyboardEvent('keydown', {
        key,
        ctrlKey: action.keys?.includes('Mod') ?? false,
        shiftKey: action.keys?.includes('Shift') ?? false,
      })
      const takers = actions.filter((each) => each.id !== 'undo' && isFor(each, event)).map(({ id }) => id)
      expect(takers).toEqual(action.id === 'undo' ? [] : [action.id])
    }
  })
})

it('UI-09 a sign says what is wanted', () => {
  expect(parse('')).toEqual({ kind: null, words: '' })
  expect(parse('@ src')).toEqual({ kind: 'files', words: 'src' })
  expect(parse('a@b')).toEqual({ kind: null, words: 'a@b' })
})
