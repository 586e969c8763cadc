import { flushPromises, mount, type DOMWrapper, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../api/fault'
import type { State } from '../api/types'
import { language } from '../i18n'
import { useWindow } from '../stores/window'
import * as bridge from '../testing/bridge'
import { choose, openai, openrouter, provider, tested } from '../testing/models'
import { folder, model, readEvents, readModels, readState, stateWith } from '../testing/routes'
import Welcome from './Welcome.vue'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let page: VueWrapper
let state: State

const ollama = { ...model, models: ['qwen3:8b', 'llama3.2:3b'] }
beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  state = stateWith()
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  bridge.detect.mockResolvedValue([ollama])
  bridge.providers.mockResolvedValue([openai, openrouter])
  bridge.chooseModel.mockImplementation(async () => {
    state = { ...state, model }
    return model
  })
  bridge.chooseFolder.mockImplementation(async () => {
    state = { ...state, workspace: folder }
    return folder
  })
})
afterEach(() => {
  page.unmount()
  language.value = 'en'
})

async function open(given: Partial<State> = {}): Promise<void> {
  state = stateWith(given)
  await useWindow().refresh()
  page = mount(Welcome, { attachTo: document.body })
  await flushPromises()
}

function button(name: string): DOMWrapper<HTMLButtonElement> {
  const found = page.findAll('button').find((each) => each.text() === name)
  if (!found) throw new Error(`there is no button ${name}: ${page.text()}`)
  return found
}

/** The field that has this label. */
function field(label: string) {
  const named = page.findAll('label').find((each) => each.text() === label)
  return page.get(named ? `[id="${named.attributes('for')}"]` : `[aria-label="${label}"]`)
}

async function click(name: string): Promise<void> {
  await button(name).trigger('click')
  await flushPromises()
}

const alert = () => page.get('[role=alert]').text()

describe('UI-06 the first run', () => {
  it('needs a folder only where a model answers on this computer', async () => {
    await open()
    expect(page.text()).toContain('found · 2 models · no key needed')
    await click('Choose folder…')
    expect(page.text()).toContain(folder.path)
    await click('Start')
    expect(bridge.chooseModel.mock.calls[0]?.[0]).toMatchObject({ provider: 'ollama', model: 'qwen3:8b' })
    expect(useWindow().welcome).toBe(false)
  })

  it('says what is missing', async () => {
    bridge.detect.mockResolvedValue([])
    await open()
    await click('Start')
    expect(alert()).toBe('No model is chosen.')
    await field('Model name').setValue('gpt')
    await click('Start')
    expect(alert()).toBe('No folder is chosen.')
    expect(bridge.chooseModel).not.toHaveBeenCalled()
    expect(useWindow().welcome).toBe(true)
  })

  it('can wait', async () => {
    await open()
    await click('Later')
    expect(useWindow().welcome).toBe(false)
  })

  it('offers the guided tour, which needs nothing', async () => {
    bridge.startTour.mockImplementation(async () => {
      state = { ...state, tour: true }
      return { runId: 'r1', sessionId: 's1' }
    })
    await open()
    await click('Guided tour')
    expect(useWindow().welcome).toBe(false)
  })

  it('says when the tour did not begin, and tries again', async () => {
    bridge.startTour.mockRejectedValue(new Fault('INTERNAL', 'make the sample folder: disk full'))
    await open()
    await click('Guided tour')
    expect(alert()).toContain('make the sample folder: disk full')
    await click('Try again')
    expect(bridge.startTour).toHaveBeenCalledTimes(2)
  })

  it('looks for Ollama again', async () => {
    bridge.detect.mockResolvedValueOnce([])
    await open()
    expect(page.text()).toContain('None runs on this computer: Ollama, LM Studio or llama.cpp.')
    await click('Look again')
    expect(page.text()).toContain('found · 2 models')
  })

  it.each([
    ['ollama', 'Get one with: ollama pull qwen3:8b'],
    ['lmstudio', 'Load one there, then look again.'],
    ['llamacpp', 'Load one there, then look again.'],
  ])('says how a model comes to %s, which has none', async (name, wanted) => {
    bridge.detect.mockResolvedValue([{ ...ollama, provider: name, models: [] }])
    await open()
    expect(page.text()).toContain(wanted)
  })

  it('speaks Chinese', async () => {
    language.value = 'zh-CN'
    await open()
    expect(page.text()).toContain('已找到 · 2 个模型 · 不需要密钥')
    expect(button('开始').exists()).toBe(true)
  })
})

describe('the folder', () => {
  it('can be one of the recent ones', async () => {
    await open({ recent: ['/a/one', '/a/two'] })
    bridge.openFolder.mockResolvedValue(folder)
    await click('/a/two')
    expect(bridge.openFolder.mock.calls).toEqual([['/a/two']])
  })

  it('can be made by name', async () => {
    await open()
    await click('New workspace')
    expect(page.text()).toContain('It is made in /home/ada/Documents.')
    bridge.createFolder.mockRejectedValueOnce(new Fault('FOLDER_REFUSED', 'notes is there already'))
    await field('Name of the new workspace').setValue(' notes ')
    await page.get('form').trigger('submit')
    await flushPromises()
    expect(bridge.createFolder.mock.calls).toEqual([['notes']])
    expect(alert()).toContain('notes is there already')
  })

  it('is not changed by a dialog that was dismissed', async () => {
    await open()
    bridge.chooseFolder.mockResolvedValue({ path: '', name: '' })
    await click('Choose folder…')
    expect(page.text()).toContain('None chosen yet.')
    expect(page.find('[role=alert]').exists()).toBe(false)
  })
})

describe('a provider with a key', () => {
  beforeEach(async () => {
    bridge.detect.mockResolvedValue([])
    await open({ workspace: folder })
    await choose(field('Provider'), 'openai')
    await field('API key').setValue('sk-canary-1')
  })

  it('shows what will be called, whatever was pasted', async () => {
    await field('Base URL').setValue('https://a.example/v1/chat/completions')
    expect(page.text()).toContain('→ https://a.example/v1/chat/completions')
    await field('Base URL').trigger('change')
    expect((field('Base URL').element as HTMLInputElement).value).toBe('https://a.example/v1')
  })

  it('is tested at once, with what came of it', async () => {
    bridge.testModel.mockResolvedValue(tested({ total: 61 }))
    readModels.mockResolvedValue(['gpt-a', 'gpt-b'])
    await click('Test')
    const steps = () => page.findAll('ul[aria-label="What the test found"] li').map((each) => each.text())
    expect(steps()).toEqual([
      'Addressapi.openai.com answers · 0.4 s',
      'Keyaccepted',
      'Model61 models · choose one',
    ])
    await field('Model name').setValue('gpt-c')
    expect(steps().at(-1)).toBe('Modelgpt-c is not in the list of 61')
    await field('Model name').setValue('gpt-b')
    expect(steps().at(-1)).toBe('Modelgpt-b is there · 61 models')
    bridge.testModel.mockResolvedValue(tested({ total: 61, tools: 'called', toolsMs: 900 }))
    await click('Test')
    expect(steps().at(-1)).toBe('Tool callsanswers a tool call · 0.9 s')
  })

  it('is chosen by its key, and the key says whose it is', async () => {
    await field('API key').setValue('sk-or-v1-canary')
    expect((field('Base URL').element as HTMLInputElement).value).toBe(openrouter.baseUrl)
    expect(page.text()).toContain('OpenRouter key')
    await choose(field('Provider'), 'openai')
    expect(page.text()).toContain('This is a key of OpenRouter. It goes to api.openai.com.')
  })

  it('that refuses the key says so', async () => {
    bridge.testModel.mockRejectedValue(new Fault('AUTH', '401 from api.openai.com'))
    await click('Test')
    expect(alert()).toContain('Key: The provider refused the key.')
    expect(alert()).toContain('401 from api.openai.com')
  })

  it('says at which step its test failed, and tries again', async () => {
    bridge.testModel.mockRejectedValueOnce(new Fault('NETWORK', 'no such host', 'check the base URL'))
    await click('Test')
    expect(alert()).toBe(
      'Address: The address could not be reached.no such host; check the base URLTry again',
    )
    const toolsFault = { code: 'BAD_REQUEST', message: 'no tools\u202E here', hint: '' }
    bridge.testModel.mockResolvedValue(tested({ known: true, toolsFault }))
    readModels.mockResolvedValue(['gpt'])
    await field('Model name').setValue('gpt')
    await click('Try again')
    expect(alert()).toContain('Tool calls: The provider did not accept the request.no tools‹U+202E› here')
  })

  it('SEC-01 is used for this session where the keyring does not keep it', async () => {
    bridge.chooseModel.mockRejectedValueOnce(new Fault('KEYRING', 'no keyring answers'))
    await field('Model name').setValue('gpt')
    await click('Start')
    expect(alert()).toContain('The system keyring did not keep the key.')
    expect(useWindow().welcome).toBe(true)
    await click('Use for this session only')
    expect(bridge.chooseModel.mock.lastCall?.[0].keep).toBe('session')
    expect(useWindow().welcome).toBe(false)
  })

  it('SEC-01 keeps the key out of sight', () => {
    const key = field('API key')
    expect([key.attributes('type'), key.attributes('autocomplete')]).toEqual(['password', 'off'])
    expect(document.documentElement.outerHTML).not.toContain('sk-canary-1')
  })
})

describe('UI-14 a provider is found', () => {
  const value = () => (field('Provider').element as HTMLInputElement).value
  const offered = () =>
    page.findAll('[role=listbox][aria-label=Providers] [role=option]').map((each) => each.text())
  const deepseek = provider('deepseek', 'https://api.deepseek.com', {
    title: 'DeepSeek',
    aliases: ['深度求索'],
  })

  beforeEach(async () => {
    bridge.detect.mockResolvedValue([])
    bridge.providers.mockResolvedValue([openai, deepseek, openrouter])
    await open({ workspace: folder })
  })

  it('by what is typed of its name, in Chinese too', async () => {
    const search = field('Provider')
    await search.trigger('click')
    expect(offered()).toHaveLength(4)
    await search.setValue('深度')
    expect(offered()).toEqual(['DeepSeek深度求索'])
    await choose(search, '深度')
    expect([value(), search.attributes('aria-expanded')]).toEqual(['DeepSeek', 'false'])
    expect((field('Base URL').element as HTMLInputElement).value).toBe(deepseek.baseUrl)
  })

  it('with the arrow keys, and Esc leaves it as it is', async () => {
    const search = field('Provider')
    await search.trigger('keydown', { key: 'ArrowDown' })
    await search.trigger('keydown', { key: 'ArrowDown' })
    await search.trigger('keydown', { key: 'Enter' })
    await flushPromises()
    expect(value()).toBe('DeepSeek')
    await search.setValue('router')
    await search.trigger('keydown', { key: 'Escape' })
    expect(value()).toBe('DeepSeek')
  })

  it('not by the Enter of an input method, and not where none has the name', async () => {
    const search = field('Provider')
    await search.setValue('深度')
    await search.trigger('keydown', { key: 'Enter', isComposing: true })
    expect(search.attributes('aria-expanded')).toBe('true')
    await search.setValue('nobody')
    expect(page.text()).toContain('No provider matches.')
    await search.trigger('keydown', { key: 'Enter' })
    await search.trigger('blur')
    expect(value()).toBe('OpenAI')
  })

  it('by any key that tells, and asked for where the key does not', async () => {
    await field('API key').setValue('sk-or-v1-canary')
    expect(value()).toBe('OpenRouter')
    await field('API key').setValue('sk-canary-1')
    expect(value()).toBe('')
    expect(page.text()).toContain('The key does not tell which provider it is from.')
    await field('Model name').setValue('gpt')
    await click('Start')
    expect(bridge.chooseModel).not.toHaveBeenCalled()
    await choose(field('Provider'), 'deep')
    expect(page.text()).not.toContain('The key does not tell')
    await field('Model name').setValue('chat')
    await click('Start')
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ provider: 'deepseek', key: 'sk-canary-1' })
  })

  it('again by itself once the key is gone', async () => {
    await field('API key').setValue('sk-canary-1')
    await field('API key').setValue('')
    expect(value()).toBe('OpenAI')
  })

  it('by the address that is typed for such a key', async () => {
    await field('API key').setValue('sk-canary-1')
    await field('Base URL').setValue('https://a.example/v1')
    expect(value()).toBe('Another address')
    await field('API key').setValue('sk-canary-2')
    expect((field('Base URL').element as HTMLInputElement).value).toBe('https://a.example/v1')
  })
})
