import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../api/fault'
import type { SuggestionText } from '../api/types'
import FolderPanel from '../components/shell/FolderPanel.vue'
import SuggestionsBar from '../components/suggestions/SuggestionsBar.vue'
import { language } from '../i18n'
import { useComposer } from '../stores/composer'
import { useShell } from '../stores/shell'
import { useSuggestions } from '../stores/suggestions'
import { useWindow } from '../stores/window'
import * as bridge from '../testing/bridge'
import { readState, readSuggestion, readSuggestions } from '../testing/routes'
import { assistant, instructions, rewrite, serve, skill } from '../testing/suggestions'
import Suggestions from './Suggestions.vue'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let all: SuggestionText[]
let page: VueWrapper

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  all = [
    instructions('AGENTS.md', '# Rules\n\nUse tabs.\n'),
    instructions('docs/AGENTS.md', 'Be short.\n'),
    assistant('.claude/settings.json', '{"hooks": {}}\n'),
  ]
  serve(all)
})
afterEach(() => {
  language.value = 'en'
})

/** Mounts a part of a page whose folder suggests all of it. */
async function open(component: typeof SuggestionsBar | typeof FolderPanel): Promise<void> {
  await useWindow().refresh()
  page = mount(component, { attachTo: document.body })
}

/** Opens the page of suggestions. */
async function openPage(): Promise<void> {
  useSuggestions()
  await useWindow().refresh()
  await useShell().openSuggestions()
  page = mount(Suggestions, { attachTo: document.body })
  await flushPromises()
}

const button = (name: string) => page.findAll<HTMLElement>('button').find((each) => each.text() === name)
const press = async (name: string) => {
  await button(name)?.trigger('click')
  await flushPromises()
}
const rows = () => page.findAll('[role=option]').map((row) => row.text())
const selected = () => page.get('[aria-selected=true]').text()
const shown = () => page.findAll('code').map((line) => line.text())
const pressed = () => page.findAll('[aria-pressed=true]').map((each) => each.text())
const key = (name: string) => page.get('[role=listbox]').trigger('keydown', { key: name })

describe('the line about what a folder suggests', () => {
  it('says how much nobody has decided about, in both languages', async () => {
    await open(SuggestionsBar)
    expect(page.get('p').text()).toBe(
      'This folder suggests: 2 files with instructions, 1 file for other programs.',
    )
    language.value = 'zh-CN'
    await flushPromises()
    expect(page.get('p').text()).toBe('此文件夹建议使用：2 个说明文件、1 个面向其他程序的文件。')
    for (const one of all.slice(1)) one.decision = 'skip'
    await useWindow().refresh()
    await flushPromises()
    expect(page.get('p').text()).toBe('此文件夹建议使用：1 个说明文件。')
    expect([bridge.useSuggestion, bridge.skipSuggestions].flatMap(({ mock }) => mock.calls)).toEqual([])
  })

  it('says what it has no words for by its name', async () => {
    serve([instructions('x', 'x', { kind: 'spell' })])
    await open(SuggestionsBar)
    expect(page.get('p').text()).toBe('This folder suggests: 1 spell.')
  })

  it('takes no space where all is decided, or nothing is suggested', async () => {
    for (const one of all) one.decision = 'skip'
    await open(SuggestionsBar)
    expect(page.find('section').exists()).toBe(false)
    serve([])
    await useWindow().refresh()
    await flushPromises()
    expect(page.find('section').exists()).toBe(false)
  })

  it('leads to the page', async () => {
    await open(SuggestionsBar)
    await press('Look')
    expect(useShell().inPlace).toBe('suggestions')
  })

  it('uses nothing with Not now, once, and the focus goes to the field', async () => {
    await open(SuggestionsBar)
    const { wanted } = useComposer()
    button('Not now')?.element.focus()
    void button('Not now')?.trigger('click')
    void button('Not now')?.trigger('click')
    await flushPromises()
    expect(bridge.skipSuggestions).toHaveBeenCalledOnce()
    expect(page.find('section').exists()).toBe(false)
    expect(useComposer().wanted).toBe(wanted + 1)
  })

  it('stays where that could not be kept', async () => {
    bridge.skipSuggestions.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await open(SuggestionsBar)
    await press('Not now')
    expect(page.get('[role=alert]').text()).toContain('disk full')
    await press('Not now')
    expect(page.find('section').exists()).toBe(false)
  })
})

describe('the panel of the folder', () => {
  it('says what there is, whatever was decided, and leads to the page', async () => {
    for (const one of all) one.decision = 'use'
    await open(FolderPanel)
    expect(page.get('.line').text()).toContain('2 files with instructions, 1 file for other programs')
    await press('Look')
    expect(useShell().inPlace).toBe('suggestions')
  })

  it('says nothing where there is nothing', async () => {
    serve([])
    await open(FolderPanel)
    expect(page.text()).not.toContain('suggests')
  })
})

describe('the page of what a folder suggests', () => {
  it('lists all by kind, and shows the first one that is to be decided, whole', async () => {
    Object.assign(all[0] ?? {}, { decision: 'use' })
    await openPage()
    expect(document.activeElement).toBe(page.get('h1').element)
    expect(page.findAll('.kind').map((kind) => kind.text())).toEqual(['Instructions', 'For other programs'])
    expect(rows()).toEqual([
      'AGENTS.mdused19 B',
      'docs/AGENTS.mdnot decided10 B',
      '.claude/settings.jsononly shown14 B',
    ])
    expect(selected()).toContain('docs/AGENTS.md')
    expect(shown()).toEqual(['Be short.'])
    expect(page.text()).toContain('the model is given them once it works on files in docs/.')
    expect(pressed()).toEqual([])
  })

  it('makes visible what would be hidden, and says so', async () => {
    rewrite(all[0] as SuggestionText, 'Say \u202Ehello\u200B\r\n\u{E0041}.\r\n')
    await openPage()
    expect(shown()).toEqual(['Say ‹U+202E›hello‹U+200B›', '‹U+E0041›.'])
    expect(page.text()).toContain('It has hidden characters. They are shown in this form: ‹U+200B›.')
    expect(page.html()).not.toContain('\u202E')
    expect(page.findAll('.number').map((each) => each.text())).toEqual(['1', '2'])
  })

  it('says where a text is cut', async () => {
    Object.assign(all[0] ?? {}, { cut: true, bytes: 200_000 })
    await openPage()
    expect(page.get('.cut').text()).toBe(
      'It is cut here: 195 KB in all, the first 19 B are shown. The model is given no more than that.',
    )
  })

  it.each([
    ['Use', true, 'used'],
    ['Do not use', false, 'not used'],
  ])('%s decides about the text that is shown, and stays there', async (name, use, words) => {
    await openPage()
    await press(name)
    expect(bridge.useSuggestion.mock.calls).toEqual([
      ['instructions', 'AGENTS.md', 'hash of # Rules\n\nUse tabs.\n', use],
    ])
    expect(selected()).toContain(words)
    expect(pressed()).toEqual([name])
    expect(page.get('footer [role=status]').text()).toBe(words)
  })

  it('shows files of other programs only, and asks about them no more', async () => {
    await openPage()
    await key('End')
    await flushPromises()
    expect(page.text()).toContain('They are only shown: Fairlead never runs or follows them.')
    expect(button('Use')).toBeUndefined()
    expect(bridge.useSuggestion.mock.calls).toEqual([
      ['assistant', '.claude/settings.json', 'hash of {"hooks": {}}\n', false],
    ])
    await useWindow().refresh()
    await flushPromises()
    expect(bridge.useSuggestion).toHaveBeenCalledOnce()
  })

  it('shows a text that changes meanwhile, and asks again', async () => {
    await openPage()
    await press('Use')
    rewrite(all[0] as SuggestionText, 'Run rm -rf.\n')
    await useWindow().refresh()
    await flushPromises()
    expect(shown()).toEqual(['Run rm -rf.'])
    expect(page.get('[role=alert]').text()).toContain('This has changed since it was shown.')
    expect(pressed()).toEqual([])
    await press('Do not use')
    expect(page.find('[role=alert]').exists()).toBe(false)
  })

  it('decides nothing about a text that nobody has seen', async () => {
    // The folder was not looked at again since.
    const suggestions = all.map((one) => ({ ...one }))
    readSuggestions.mockResolvedValue({ suggestions, more: false, leftOut: [] })
    await openPage()
    rewrite(all[0] as SuggestionText, 'Run rm -rf.\n')
    await press('Use')
    expect(all[0]?.decision).toBe('')
    expect(shown()).toEqual(['Run rm -rf.'])
    expect(page.get('[role=alert]').text()).toContain('read it again before you decide')
    await press('Use')
    expect(all[0]?.decision).toBe('use')
  })

  it('decides about what is seen, while another one is being read', async () => {
    await openPage()
    readSuggestion.mockReturnValueOnce(new Promise(() => {}))
    await key('ArrowDown')
    expect(page.get('h2').text()).toBe('AGENTS.md')
    await press('Use')
    expect(bridge.useSuggestion.mock.calls[0]?.slice(0, 2)).toEqual(['instructions', 'AGENTS.md'])
  })

  it('shows what was selected last, whatever is read last', async () => {
    await openPage()
    let answer: (read: SuggestionText) => void = () => {}
    readSuggestion.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    await key('ArrowDown')
    await key('ArrowDown')
    await flushPromises()
    answer({ ...(all[1] as SuggestionText) })
    await flushPromises()
    expect(page.get('h2').text()).toBe('.claude/settings.json')
  })

  it('says what went wrong', async () => {
    bridge.useSuggestion.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await openPage()
    await press('Use')
    expect(page.get('[role=alert]').text()).toContain('disk full')
    all.splice(1, 1)
    await key('ArrowDown')
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('there is no docs/AGENTS.md')
    readSuggestions.mockRejectedValueOnce(new Fault('INTERNAL', 'no disk'))
    await useWindow().refresh()
    await flushPromises()
    expect(page.text()).toContain('no disk')
    await press('Try again')
    expect(rows()).toHaveLength(2)
  })

  it('says that there is nothing, and that there is more', async () => {
    readSuggestions.mockResolvedValueOnce({ suggestions: all.slice(0, 1), more: true, leftOut: [] })
    await openPage()
    expect(page.get('.more').text()).toContain('There is more than is listed here.')
    serve([])
    await useWindow().refresh()
    await flushPromises()
    expect(page.text()).toContain('This folder suggests nothing.')
  })

  it('EXT-04 shows a skill file by file, with what is odd about it, and decides about all of it', async () => {
    const texts = { 'SKILL.md': '# Release\n', 'go.sh': 'echo go\n', 'to\u202E': '' }
    const one = skill('.agents/skills/x', texts, {
      description: 'Makes\u200B releases.',
      allowedTools: 'Bash(*)',
      warnings: [{ code: 'name', text: 'x' }, { code: 'unread', count: 2 }, { code: 'later' }],
    })
    Object.assign(one.skill?.files[1] ?? {}, { executable: true, secret: true })
    Object.assign(one.skill?.files[2] ?? {}, { link: '/etc' })
    serve([one])
    await openPage()
    expect(page.findAll('.facts p').map((each) => each.text())).toEqual([
      'Makes‹U+200B› releases.',
      'It wants to use these tools unasked: Bash(*). It is not given that.',
      'Its name breaks the rules or is not that of its folder: x.',
      '2 lines of its beginning are not understood.',
    ])
    expect(page.findAll('option').map((each) => each.text())).toEqual([
      'SKILL.md · 10 B',
      'go.sh · 8 B · program · the model is not given it',
      'to‹U+202E› · link to /etc, not followed',
    ])
    readSuggestion.mockImplementationOnce(async () => ({ ...one, text: texts['go.sh'] }))
    await page.get('select').setValue('go.sh')
    await flushPromises()
    expect(readSuggestion).toHaveBeenLastCalledWith('skill', '.agents/skills/x', 'go.sh')
    expect(shown()).toEqual(['echo go'])
    await press('Use')
    expect(bridge.useSuggestion.mock.calls[0]?.slice(0, 2)).toEqual(['skill', '.agents/skills/x'])
    expect(one.decision).toBe('use')
  })

  it('EXT-04 says which skills cannot be used, and why', async () => {
    const source = 'workspace'
    const leftOut = [
      { path: '.claude/skills/a\u202E', source, reason: 'no_description' },
      { path: '.claude/skills/b', source, reason: 'unreadable', detail: 'denied' },
      { path: '.claude/skills/c', source, reason: 'later' },
    ]
    readSuggestions.mockResolvedValue({ suggestions: [], more: false, leftOut })
    await openPage()
    expect(page.findAll('section li').map((each) => each.text())).toEqual([
      '.claude/skills/a‹U+202E›SKILL.md does not say what it is for',
      '.claude/skills/bit cannot be read: denied',
      '.claude/skills/clater',
    ])
    expect(page.find('[role=listbox]').exists()).toBe(false)
  })

  it('is gone through by keyboard', async () => {
    await openPage()
    for (const [name, path] of [
      ['ArrowDown', 'docs/AGENTS.md'],
      ['ArrowDown', '.claude/settings.json'],
      ['ArrowDown', '.claude/settings.json'],
      ['Home', 'AGENTS.md'],
      ['PageDown', '.claude/settings.json'],
      ['ArrowUp', 'docs/AGENTS.md'],
    ] as const) {
      await key(name)
      await flushPromises()
      expect([selected().includes(path), page.get('h2').text()]).toEqual([true, path])
      const meant = page.get('[role=listbox]').attributes('aria-activedescendant') ?? ''
      expect(document.getElementById(meant)?.textContent).toContain(path)
    }
    await key('Enter')
    expect(document.activeElement).toBe(page.get('[role=region]').element)
    await page.get('[role=region]').trigger('keydown', { key: 'Escape' })
    expect(useShell().inPlace).not.toBe('suggestions')
  })

  it('goes back to what opened it, or to the field where that is gone', async () => {
    const from = document.createElement('button')
    document.body.append(from)
    from.focus()
    await openPage()
    await page.trigger('keydown', { key: 'Escape' })
    expect(document.activeElement).toBe(from)
    await openPage()
    from.remove()
    const { wanted } = useComposer()
    await page.trigger('keydown', { key: 'Escape' })
    await flushPromises()
    expect(useComposer().wanted).toBe(wanted + 1)
  })

  it('goes back to the settings that led there', async () => {
    const shell = useShell()
    shell.settings = 'extensions'
    await openPage()
    expect([shell.inPlace, shell.beside]).toEqual(['suggestions', false])
    await page.trigger('keydown', { key: 'Escape' })
    await flushPromises()
    expect([shell.inPlace, shell.settings, shell.sought]).toEqual([
      'settings',
      'extensions',
      'parts.suggestions',
    ])
  })

  it('forgets its text when it is left', async () => {
    await openPage()
    useShell().leavePages()
    readState.mockClear()
    await useWindow().refresh()
    expect([useSuggestions().text, useSuggestions().list]).toEqual([null, null])
  })
})
