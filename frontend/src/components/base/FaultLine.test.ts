import { mount } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'

import { Fault, faultOf } from '../../api/fault'
import { en } from '../../i18n/en'
import { language } from '../../i18n'
import { actionFor, type FaultAction } from './faultActions'
import FaultLine from './FaultLine.vue'

afterEach(() => {
  language.value = 'en'
})

const sources: Record<string, string> = import.meta.glob(
  ['../../../../backend/desktop/fault.go', '../../../../backend/message/{reason,refusal}.go'],
  { query: '?raw', import: 'default', eager: true },
)

/** The codes that the program's own source declares. */
const codes = Object.values(sources).flatMap((source) =>
  [...source.matchAll(/^\s+\w+\s+(?:Code|FailCode|RefusalCode)\s+= "(\w+)"/gm)].map(([, code]) => code ?? ''),
)

/** The reasons for which the program refuses a folder. */
const refusals: string = Object.values(
  import.meta.glob<string>('../../../../backend/workspace/refused.go', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('')
const reasons = [...refusals.matchAll(/RefusedReason = "(\w+)"/g)].map(([, reason]) => reason ?? '')

const every: FaultAction[] = ['retry', 'folder', 'model', 'stop', 'session', 'dismiss']

function line(code: string, can: readonly FaultAction[] = every) {
  return mount(FaultLine, { props: { fault: new Fault(code, 'what was tried', 'what to do'), can } })
}

describe('a fault', () => {
  it('HITL-10 hides nothing in what it says of names', () => {
    const fault = new Fault('FILE_NOT_FOUND', 'read a\u202Etxt.b: no such file')
    expect(mount(FaultLine, { props: { fault, can: [] } }).text()).toContain('a‹U+202E›txt.b')
  })

  it('has words for every code there is', () => {
    expect(codes.length).toBeGreaterThan(25)
    expect(codes.filter((code) => !Object.hasOwn(en.faults.codes, code))).toEqual([])
  })

  it.each(Object.keys(en.faults.codes))('%s says what, why and what next, in both languages', (code) => {
    for (const spoken of ['en', 'zh-CN'] as const) {
      language.value = spoken
      const page = line(code)
      expect(page.get('strong').text()).not.toBe('')
      expect(page.text()).toContain('what was tried; what to do')
      expect(page.get('button').text()).not.toBe('')
    }
  })

  it('says in both languages why a folder is refused', () => {
    expect(reasons.toSorted()).toEqual(Object.keys(en.faults.reasons.FOLDER_REFUSED).toSorted())
    const json = { code: 'FOLDER_REFUSED', message: 'in English', hint: 'here too', reason: 'home' }
    const refused = faultOf(JSON.stringify(json))
    for (const [spoken, words] of [
      ['en', 'your home folder'],
      ['zh-CN', '主目录'],
    ] as const) {
      language.value = spoken
      const page = mount(FaultLine, { props: { fault: refused, can: [] } })
      expect(page.text()).toContain(words)
      expect(page.text()).not.toContain('in English')
    }
  })

  it('of an unknown code is the program’s own', () => {
    expect(line('NEWER').get('strong').text()).toBe(en.faults.codes.INTERNAL)
    expect(actionFor('NEWER')).toBe('dismiss')
  })

  it('offers what its place can do, and nothing else', async () => {
    const page = line('KEYRING', ['session'])
    await page.get('button').trigger('click')
    expect(page.emitted('act')).toEqual([['session']])
    expect(line('KEYRING', ['retry']).find('button').exists()).toBe(false)
  })

  it('without more words has none', () => {
    const page = mount(FaultLine, { props: { fault: new Fault('NO_MODEL', ''), can: [] } })
    expect(page.text()).toBe(en.faults.codes.NO_MODEL)
  })
})
