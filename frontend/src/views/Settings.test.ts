import { readFileSync } from 'node:fs'

import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../api/fault'
import type { Setting, SettingsList, State } from '../api/types'
import { items } from '../components/settings/items'
import { duration, language } from '../i18n'
import { useSettings } from '../stores/settings'
import { sections, useShell, type Section } from '../stores/shell'
import { useWindow } from '../stores/window'
import * as bridge from '../testing/bridge'
import { folder, readDoctor, readModels, readSettings, readState, stateWith } from '../testing/routes'
import { all, listOf, settingOf } from '../testing/settings'
import Settings from './Settings.vue'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let page: VueWrapper
let list: SettingsList

beforeEach(() => {
  setActivePinia(createPinia())
  vi.clearAllMocks()
  list = listOf()
  bridge.detect.mockResolvedValue([])
  bridge.providers.mockResolvedValue([])
  bridge.ownProviders.mockResolvedValue([])
  readModels.mockResolvedValue([])
  readSettings.mockImplementation(async () => list)
  bridge.setSetting.mockImplementation(async (key, value) => {
    const was = list.settings.find((each) => each.key === key) ?? settingOf(key)
    const now: Setting = { ...was, value: value || was.default, from: value === '' ? 'default' : 'file' }
    list = listOf([...list.settings.filter((each) => each.key !== key), now])
    return null
  })
  language.value = 'en'
})

async function open(section: Section, given: Partial<State> = {}): Promise<void> {
  readState.mockResolvedValue(stateWith({ workspace: folder, ...given }))
  await useWindow().refresh()
  useShell().settings = section
  page = mount(Settings, { attachTo: document.body })
  await flushPromises()
}

/** The setting that is called so. */
function setting(title: string) {
  const found = page
    .findAll('.setting')
    .find(
      (each) =>
        each.find('label').text() === title ||
        (each.find('.text').exists() && each.get('.text').text() === title),
    )
  if (!found) throw new Error(`there is no ${title}: ${page.text()}`)
  return found
}

async function write(title: string, value: string): Promise<void> {
  await setting(title).get('input, textarea, select').setValue(value)
  await setting(title).get('input, textarea, select').trigger('change')
  await flushPromises()
}

/** What a part of the page has, where it is sought. */
const part = (item: string) => page.get(`[data-item="${item}"]`).element

const titles = () =>
  page
    .findAll('.setting')
    .map((each) => (each.find('.label').exists() ? each.get('.label') : each.get('.text')).text())

const search = (words: string) => page.get('input[type=search]').setValue(words)

describe('UI-13 the page of settings', () => {
  it('can be searched at once where no part of it is meant', async () => {
    await useShell().openSettings()
    await open('models')
    expect(document.activeElement).toBe(page.get('input[type=search]').element)
  })

  it('leads to what is sought, once it was read', async () => {
    const shell = useShell()
    let read: (list: SettingsList) => void = () => {}
    readSettings.mockReturnValueOnce(new Promise((resolve) => (read = resolve)))
    await shell.openSettings('limits', 'keys.parallel')
    await open('limits')
    expect(document.activeElement).toBe(page.get('h1').element)
    read(list)
    await flushPromises()
    expect(part('keys.parallel').contains(document.activeElement)).toBe(true)
    expect(shell.sought).toBeNull()

    // In another part of the page that is open; what has no control is led to as a whole.
    await search('folder')
    await shell.openSettings('about', 'parts.version')
    await flushPromises()
    expect(document.activeElement).toBe(part('parts.version'))
    // What is typed later stays, whatever is read meanwhile.
    await search('doctor')
    list = listOf()
    await useSettings().read()
    await flushPromises()
    expect(page.get<HTMLInputElement>('input[type=search]').element.value).toBe('doctor')
  })

  it('leads nowhere once another part was chosen', async () => {
    const shell = useShell()
    readSettings.mockReturnValueOnce(new Promise(() => {}))
    await shell.openSettings('limits', 'keys.parallel')
    await open('limits')
    const about = page.findAll('.to').find((each) => each.text() === 'About')
    await about?.trigger('click')
    await useSettings().read()
    await page
      .findAll('.to')
      .find((each) => each.text() === 'Limits')
      ?.trigger('click')
    await flushPromises()
    expect(part('keys.parallel').contains(document.activeElement)).toBe(false)
    expect(page.get('h1').text()).toBe('Limits')
  })

  it('has every setting of the file once, and words for each', () => {
    const documented = [...readFileSync('../docs/settings.md', 'utf8').matchAll(/^\| `(?<key>\w+)` \|/gm)]
    const keys = documented.map(({ groups }) => groups?.key ?? '').toSorted()
    const shown = Object.values(items).flat()
    expect(keys.length).toBeGreaterThan(30)
    expect(
      shown
        .filter((item) => item.startsWith('keys.'))
        .map((item) => item.slice(5))
        .toSorted(),
    ).toEqual(keys)
    expect(all.map(({ key }) => key).toSorted()).toEqual(keys)
  })

  it('is gone through by keyboard, from the index at the left', async () => {
    await open('limits')
    expect(document.activeElement?.textContent).toBe('Limits')
    const index = page.findAll('nav button')
    expect(index.map((each) => each.text())).toEqual([
      'Models',
      'Permissions',
      'Limits',
      'Notifications',
      'Appearance',
      'Instructions',
      'Extensions',
      'Data',
      'Shortcuts',
      'About',
    ])
    expect(index.filter((each) => each.attributes('aria-current')).map((each) => each.text())).toEqual([
      'Limits',
    ])
    const limits = index[2]?.element
    if (limits instanceof HTMLElement) limits.focus()
    await page.get('nav').trigger('keydown', { key: 'ArrowDown' })
    expect(document.activeElement?.textContent?.trim()).toBe('Notifications')
    for (const section of sections) {
      useShell().settings = section
      await flushPromises()
      expect(page.get('h1').text()).not.toBe('')
    }
    await page.trigger('keydown', { key: 'Escape' })
    expect(useShell().settings).toBeNull()
  })

  it('is searched by title, effect and key, in both languages', async () => {
    await open('models')
    await search('MAX_ST')
    expect(titles()).toEqual(['Steps'])
    expect(page.get('h2').text()).toBe('Limits')
    await search('side by side')
    expect(titles()).toEqual(['Calls side by side'])
    await search('步数')
    expect(titles()).toEqual(['Steps'])
    expect(page.get('[role=status]').text()).toBe('1 setting found')
    await search('nothing at all')
    expect(page.get('h1').text()).toBe('No setting has these words.')
    await page.trigger('keydown', { key: 'Escape' })
    expect([useShell().settings, page.get<HTMLInputElement>('input[type=search]').element.value]).toEqual([
      'models',
      '',
    ])
  })

  it('speaks Chinese', async () => {
    language.value = 'zh-CN'
    await open('limits')
    expect(setting('步数').text()).toContain('任务在 50 步后停止。')
    expect(setting('任务时长').text()).toContain('任务在 30分钟后停止')
  })
})

describe('UI-13 a setting', () => {
  it('is saved at once, says so, and says what it does', async () => {
    await open('limits')
    expect(setting('Steps').text()).toContain('A task stops after 50 steps.')
    expect(setting('Time of a task').text()).toContain('A task stops after 30 minutes,')
    await write('Steps', '12')
    expect(bridge.setSetting.mock.calls).toEqual([['max_steps', '12']])
    expect(setting('Steps').text()).toContain('A task stops after 12 steps.')
    expect(setting('Steps').get('[role=status]').text()).toBe('Saved')
    await setting('Steps').get('button').trigger('click')
    await flushPromises()
    expect(bridge.setSetting.mock.lastCall).toEqual(['max_steps', ''])
    expect(setting('Steps').text()).toContain('50 steps')
  })

  it('is a switch or a choice where there are few values', async () => {
    await open('limits')
    const box = setting('Sum up long conversations').get<HTMLInputElement>('[role=switch]')
    await box.setValue(false)
    await flushPromises()
    expect(setting('Sum up long conversations').text()).toContain('Nothing is left out')
    useShell().settings = 'permissions'
    await nextTick()
    expect(
      setting('Approval in new conversations')
        .findAll('option')
        .map((each) => each.text()),
    ).toEqual(['Ask first', 'Show first', 'Draft', 'Edits pass', 'Read only'])
    await write('Approval in new conversations', 'none')
    await write('Folders that commands may read', '/home/ada/a\n\n /home/ada/b ')
    expect(bridge.setSetting.mock.calls).toEqual([
      ['compaction', 'false'],
      ['approve', 'none'],
      ['readable_folders', '/home/ada/a:/home/ada/b'],
    ])
    expect(setting('Folders that commands may read').get('textarea').element.value).toBe(
      '/home/ada/a\n/home/ada/b',
    )
  })

  it('that is wrong is said at its field, and what was typed stays', async () => {
    await open('limits')
    for (const [title, value, why] of [
      ['Steps', '501', 'A whole number from 1 to 500.'],
      ['Steps', '1.5', 'A whole number from 1 to 500.'],
      ['Temperature', '3', 'A number from 0 to 2.'],
      ['Time of a task', 'soon', 'A time up to 24h, such as 90s or 5m.'],
    ] as const) {
      await write(title, value)
      const field = setting(title).get<HTMLInputElement>('input')
      expect([setting(title).get('[role=alert]').text(), field.element.value]).toEqual([why, value])
      expect(field.attributes('aria-invalid')).toBe('true')
    }
    expect(bridge.setSetting).not.toHaveBeenCalled()
    bridge.setSetting.mockRejectedValue(new Fault('USAGE', 'run_timeout must be a duration up to 24h'))
    await write('Time of a task', '48h')
    expect(setting('Time of a task').get('[role=alert]').text()).toContain('up to 24h')
    expect(setting('Time of a task').get('input').element.value).toBe('48h')
  })

  it('that a variable sets cannot be changed, and says so', async () => {
    list = listOf([
      settingOf('max_steps', { kind: 'whole', low: 1, high: 500, value: '7', from: 'variable' }),
    ])
    await open('limits')
    expect(setting('Steps').get('input').attributes('disabled')).toBeDefined()
    expect(setting('Steps').text()).toContain('Set by the variable FAIRLEAD_MAX_STEPS')
  })

  it('of a broken file is shown with the line', async () => {
    list = listOf([], { fault: 'read settings /home/ada/.config/fairlead/config.toml:2:1: unknown key' })
    await open('limits')
    expect(page.get('.broken').text()).toContain('config.toml:2:1')
    await page.get('.broken button').trigger('click')
    expect(bridge.openOwn.mock.calls).toEqual([['file']])
  })
})

describe('UI-13 other parts', () => {
  it('UI-12 switch notices, and set how everything looks at once', async () => {
    await open('notifications', { silent: ['done'] })
    expect(page.findAll<HTMLInputElement>('[role=switch]').map((each) => each.element.checked)).toEqual([
      true,
      false,
      true,
    ])
    const shell = useShell()
    shell.settings = 'appearance'
    await nextTick()
    const [zoom, code] = page.findAll('select')
    await zoom?.setValue('1.25')
    await code?.setValue('15')
    for (const box of page.findAll('[role=switch]')) await box.setValue(true)
    expect(shell.layout).toMatchObject({ zoom: 1.25, codeSize: 15, wrap: true, tint: true })
    const { style, dataset } = document.documentElement
    expect([style.getPropertyValue('--code-size'), dataset.wrap, dataset.tint]).toEqual([
      '15px',
      'true',
      'true',
    ])
    shell.setZoom(1)
  })

  it.each([
    ['full', 'Commands are confined', '命令已隔离'],
    ['limited', 'Commands are partly confined', '命令部分隔离'],
    ['none', 'Commands are not confined', '命令未隔离'],
  ] as const)('SEC-02 say how far commands are confined: %s', async (level, english, chinese) => {
    await open('permissions', { confinement: { level, why: 'the kernel\u202E is too old' } })
    expect(page.get('.level').text()).toMatch(new RegExp(`^${english}.* the kernel‹U\\+202E› is too old$`))
    expect(page.get('.level svg').classes()).toContain(level)
    language.value = 'zh-CN'
    await nextTick()
    expect(page.get('.level').text()).toContain(chinese)
  })

  it('look for what is missing when asked, and open the log', async () => {
    await open('about')
    expect(readDoctor).not.toHaveBeenCalled()
    readDoctor.mockResolvedValue([{ name: 'keyring', state: 'missing', detail: 'no keyring\u202E' }])
    const look = page.findAll('button').find((each) => each.text() === 'Check')
    await look?.trigger('click')
    await flushPromises()
    expect(page.get('table').text()).toContain('no keyring‹U+202E›')
    useShell().settings = 'data'
    await flushPromises()
    await page.get('[aria-label="Open Log"]').trigger('click')
    expect(bridge.openOwn.mock.calls).toEqual([['log']])
    expect(page.text()).toContain('/home/ada/.local/state/fairlead/logs/fairlead.log')
  })
})

it('times are said in words', () => {
  expect(['90s', '1h30m', '0s', 'soon', ''].map(duration)).toEqual([
    '90 seconds',
    '1 hour 30 minutes',
    '',
    'soon',
    '',
  ])
})
