// @vitest-environment node
import { afterEach, describe, expect, it } from 'vitest'

import { language } from '../../i18n'
import { endpoint } from '../../testing/models'
import { bodyFault, useEndpoint, windowFault } from './endpoint'

afterEach(() => {
  language.value = 'en'
})

describe('an endpoint that is written', () => {
  it('needs a name and an address', () => {
    const { draft, complete } = useEndpoint(null)
    expect(complete.value).toBe(false)
    draft.name = 'lab'
    expect(complete.value).toBe(false)
    draft.baseUrl = 'https://lab.example/v1'
    expect(complete.value).toBe(true)
  })

  it('is what is in its fields, without what is empty', () => {
    const { draft, written } = useEndpoint(null)
    Object.assign(draft, {
      name: ' lab ',
      baseUrl: 'https://lab.example/v1/chat/completions',
      keyEnv: ' LAB_KEY ',
      headers: [
        { name: ' X-Key ', value: ' {key} ' },
        { name: '', value: ' ' },
      ],
      contextWindow: ' 32768 ',
    })
    expect(written()).toEqual(
      endpoint('lab', {
        keyEnv: 'LAB_KEY',
        headers: [{ name: 'X-Key', value: '{key}' }],
        contextWindow: 32_768,
      }),
    )
  })

  it('changes nothing of the one that is there before it is saved', () => {
    const own = endpoint('lab', { headers: [{ name: 'X-Team', value: 'tools' }], contextWindow: 4096 })
    const { draft, written } = useEndpoint(own)
    expect(written()).toEqual(own)
    const [row] = draft.headers
    if (row) row.value = 'other'
    expect(own.headers[0]?.value).toBe('tools')
  })

  it.each([
    ['', true],
    ['{"top_p": 0.9}', true],
    ['[1]', false],
    ['null', false],
    ['"text"', false],
    ['{"top_p": }', false],
  ])('with the extra fields %j can be saved: %s', (body, wanted) => {
    const { draft, complete } = useEndpoint(endpoint('lab'))
    draft.body = body
    expect(complete.value).toBe(wanted)
    expect(bodyFault(body) === '').toBe(wanted)
  })

  it.each([
    ['', true],
    ['131072', true],
    ['0', false],
    ['128k', false],
    ['-1', false],
  ])('with the context window %j can be saved: %s', (text, wanted) => {
    const { draft, complete } = useEndpoint(endpoint('lab'))
    draft.contextWindow = text
    expect(complete.value).toBe(wanted)
    expect(windowFault(text) === '').toBe(wanted)
  })

  it('says what is wrong in the language of the page', () => {
    expect(bodyFault('[]')).toBe('This is no JSON object.')
    language.value = 'zh-CN'
    expect(bodyFault('[]')).toBe('这不是 JSON 对象。')
  })
})
