import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { OfferedModels, State } from '../../api/types'
import { language } from '../../i18n'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { saved } from '../../testing/models'
import { gpt } from '../../testing/modelsScreen'
import { folder, readEvents, readOffered, readState, stateWith } from '../../testing/routes'
import { takeWanted } from '../models/wanted'
import Chips from './Chips.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let page: VueWrapper
let state: State

const unknown = { window: 0, priced: false, price: { prompt: 0, completion: 0, cached: 0 } }
const priced = { window: 131_072, priced: true, price: { prompt: 2.5, completion: 10, cached: 1 } }
const offered: OfferedModels = {
  provider: 'openai',
  title: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  listed: true,
  models: [
    { model: 'gpt', facts: priced },
    { model: 'gpt-2', facts: unknown },
    { model: 'o9', facts: unknown },
  ],
}
const qwen = saved('qwen', {
  provider: 'openrouter',
  title: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
})

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  language.value = 'en'
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  readOffered.mockResolvedValue(offered)
  bridge.checkKey.mockResolvedValue(null)
  bridge.modelFacts.mockImplementation(async (models) => models.map(() => unknown))
  bridge.chooseModel.mockImplementation(async (choice) => {
    state = { ...state, model: { ...gpt, ...choice } }
    return state.model ?? gpt
  })
  bridge.favour.mockImplementation(async (model) => {
    state = { ...state, favourites: [model, ...state.favourites] }
  })
})

async function open(given: Partial<State> = {}): Promise<void> {
  const favourites = [saved('gpt-2', { effort: 'low' })]
  const recentModels = [saved('gpt'), qwen]
  state = stateWith({ workspace: folder, model: gpt, favourites, recentModels, ...given })
  await useWindow().refresh()
  page = mount(Chips, { attachTo: document.body })
  page.get('button').element.focus()
  await page.get('button').trigger('click')
  await flushPromises()
}

const field = () => page.get<HTMLInputElement>('[role=combobox][data-first]')
const press = async (key: string, more = {}): Promise<void> => {
  await field().trigger('keydown', { key, ...more })
  await flushPromises()
}
const groups = () =>
  page.findAll('[role=group]').map((group) => ({
    title: page.get(`[id="${group.attributes('aria-labelledby')}"]`).text(),
    names: group.findAll('[role=option] .name').map((each) => each.text()),
  }))
const active = () => page.get(`[id='${field().attributes('aria-activedescendant') ?? ''}']`)
const choice = (n: number) => bridge.chooseModel.mock.calls[n]?.[0]

describe('UI-14 the list of models', () => {
  it('has favourites, recent ones, and those of the provider in use; no field for a key', async () => {
    await open()
    expect(groups()).toEqual([
      { title: 'Favourites', names: ['gpt-2'] },
      { title: 'Recent', names: ['gpt', 'qwen'] },
      { title: 'Models of OpenAI', names: ['gpt', 'gpt-2', 'o9'] },
    ])
    expect(page.find('[type=password]').exists()).toBe(false)
    expect(page.findAll('[role=option]')[0]?.text()).toContain('OpenAI · Reasoning: Low')
    expect(page.findAll('[role=option]')[3]?.text()).toContain('131.1K context · $2.5 in, $10 out per M')
  })

  it('is gone through with the arrow keys; Enter chooses and gives the focus back', async () => {
    await open()
    expect(document.activeElement).toBe(field().element)
    expect(active().text()).toContain('gpt-2')
    await press('ArrowUp')
    expect(active().text()).toContain('o9')
    await press('ArrowDown')
    await press('ArrowDown')
    await press('ArrowDown')
    expect(active().text()).toContain('qwen')
    await press('Enter')
    expect(choice(0)).toMatchObject({ provider: 'openrouter', model: 'qwen', key: '' })
    expect(useShell().panel).toBeNull()
    expect(document.activeElement).toBe(page.get('button').element)
  })

  it('is found in by words, also by the provider', async () => {
    await open()
    await field().setValue('router qw')
    expect(groups()).toEqual([{ title: 'Recent', names: ['qwen'] }])
    await field().setValue('nobody')
    expect(page.text()).toContain('No model matches.')
    await press('Enter')
    expect(bridge.chooseModel).not.toHaveBeenCalled()
  })

  it('takes nothing by the Enter of an input method', async () => {
    await open()
    await press('Enter', { isComposing: true })
    await press('Enter', { keyCode: 229 })
    expect(bridge.checkKey).not.toHaveBeenCalled()
  })

  it('closes on Esc, and the focus goes back', async () => {
    await open()
    await press('Escape')
    expect(useShell().panel).toBeNull()
    expect(document.activeElement).toBe(page.get('button').element)
  })

  it('makes favourites, and what was chosen stays', async () => {
    await open()
    await field().setValue('o9')
    await press('d', { ctrlKey: true })
    expect(bridge.favour.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: 'o9' })
    expect(groups()[0]?.names).toEqual(['o9'])
    expect(active().text()).toContain('o9')
  })

  it('keeps the effort that a model was chosen with', async () => {
    await open({ recentModels: [saved('o9', { effort: 'high' })] })
    await field().setValue('o9')
    await press('ArrowDown')
    expect(active().element.closest('[role=group]')?.textContent).toContain('Models of OpenAI')
    await press('Enter')
    expect(choice(0)).toMatchObject({ model: 'o9', effort: 'high' })
  })

  it('has the model in use reason more or less, where it reasons', async () => {
    await open()
    await page.get('select').setValue('high')
    await flushPromises()
    expect(choice(0)).toMatchObject({ model: 'gpt', effort: 'high' })
    expect(useShell().panel).toBe('model')
  })

  it('does not where the model in use is known not to reason', async () => {
    await open({ model: { ...gpt, reasons: false } })
    expect(page.find('select').exists()).toBe(false)
  })

  it('leads to the form for a model whose key is not known', async () => {
    await open()
    bridge.checkKey.mockRejectedValue(new Fault('NO_KEY', 'no key for OpenRouter'))
    await field().setValue('qwen')
    await press('Enter')
    expect(bridge.chooseModel).not.toHaveBeenCalled()
    expect(useShell().settings).toBe('models')
    expect(takeWanted()).toEqual(qwen)
  })

  it('leads to other providers and keys', async () => {
    await open()
    await page
      .findAll('button')
      .find((each) => each.text() === 'Other providers and keys…')
      ?.trigger('click')
    await flushPromises()
    expect(useShell().settings).toBe('models')
  })

  it('says that a provider is being asked, that it did not answer, and asks again', async () => {
    let fail: (reason: Fault) => void = () => {}
    readOffered.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)))
    await open()
    expect(page.text()).toContain('Asking OpenAI for its models…')
    fail(new Fault('NETWORK', 'no such host'))
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('no such host')
    expect(groups()).toHaveLength(2)
    await page.get('[role=alert] button').trigger('click')
    await flushPromises()
    expect(readOffered.mock.calls).toEqual([[false], [true]])
    expect(groups()).toHaveLength(3)
  })

  it('says that a provider lists nothing, and that nothing was chosen so far', async () => {
    readOffered.mockResolvedValue({ ...offered, listed: false, models: [] })
    await open()
    expect(page.text()).toContain('OpenAI does not list its models.')
    page.unmount()
    useShell().close()
    await open({ model: null, favourites: [], recentModels: [] })
    expect(page.text()).toContain('None yet.')
    expect(readOffered).toHaveBeenCalledTimes(1)
  })

  it('speaks Chinese', async () => {
    language.value = 'zh-CN'
    await open()
    expect(groups().map(({ title }) => title)).toEqual(['收藏', '最近使用', 'OpenAI 的模型'])
  })
})
