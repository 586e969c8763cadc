import { DOMWrapper, enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../api/fault'
import type { Model, State } from '../api/types'
import { announce } from '../components/base/announce'
import { language } from '../i18n'
import { useComposer } from '../stores/composer'
import { useShell } from '../stores/shell'
import { useWindow } from '../stores/window'
import * as bridge from '../testing/bridge'
import { endpoint, ollama, openai, openrouter, provider, saved, tested } from '../testing/models'
import { folder, model, readEvents, readModels, readState, stateWith } from '../testing/routes'
import Models from './Models.vue'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../components/base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)

let page: VueWrapper
let state: State

const gpt: Model = {
  ...model,
  provider: 'openai',
  title: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  model: 'gpt',
  needsKey: true,
  keySource: 'keyring',
  window: 131_072,
  priced: true,
  price: { prompt: 2.5, completion: 10, cached: 0.075 },
  reasons: true,
}
const lab = endpoint('lab', { title: 'Lab\u202E' })

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  readModels.mockResolvedValue(['gpt', 'gpt-2', 'o9'])
  bridge.detect.mockResolvedValue([])
  bridge.providers.mockResolvedValue([
    openai,
    openrouter,
    provider('lab', 'https://lab.example/v1', { own: true, needsKey: false }),
  ])
  bridge.ownProviders.mockResolvedValue([lab])
  bridge.testModel.mockResolvedValue(tested({ total: 3 }))
  bridge.chooseModel.mockImplementation(async (choice) => {
    const chosen = { ...gpt, model: choice.model, effort: choice.effort }
    state = { ...state, model: chosen }
    return chosen
  })
  bridge.favour.mockImplementation(async (each) => {
    state = { ...state, favourites: [...state.favourites, each] }
  })
  bridge.unfavour.mockImplementation(async ({ model: name }) => {
    state = { ...state, favourites: state.favourites.filter((each) => each.model !== name) }
  })
})
afterEach(() => {
  language.value = 'en'
})

async function open(given: Partial<State> = {}): Promise<void> {
  state = stateWith({ workspace: folder, model: gpt, ...given })
  await useWindow().refresh()
  useShell().models = true
  page = mount(Models, { attachTo: document.body })
  await flushPromises()
}

/** Whatever has an element. */
interface Part {
  element: Element
}

/** The part that has this heading. */
function part(heading: string) {
  const found = page.findAll('section section').find((each) => each.find('h2, h3').text() === heading)
  if (!found) throw new Error(`there is no part ${heading}: ${page.text()}`)
  return found
}

const nameOf = (each: DOMWrapper<Element>) => each.attributes('aria-label') ?? each.text()

function button(name: string, within: Part = page): DOMWrapper<HTMLButtonElement> {
  const found = new DOMWrapper(within.element).findAll('button').find((each) => nameOf(each) === name)
  if (!found) throw new Error(`there is no button ${name}: ${within.element.textContent}`)
  return found
}

async function click(name: string, within: Part = page): Promise<void> {
  await button(name, within).trigger('click')
  await flushPromises()
}

/** The field that has this label. */
function field(label: string, within: Part = page): DOMWrapper<HTMLInputElement> {
  const box = new DOMWrapper(within.element)
  const named = box.findAll('label').find((each) => each.text() === label)
  return new DOMWrapper(
    box.get<HTMLInputElement>(named ? `[id="${named.attributes('for')}"]` : `[aria-label="${label}"]`)
      .element,
  )
}

const focused = () => {
  const active = document.activeElement
  return active?.getAttribute('aria-label') ?? active?.textContent?.trim()
}

describe('UI-08 the models', () => {
  it('take the focus, and give it back to what opened them', async () => {
    const opener = document.createElement('button')
    document.body.append(opener)
    opener.focus()
    await open()
    expect(focused()).toBe('Models')
    await page.get('h1').trigger('keydown', { key: 'Escape' })
    await nextTick()
    expect(useShell().models).toBe(false)
    expect(document.activeElement).toBe(opener)
    opener.remove()
  })

  it('leave the focus to the message where nothing opened them', async () => {
    await open()
    await click('Close')
    expect([useShell().models, useComposer().wanted]).toEqual([false, 1])
  })

  it('stay for the Esc of an input method', async () => {
    await open()
    await page.get('h1').trigger('keydown', { key: 'Escape', isComposing: true })
    expect(useShell().models).toBe(true)
  })

  it('have a heading for each part, and a name for each button and field', async () => {
    await open({ favourites: [saved('gpt-2')] })
    expect(page.findAll('h1, h2, h3').map((each) => `${each.element.tagName} ${each.text()}`)).toEqual([
      'H1 Models',
      'H2 In use',
      'H2 Favourites',
      'H2 Another model',
      'H3 Models of OpenAI',
      'H2 Own endpoints',
    ])
    await click('Add endpoint')
    expect(page.findAll('button').filter((each) => nameOf(each) === '')).toEqual([])
    for (const each of page.findAll('input, select, textarea')) {
      const id = each.attributes('id')
      const named =
        each.attributes('aria-label') ??
        (each.element.closest('label') || page.find(`label[for="${id}"]`).exists())
      expect([each.html(), Boolean(named)]).toEqual([each.html(), true])
    }
  })

  it('speak Chinese', async () => {
    language.value = 'zh-CN'
    await open()
    expect(page.findAll('h1, h2').map((each) => each.text())).toEqual([
      '模型',
      '正在使用',
      '收藏',
      '换一个模型',
      '自定义端点',
    ])
    expect(part('正在使用').text()).toContain('131,072 个 token')
  })
})

describe('the model in use', () => {
  const facts = () =>
    part('In use')
      .findAll('dt')
      .map((each, i) => [each.text(), part('In use').findAll('dd')[i]?.text() ?? ''])

  it('says where it is, where its key is, and what it costs', async () => {
    await open()
    expect(facts().slice(0, 6)).toEqual([
      ['Model', 'gpt'],
      ['API key', 'The key is in the system keyring. Forget the key'],
      ['Provider', 'OpenAI'],
      ['Calls', 'https://api.openai.com/v1/chat/completions'],
      ['Context window', '131,072 tokens'],
      ['Price', '$2.5 sent, $10 generated, per million tokens'],
    ])
  })

  it('says what is not known of it', async () => {
    await open({ model: { ...gpt, window: 0, priced: false, needsKey: false, keySource: '' } })
    expect(facts().map(([name]) => name)).not.toContain('Price')
    expect(facts()).toContainEqual(['Context window', 'not known'])
    expect(facts()).toContainEqual(['API key', 'none is needed'])
  })

  it.each([
    ['reasons', {}, true],
    ['is known not to', { reasons: false }, false],
    ['is not known', { reasons: false, priced: false }, true],
    ['is on this computer', { reasons: false, price: { prompt: 0, completion: 0, cached: 0 } }, true],
  ])('that %s can be told how much to reason: %s', async (_, more, wanted) => {
    await open({ model: { ...gpt, ...more } })
    expect(page.findAll('label').some((each) => each.text() === 'Reasoning')).toBe(wanted)
  })

  it('is told how much to reason at once, without another key', async () => {
    await open()
    const select = field('Reasoning')
    expect(select.findAll('option').map((each) => each.text())).toEqual([
      'As the model does by itself',
      'Off',
      'Low',
      'Medium',
      'High',
    ])
    await select.setValue('high')
    await flushPromises()
    expect(bridge.chooseModel.mock.calls).toEqual([
      [
        {
          provider: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          model: 'gpt',
          key: '',
          keep: 'keyring',
          effort: 'high',
        },
      ],
    ])
    expect(select.element.value).toBe('high')
  })

  it('goes back to what holds where that is refused', async () => {
    bridge.chooseModel.mockRejectedValue(new Fault('BUSY', 'a task is at work'))
    await open()
    await field('Reasoning').setValue('off')
    await flushPromises()
    expect(part('In use').get('[role=alert]').text()).toContain('A task is at work.')
    expect(field('Reasoning').element.value).toBe('')
  })

  it('SEC-01 forgets its key', async () => {
    await open()
    bridge.forgetKey.mockImplementation(async () => {
      state = { ...state, model: { ...gpt, keySource: '' } }
    })
    await click('Forget the key', part('In use'))
    expect(bridge.forgetKey.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: 'gpt', key: '' })
    expect(facts()).toContainEqual(['API key', 'none is known'])
  })

  it('is not the one of the guided tour', async () => {
    await open({ tour: true })
    expect(part('In use').text()).toContain('Guided tour')
  })

  it('shows hidden characters in its name', async () => {
    await open({ model: { ...gpt, model: 'gpt\u202E' } })
    expect(facts()[0]).toEqual(['Model', 'gpt‹U+202E›'])
  })
})

describe('favourites', () => {
  it('are used with the key that is known, and as they were kept', async () => {
    await open({ favourites: [saved('gpt-2', { effort: 'low' })] })
    expect(part('Favourites').get('li').text()).toContain('OpenAI · api.openai.com')
    await click('Use gpt-2', part('Favourites'))
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ model: 'gpt-2', key: '', effort: 'low' })
    expect(announce).toHaveBeenCalledWith('Now in use: gpt-2')
  })

  it('are removed, and the focus stays with them', async () => {
    await open({ favourites: [saved('gpt-2')] })
    await click('Remove gpt-2')
    expect(bridge.unfavour.mock.calls).toEqual([[saved('gpt-2')]])
    expect(part('Favourites').text()).toContain('None yet.')
    expect(focused()).toBe('Favourites')
  })

  it('are starred and unstarred beside the name of the model', async () => {
    await open()
    await field('Model name').setValue('o9')
    const star = () => button('Favourite: o9', part('Another model').get('form'))
    expect(star().attributes('aria-pressed')).toBe('false')
    await star().trigger('click')
    await flushPromises()
    expect(bridge.favour.mock.calls).toEqual([[saved('o9')]])
    expect(star().attributes('aria-pressed')).toBe('true')
    await star().trigger('click')
    await flushPromises()
    expect(bridge.unfavour.mock.calls).toEqual([[saved('o9')]])
  })

  it('cannot be what has no name yet', async () => {
    await open({ model: null })
    expect(button('Favourite: ', part('Another model')).attributes('disabled')).toBeDefined()
  })

  it('that cannot be used say why', async () => {
    await open({ favourites: [saved('gpt-2')] })
    bridge.chooseModel.mockRejectedValue(new Fault('NO_KEY', 'no key for openai'))
    await click('Use gpt-2', part('Favourites'))
    expect(part('Favourites').get('[role=alert]').text()).toContain('no key for openai')
  })
})

describe('the list of a provider', () => {
  const rows = () =>
    part('Models of OpenAI')
      .findAll('li')
      .map((each) => each.get('.name').text())

  it('is asked for without a call to a model', async () => {
    await open()
    await click('Refresh')
    expect(bridge.testModel.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: '' })
    expect(rows()).toEqual(['gpt', 'gpt-2', 'o9'])
  })

  it('is filtered, and Esc empties the filter first', async () => {
    await open()
    await click('Refresh')
    await field('Filter the models').setValue('GPT')
    expect(rows()).toEqual(['gpt', 'gpt-2'])
    await field('Filter the models').trigger('keydown', { key: 'Escape' })
    expect(rows()).toHaveLength(3)
    expect(useShell().models).toBe(true)
    await field('Filter the models').setValue('nothing')
    expect(part('Models of OpenAI').text()).toContain('No model matches.')
    await click('Clear')
    expect(focused()).toBe('Filter the models')
  })

  it('of a thousand is not shown whole, and says how many more there are', async () => {
    readModels.mockResolvedValue(Array.from({ length: 1000 }, (_, i) => `model-${i}`))
    await open()
    await click('Refresh')
    expect(rows()).toHaveLength(200)
    expect(part('Models of OpenAI').get('[role=status]').text()).toBe(
      '800 more of that name. Type more of it.',
    )
    await field('Filter the models').setValue('model-99')
    expect(rows()).toHaveLength(11)
  })

  it('has each model to use and to keep', async () => {
    await open()
    await click('Refresh')
    await click('Use gpt-2', part('Models of OpenAI'))
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: 'gpt-2' })
    expect(part('In use').get('dd').text()).toContain('gpt-2')
    await click('Favourite: o9', part('Models of OpenAI'))
    expect(bridge.favour.mock.calls).toEqual([[saved('o9')]])
  })

  it('SEC-01 is still there once a typed key was kept, and the key is not', async () => {
    await open()
    await field('API key').setValue('sk-proj-canary')
    await click('Refresh')
    await click('Use gpt-2', part('Models of OpenAI'))
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ key: 'sk-proj-canary', keep: 'keyring' })
    expect([field('API key').element.value, rows().length]).toEqual(['', 3])
  })

  it('of a server on this computer is longer than what was found of it', async () => {
    bridge.detect.mockResolvedValue([ollama])
    await open({ model })
    const list = part('Models of Ollama')
    expect(list.findAll('li')).toHaveLength(2)
    await click('Refresh')
    expect(bridge.testModel.mock.lastCall?.[0]).toMatchObject({ provider: 'ollama', model: '' })
    expect(list.findAll('li')).toHaveLength(3)
    await click('Use o9', list)
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ provider: 'ollama', model: 'o9' })
    expect(field('Model on this computer').element.value).toBe('o9')
  })

  it('shows hidden characters, and long names whole', async () => {
    const long = 'x'.repeat(400)
    readModels.mockResolvedValue(['a\u202Eb', long])
    await open()
    await click('Refresh')
    expect(rows()).toEqual(['a‹U+202E›b', long])
    expect(button('Use a‹U+202E›b').exists()).toBe(true)
  })

  it('that cannot be had says why', async () => {
    bridge.testModel.mockRejectedValue(new Fault('NETWORK', 'no such host'))
    await open()
    await click('Refresh')
    expect(page.get('[role=alert]').text()).toContain('Address: The address could not be reached.')
  })
})

describe('own endpoints', () => {
  const list = () => part('Own endpoints')
  const form = () => list().get('form')

  it('are added, with what is wrong said at the form', async () => {
    await open()
    await click('Add endpoint')
    expect(document.activeElement).toBe(field('Name', form()).element)
    expect(button('Save', form()).attributes('disabled')).toBeDefined()
    await field('Name', form()).setValue('mill')
    await field('Base URL', form()).setValue('https://mill.example/v1/chat/completions')
    expect(form().text()).toContain('Calls: https://mill.example/v1/chat/completions')
    await field('Base URL', form()).trigger('change')
    expect(field('Base URL', form()).element.value).toBe('https://mill.example/v1')
    await field('Speaks like', form()).setValue('openrouter')
    await click('Add header', form())
    expect(focused()).toBe('Name of header 1')
    await field('Name of header 1', form()).setValue('X-Key')
    await field('Value of header 1', form()).setValue('{key}')
    await field('Extra fields', form()).setValue('{"top_p": 0.9}')
    await field('Context window', form()).setValue('32768')
    await form().get('[role=switch]').setValue(true)
    bridge.saveProvider.mockRejectedValueOnce(new Fault('USAGE', 'header X-Key is set by Fairlead'))
    await form().trigger('submit')
    await flushPromises()
    expect(form().get('[role=alert]').text()).toContain('header X-Key is set by Fairlead')
    const mill = endpoint('mill', {
      baseUrl: 'https://mill.example/v1',
      dialect: 'openrouter',
      headers: [{ name: 'X-Key', value: '{key}' }],
      body: '{"top_p": 0.9}',
      writtenCalls: true,
      contextWindow: 32_768,
    })
    bridge.ownProviders.mockResolvedValue([lab, mill])
    await form().trigger('submit')
    await flushPromises()
    expect(bridge.saveProvider.mock.lastCall).toEqual([mill])
    expect(list().find('form').exists()).toBe(false)
    expect(focused()).toBe('Edit mill')
    expect(bridge.providers).toHaveBeenCalledTimes(4)
  })

  it('say what their fields are for', async () => {
    await open()
    await click('Add endpoint')
    expect(form().text()).toContain('{key} stands for the key. Never write a key here')
    expect(form().text()).toContain('Such calls always ask')
    expect(
      field('Speaks like', form())
        .findAll('option')
        .map((each) => each.text()),
    ).toEqual(['Nothing special', 'OpenAI', 'OpenRouter'])
  })

  it('with extra fields that are no JSON object cannot be saved', async () => {
    await open()
    await click('Edit Lab‹U+202E›')
    const body = field('Extra fields', form())
    await body.setValue('[1]')
    expect(body.attributes('aria-invalid')).toBe('true')
    expect(page.get(`[id="${body.attributes('aria-describedby')}"]`).text()).toContain('no JSON object')
    await form().trigger('submit')
    expect(bridge.saveProvider).not.toHaveBeenCalled()
  })

  it('are changed under the name that they have', async () => {
    await open()
    await click('Edit Lab‹U+202E›')
    expect(
      form()
        .findAll('label')
        .map((each) => each.text()),
    ).not.toContain('Name')
    await field('Environment variable of its key', form()).setValue('LAB_KEY')
    await form().trigger('submit')
    await flushPromises()
    expect(bridge.saveProvider.mock.calls).toEqual([[{ ...lab, keyEnv: 'LAB_KEY' }]])
  })

  it('Esc leaves the form, not the view; the Enter of an input method saves nothing', async () => {
    await open()
    await click('Add endpoint')
    const name = field('Name', form())
    const event = new KeyboardEvent('keydown', {
      key: 'Enter',
      isComposing: true,
      bubbles: true,
      cancelable: true,
    })
    name.element.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
    await name.trigger('keydown', { key: 'Escape' })
    await nextTick()
    expect(list().find('form').exists()).toBe(false)
    expect([useShell().models, focused()]).toEqual([true, 'Add endpoint'])
  })

  it('are removed once a person said so twice', async () => {
    await open()
    await click('Remove Lab‹U+202E›')
    expect(list().text()).toContain('Remove Lab‹U+202E›?')
    expect([focused(), bridge.removeProvider.mock.calls]).toEqual(['Keep', []])
    await click('Keep')
    expect(focused()).toBe('Remove Lab‹U+202E›')
    await click('Remove Lab‹U+202E›')
    bridge.ownProviders.mockResolvedValue([])
    await click('Remove', list())
    expect(bridge.removeProvider.mock.calls).toEqual([['lab']])
    expect(list().find('li').exists()).toBe(false)
    expect(focused()).toBe('Add endpoint')
  })

  it('that cannot be removed stay, and say why', async () => {
    await open()
    bridge.removeProvider.mockRejectedValue(new Fault('USAGE', 'the file changed'))
    await click('Remove Lab‹U+202E›')
    await click('Remove', list())
    expect(list().get('[role=alert]').text()).toContain('the file changed')
    expect(list().find('li').exists()).toBe(true)
  })

  it('can be chosen at once, and are not once they are removed', async () => {
    await open()
    await field('Provider').setValue('lab')
    expect(field('Base URL', part('Another model')).element.value).toBe('https://lab.example/v1')
    bridge.providers.mockResolvedValue([openai])
    await click('Remove Lab‹U+202E›')
    await click('Remove', list())
    expect(field('Provider').element.value).toBe('')
    expect(field('Base URL', part('Another model')).element.value).toBe('')
  })
})
