// @vitest-environment node
import { afterEach, describe, expect, it } from 'vitest'

import { clock, compact, dollars, elapsed, hasText, language, languageFor, size, span, t } from '.'
import { en } from './en'
import { zhCN } from './zh-CN'

afterEach(() => {
  language.value = 'en'
})

/** All texts of a dictionary by their keys; those of a plural under `key#form`. */
function texts(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    const key = path === '' ? name : `${path}.${name}`
    if (typeof value === 'string') return [[key, value] as [string, string]]
    const group = value as Record<string, unknown>
    if (typeof group.other !== 'string') return texts(group, key)
    return Object.entries(group).map(([form, text]) => [`${key}#${form}`, String(text)] as [string, string])
  })
}

const inEnglish = new Map(texts(en))
const inChinese = new Map(texts(zhCN))
const keys = [...inEnglish.keys()].filter((key) => !key.endsWith('#one'))

/** What is written alike in both languages: names, units, and texts that are all parameters. */
const alike = new Set([
  'shell.settings.english',
  'shell.settings.chinese',
  'shell.settings.version',
  'shell.status.tokens',
])

describe('UI-07 the Chinese words', () => {
  it('have the keys of the English ones', () => {
    expect([...inChinese.keys()].filter((key) => !key.endsWith('#one')).toSorted()).toEqual(keys.toSorted())
  })

  it('have the same parameters', () => {
    const parameters = (text = '') => [...new Set(text.match(/\{\w+\}/g))].toSorted()
    for (const key of keys)
      expect([key, parameters(inChinese.get(key))]).toEqual([key, parameters(inEnglish.get(key))])
  })

  it('are Chinese', () => {
    const words = (text: string) => text.replaceAll(/\{\w+\}/g, '')
    const left = keys.filter((key) => {
      const text = words(inChinese.get(key) ?? '')
      return (
        !alike.has(key) && /[A-Za-z]/.test(words(inEnglish.get(key) ?? '')) && !/\p{Script=Han}/u.test(text)
      )
    })
    expect(left).toEqual([])
  })

  it('leave no text empty', () => {
    expect([...inEnglish, ...inChinese].filter(([, text]) => text.trim() === '')).toEqual([])
  })
})

describe('t', () => {
  it('fills in parameters, and leaves alone what is none', () => {
    expect(t('shell.model.label', { name: '{n}' })).toBe('Model: {n}')
    expect(t('shell.model.label')).toBe('Model: {name}')
  })

  it('chooses by the count', () => {
    const found = (n: number) => t('welcome.model.found', { n })
    expect([found(1), found(0), found(1234)]).toEqual([
      'found · 1 model',
      'found · 0 models',
      'found · 1,234 models',
    ])
    language.value = 'zh-CN'
    expect(found(1)).toBe('已找到 · 1 个模型')
  })

  it('knows which keys there are', () => {
    const known = [
      'faults.codes.BUSY',
      'welcome.model.found',
      'faults.codes',
      'faults.codes.constructor',
      'x',
      '',
    ]
    expect(known.filter((key) => hasText(key))).toEqual(['faults.codes.BUSY', 'welcome.model.found'])
  })
})

it.each([
  ['', ['zh-TW', 'en'], 'zh-CN'],
  ['', ['de-DE', 'zh-CN'], 'en'],
  ['', [], 'en'],
  ['en', ['zh-CN'], 'en'],
  ['zh-CN', ['en'], 'zh-CN'],
] as const)('the language for %j in %j is %s', (chosen, preferred, wanted) => {
  expect(languageFor(chosen, preferred)).toBe(wanted)
})

describe('figures', () => {
  it('say spans of time', () => {
    expect([0, 48_900, 3_723_000, -5].map(elapsed)).toEqual(['0:00', '0:48', '1:02:03', '0:00'])
    expect([340, 9_940, 12_400, 72_000].map(span)).toEqual(['0.3 s', '9.9 s', '12 s', '1:12'])
  })

  it('say lengths', () => {
    expect([0, 512, 1_434, 3_355_443, 204_800].map(size)).toEqual([
      '0 B',
      '512 B',
      '1.4 KB',
      '3.2 MB',
      '200 KB',
    ])
  })

  it('say what tokens cost', () => {
    expect([0.0001, 0.0099, 0.01, 0.034, 12.5, 1234.5].map(dollars)).toEqual([
      '<$0.01',
      '<$0.01',
      '$0.01',
      '$0.03',
      '$12.50',
      '$1,234.50',
    ])
  })

  it('follow the language', () => {
    expect(compact(18_240)).toBe('18.2K')
    language.value = 'zh-CN'
    expect(compact(18_240)).toBe('1.8万')
    expect(clock(new Date(2026, 0, 2, 9, 5).getTime())).toBe('09:05')
  })
})
