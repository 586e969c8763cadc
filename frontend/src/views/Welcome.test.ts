import { flushPromises, mount, type DOMWrapper, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../api/fault'
import type { State } from '../api/types'
import { language } from '../i18n'
import { useWindow } from '../stores/window'
import * as bridge from '../testing/bridge'
import { folder, model, readEvents, readModels, readState, stateWith } from '../testing/routes'
import Welcome from './Welcome.vue'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let page: VueWrapper
let state: State

const ollama = { ...model, models: ['qwen3:8b', 'llama3.2:3b'] }
const openai = {
  name: 'openai',
  title: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  needsKey: true,
  keyEnv: 'OPENAI_API_KEY',
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  state = stateWith()
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  bridge.detect.mockResolvedValue([ollama])
  bridge.providers.mockResolvedValue([openai])
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
    expect(page.text()).toContain('Ollama isn’t running on this computer.')
    await click('Look again')
    expect(page.text()).toContain('found · 2 models')
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

  it('is not changed by a dialog that was put away', async () => {
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
    await field('API key').setValue('sk-canary-1')
  })

  it('shows what will be called, whatever was pasted', async () => {
    await field('Base URL').setValue('https://a.example/v1/chat/completions')
    expect(page.text()).toContain('→ https://a.example/v1/chat/completions')
    await field('Base URL').trigger('change')
    expect((field('Base URL').element as HTMLInputElement).value).toBe('https://a.example/v1')
  })

  it('is tested at once, with what came of it', async () => {
    bridge.testModel.mockResolvedValue({ url: '', listed: true, total: 61, known: false, ms: 412, ref: '' })
    readModels.mockResolvedValue(['gpt-a', 'gpt-b'])
    await click('Test')
    expect(page.text()).toContain('61 models · 0.4 s')
    await field('Model name').setValue('gpt-c')
    expect(page.text()).toContain('gpt-c is not among them.')
    await field('Model name').setValue('gpt-b')
    expect(page.text()).not.toContain('is not among them.')
  })

  it('that refuses the key says so', async () => {
    bridge.testModel.mockRejectedValue(new Fault('AUTH', '401 from api.openai.com'))
    await click('Test')
    expect(alert()).toContain('The provider refused the key.')
    expect(alert()).toContain('401 from api.openai.com')
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
