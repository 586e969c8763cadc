import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ref } from 'vue'

import { language } from '../i18n'
import { applyAppearance } from './appearance'

let dark = false
let change: () => void = () => {}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return dark
    },
    addEventListener: (_: string, listener: () => void) => (change = listener),
  }))
  vi.stubGlobal('navigator', { languages: ['zh-CN'] })
})
afterEach(() => {
  vi.unstubAllGlobals()
  language.value = 'en'
})

it('UI-04 the page has the chosen theme and language, else those of the system', () => {
  dark = true
  const chosen = ref({ language: '', theme: '' })
  applyAppearance(chosen)
  const { dataset } = document.documentElement
  const seen = () => [document.documentElement.lang, dataset.theme]
  expect(seen()).toEqual(['zh-CN', 'dark'])
  chosen.value = { language: 'en', theme: 'light' }
  expect(seen()).toEqual(['en', 'light'])
  chosen.value = { language: '', theme: '' }
  dark = false
  change()
  expect(seen()).toEqual(['zh-CN', 'light'])
})
