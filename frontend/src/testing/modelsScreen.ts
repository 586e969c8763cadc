/** The models screen of a test, with what the program answers. */
import { DOMWrapper, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { vi } from 'vitest'

import type { Model, State } from '../api/types'
import { language } from '../i18n'
import { useShell } from '../stores/shell'
import { useWindow } from '../stores/window'
import Settings from '../views/Settings.vue'
import * as bridge from './bridge'
import { endpoint, openai, openrouter, provider, tested } from './models'
import { folder, model, readEvents, readModels, readState, stateWith } from './routes'

export let page: VueWrapper
let state: State

export const gpt: Model = {
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
  url: 'https://api.openai.com/v1/responses',
}
export const lab = endpoint('lab', { title: 'Lab\u202E' })

/** Begins a test anew: what the program answers, and an empty page. */
export function prepare(): void {
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
    const used = { ...gpt, model: choice.model, effort: choice.effort }
    chosen(used)
    return used
  })
  bridge.favour.mockImplementation(async (each) => {
    state = { ...state, favourites: [...state.favourites, each] }
  })
  bridge.unfavour.mockImplementation(async ({ model: name }) => {
    state = { ...state, favourites: state.favourites.filter((each) => each.model !== name) }
  })
  language.value = 'en'
}

/** What the program says of the model from now on. */
export function chosen(next: Model): void {
  state = { ...state, model: next }
}

export async function open(given: Partial<State> = {}): Promise<void> {
  state = stateWith({ workspace: folder, model: gpt, ...given })
  await useWindow().refresh()
  useShell().settings = 'models'
  page = mount(Settings, { attachTo: document.body })
  await flushPromises()
}

/** Whatever has an element. */
interface Part {
  element: Element
}

/** The part that has this heading. */
export function part(heading: string) {
  const found = page.findAll('section section').find((each) => each.find('h2, h3').text() === heading)
  if (!found) throw new Error(`there is no part ${heading}: ${page.text()}`)
  return found
}

export const nameOf = (each: DOMWrapper<Element>) => each.attributes('aria-label') ?? each.text()

export function button(name: string, within: Part = page): DOMWrapper<HTMLButtonElement> {
  const found = new DOMWrapper(within.element).findAll('button').find((each) => nameOf(each) === name)
  if (!found) throw new Error(`there is no button ${name}: ${within.element.textContent}`)
  return found
}

export async function click(name: string, within: Part = page): Promise<void> {
  await button(name, within).trigger('click')
  await flushPromises()
}

/** The field that has this label. */
export function field(label: string, within: Part = page): DOMWrapper<HTMLInputElement> {
  const box = new DOMWrapper(within.element)
  const named = box.findAll('label').find((each) => each.text() === label)
  return new DOMWrapper(
    box.get<HTMLInputElement>(named ? `[id="${named.attributes('for')}"]` : `[aria-label="${label}"]`)
      .element,
  )
}

export const focused = () => {
  const active = document.activeElement
  return active?.getAttribute('aria-label') ?? active?.textContent?.trim()
}
