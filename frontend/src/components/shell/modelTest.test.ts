// @vitest-environment node
import { afterEach, describe, expect, it } from 'vitest'

import { Fault } from '../../api/fault'
import type { ModelChoice, TestedModel } from '../../api/types'
import { language } from '../../i18n'
import { tested } from '../../testing/models'
import { stepsOf, type TestReport } from './modelTest'

afterEach(() => {
  language.value = 'en'
})

const asked = (model: string): ModelChoice => ({
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  model,
  key: 'sk-canary',
  keep: 'keyring',
  effort: '',
})
const report = (found: Partial<TestedModel>, more: Partial<TestReport> = {}): TestReport => ({
  asked: asked('gpt'),
  keyed: true,
  found: tested({ total: 61, ...found }),
  fault: null,
  ...more,
})
const failed = (code: string): TestReport => report({}, { found: null, fault: new Fault(code, 'why') })
const refused = (code: string) => ({ toolsFault: { code, message: 'why', hint: '' } })

/** The steps as `state name: what`, with the code of a fault. */
const lines = (given: TestReport, model = 'gpt', models = ['gpt', 'gpt-2']) =>
  stepsOf(given, model, models).map(
    ({ name, state, text, fault }) => `${state} ${name}: ${fault?.code ?? text}`,
  )

const reached = 'done reached: api.openai.com answers · 0.4 s'
const accepted = 'done key: accepted'
const known = 'done model: gpt is there · 61 models'

describe('UI-06 a test of a model', () => {
  it.each<[string, TestReport, string[]]>([
    [
      'that calls tools',
      report({ tools: 'called', toolsMs: 900 }),
      [known, 'done tools: answers a tool call · 0.9 s'],
    ],
    [
      'that calls none',
      report({ tools: 'ignored' }),
      [known, 'cancelled tools: answers, but this model calls no tools. Choose one that does.'],
    ],
    ['that was not asked', report({}), [known]],
    ['whose calls are refused', report(refused('BAD_REQUEST')), [known, 'failed tools: BAD_REQUEST']],
    ['that is too busy to answer', report(refused('RATE_LIMITED')), [known, 'failed tools: RATE_LIMITED']],
    ['that is not there', report(refused('MODEL_NOT_FOUND')), ['failed model: MODEL_NOT_FOUND']],
    [
      'of a provider without a list',
      report({ listed: false, total: 0, tools: 'called', toolsMs: 900 }),
      ['done model: gpt answers', 'done tools: answers a tool call · 0.9 s'],
    ],
  ])('%s', (_, given, wanted) => {
    expect(lines(given)).toEqual([reached, accepted, ...wanted])
  })

  it('whose credit is used up, which the list does not say, is about the key', () => {
    expect(lines(report(refused('QUOTA')))).toEqual([reached, 'failed key: QUOTA'])
  })

  it('that is not in the list, but answers', () => {
    const given = report({ tools: 'called' })
    expect(lines(given, 'gpt', ['gpt-2'])[2]).toBe('done model: gpt answers')
    expect(lines(report({}), 'gpt', ['gpt-2'])[2]).toBe('cancelled model: gpt is not in the list of 61')
  })

  it('says nothing about another model that is named by now', () => {
    expect(lines(report({ tools: 'called' }), 'gpt-2')).toEqual([
      reached,
      accepted,
      'done model: gpt-2 is there · 61 models',
    ])
    expect(lines(report(refused('MODEL_NOT_FOUND')), 'gpt-2')).toHaveLength(3)
  })

  it('without a model named stops after the list', () => {
    expect(lines(report({}, { asked: asked('') }), '')).toEqual([
      reached,
      accepted,
      'done model: 61 models · choose one',
    ])
  })

  it('without a key, or without an answer to it, says nothing of keys', () => {
    const names = (given: TestReport) => stepsOf(given, '', []).map(({ name }) => name)
    expect(names(report({}, { keyed: false }))).toEqual(['reached', 'model'])
    expect(names(report({ listed: false, keyChecked: false }))).toEqual(['reached', 'model'])
  })

  it('says that a list which is open to everybody tells nothing of the key', () => {
    expect(lines(report({ keyChecked: false }))[1]).toMatch(/^cancelled key: not checked/)
  })

  it.each([
    ['NETWORK', ['failed reached: NETWORK']],
    ['TIMEOUT', ['failed reached: TIMEOUT']],
    ['MALFORMED', ['failed reached: MALFORMED']],
    ['AUTH', ['done reached: api.openai.com answers', 'failed key: AUTH']],
    ['QUOTA', ['done reached: api.openai.com answers', 'failed key: QUOTA']],
    ['MODEL_NOT_FOUND', ['done reached: api.openai.com answers', 'failed model: MODEL_NOT_FOUND']],
  ])('that fails with %s says at which step', (code, wanted) => {
    expect(lines(failed(code))).toEqual(wanted)
  })

  it('speaks Chinese', () => {
    language.value = 'zh-CN'
    expect(lines(report({ tools: 'ignored' }))).toEqual([
      'done reached: api.openai.com 有响应 · 0.4 秒',
      'done key: 已接受',
      'done model: 已找到 gpt · 共 61 个模型',
      'cancelled tools: 有响应，但该模型不调用工具。请换一个支持工具调用的模型。',
    ])
  })
})
