// @vitest-environment node
import { afterEach, describe, expect, test } from 'vitest'

import { hasText, language } from '../../i18n'
import { en } from '../../i18n/en'
import { zhCN } from '../../i18n/zh-CN'
import { eventsOf, scenarios, start, viewOf, type Step } from '../../testing/events'
import { model } from '../../testing/routes'
import { changesOf, detailsOf, endedBadly, nextActions, wordsOf } from './endings'

const docs: Record<string, string> = import.meta.glob('../../../../docs/events.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const sources: Record<string, string> = import.meta.glob('../../../../backend/message/reason.go', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const [source = ''] = Object.values(sources)

/** The reasons that the program's own source declares. */
const reasons = [...source.matchAll(/^\s+\w+\s+Reason\s+= "(\w+)"/gm)].map(([, reason]) => reason ?? '')
/** Those of them that its source says can be gone on with (SPEC LOOP-14). */
const [, continuable = ''] = /func \(r Reason\) Continuable[\s\S]*?case ([\s\S]*?):/.exec(source) ?? []

/** The codes that a section of the list of events names. */
function codesOf(section: string): string[] {
  const text = Object.values(docs)[0]?.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code ?? '')
}

const broken = (code: string, reason = 'error'): Step => [
  'lifecycle.error',
  { reason, code, message: `secret words ${code}`, steps: 2, durationMs: 1500 },
]

function ended(step: Step) {
  const run = viewOf(eventsOf([...start, step]))
  if (!run.end) throw new Error('the run has not ended')
  return { run, end: run.end }
}

afterEach(() => {
  language.value = 'en'
})

describe('every reason', () => {
  test('is declared', () => expect(reasons.length).toBeGreaterThan(10))

  const endOf = (reason: string): Step =>
    reason === 'completed' || reason === 'max_steps' || reason === 'interrupted'
      ? ['lifecycle.end', { reason, content: '', steps: 2, durationMs: 9 }]
      : broken(reason === 'error' ? 'INTERNAL' : reason.toUpperCase(), reason)

  test.each(reasons)('%s has words of its own in both languages', (reason) => {
    const { run, end } = ended(endOf(reason))
    const english = wordsOf(run, end, null)
    language.value = 'zh-CN'
    expect(wordsOf(run, end, null)).toMatch(/[\u4e00-\u9fff]/)
    expect(wordsOf(run, end, null)).not.toBe(english)
    // What it has no word for would be a fault of the program's own.
    expect(english === 'Fairlead failed at this.').toBe(reason === 'error')
  })

  test.each(reasons)('LOOP-14 %s leads on where the program says so', (reason) => {
    const name = `Reason${reason.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
    const leads = continuable.split(/,\s*/).includes(name)
    const on = nextActions(ended(endOf(reason)).end).filter((each) => each === 'continue' || each === 'again')
    expect(on).toHaveLength(leads ? 1 : 0)
  })

  test.each([
    ['completed', false],
    ['cancelled', false],
    ['rejected', false],
    ['budget', false],
    ['doom_loop', false],
    ['timeout', true],
    ['filtered', true],
    ['context_overflow', true],
    ['error', true],
  ])('%s is a failure: %j', (reason, bad) => expect(endedBadly(ended(endOf(reason)).end)).toBe(bad))
})

describe('every code of lifecycle.error', () => {
  const codes = codesOf('Codes of `lifecycle.error`')

  test('is in the list', () => expect(codes.length).toBeGreaterThan(15))

  test.each(codes)('%s has words of its own in both languages', (code) => {
    const { run, end } = ended(broken(code))
    expect(hasText(`ends.codes.${code}`)).toBe(true)
    const english = wordsOf(run, end, null)
    language.value = 'zh-CN'
    expect(wordsOf(run, end, null)).toMatch(/[\u4e00-\u9fff]/)
    expect(wordsOf(run, end, null)).not.toBe(english)
  })

  test.each(codes.filter((code) => code !== 'CANCELLED' && code !== 'REJECTED'))(
    '%s has a next action with words in both languages',
    (code) => {
      const actions = nextActions(ended(broken(code)).end)
      expect(actions.length).toBeGreaterThan(0)
      expect(Object.keys(en.ends.actions)).toEqual(expect.arrayContaining(actions))
      expect(Object.keys(zhCN.ends.actions)).toEqual(expect.arrayContaining(actions))
    },
  )

  test.each([
    ['AUTH', 'error', ['model', 'continue']],
    ['MODEL_NOT_FOUND', 'error', ['choose', 'continue']],
    ['A_LATER_ONE', 'error', ['continue']],
    ['NETWORK', 'error', ['again']],
    ['TIMEOUT', 'timeout', ['again']],
    ['BUDGET', 'budget', ['continue']],
    ['DOOM_LOOP', 'doom_loop', ['continue']],
    ['HOOK_FAILED', 'error', ['again']],
    ['TOO_LARGE', 'error', ['again']],
    ['CONTEXT_OVERFLOW', 'context_overflow', ['conversation']],
    ['FILTERED', 'filtered', ['conversation']],
    ['CANCELLED', 'cancelled', []],
    ['REJECTED', 'rejected', []],
  ])('LOOP-14 %s of a run that ended by %s leads to %j', (code, reason, actions) =>
    expect(nextActions(ended(broken(code, reason)).end)).toEqual(actions),
  )
})

test.each(codesOf('Codes of `tool.result`'))('the tool code %s has words in both languages', (code) => {
  expect(Object.keys(en.transcript.failures)).toContain(code)
  expect(Object.keys(zhCN.transcript.failures)).toContain(code)
})

describe('the words', () => {
  const network = ended(broken('NETWORK'))
  test.each([
    ['Ollama on this computer', model, 'Ollama isn’t running at localhost:11434.'],
    [
      'another server on this computer',
      { ...model, provider: '', baseUrl: 'http://127.0.0.1:8080/v1' },
      'Nothing answers at 127.0.0.1:8080.',
    ],
    [
      'a provider elsewhere',
      { ...model, provider: 'openai', baseUrl: 'https://api.openai.com/v1' },
      'No connection to the provider.',
    ],
    [
      'Ollama elsewhere',
      { ...model, baseUrl: 'http://gpu.example:11434/v1' },
      'No connection to the provider.',
    ],
    ['no model', null, 'No connection to the provider.'],
  ])('of a lost connection to %s', (_, chosen, want) =>
    expect(wordsOf(network.run, network.end, chosen)).toBe(want),
  )

  test('of the step limit name it', () => {
    const { run, end } = ended([
      'lifecycle.end',
      { reason: 'max_steps', content: '', steps: 50, durationMs: 9 },
    ])
    expect(wordsOf(run, end, null)).toBe('Stopped: step limit 50')
    expect(nextActions(end)).toEqual(['continue'])
  })

  test('LOOP-14 of a crash are calm, and lead on', () => {
    const { run, end } = ended([
      'lifecycle.end',
      { reason: 'interrupted', content: 'Half a rep', steps: 2, durationMs: 9 },
    ])
    expect([wordsOf(run, end, null), nextActions(end)]).toEqual(['Interrupted', ['continue']])
    language.value = 'zh-CN'
    expect(wordsOf(run, end, null)).toBe('已中断')
  })

  test('INT-01 of a stop after the step name who wanted it', () => {
    const run = viewOf(
      eventsOf([
        ...start,
        ['run.interrupt', { message: '' }],
        ['lifecycle.end', { reason: 'interrupted', content: '', steps: 2, durationMs: 9 }],
      ]),
    )
    expect(run.end && wordsOf(run, run.end, null)).toBe('Stopped by you, after its step')
    expect(run.end && nextActions(run.end)).toEqual(['continue'])
  })

  test('of a code of a later version are those of an error of ours', () => {
    const { run, end } = ended(broken('A_LATER_ONE'))
    expect(wordsOf(run, end, null)).toBe('Fairlead failed at this.')
  })
})

test('the details hold no text and no key', () => {
  const { run, end } = ended(broken('AUTH'))
  const text = detailsOf(
    run,
    end,
    { ...model, baseUrl: 'https://user:sk-canary-1@api.example/v1?key=sk-canary-2' },
    '0.3.0',
  )
  expect(text).toBe(
    [
      'Time: 2027-01-15T08:00:02.000Z',
      'Fairlead: 0.3.0',
      'Provider: api.example',
      'Model: scripted',
      'Run: run-1',
      'Reason: error',
      'Code: AUTH',
      'Steps: 2',
      'Duration: 1500 ms',
    ].join('\n'),
  )
})

test('files that a run changed count once', () => {
  const writes = scenarios.find(([name]) => name === 'writes-in-order.txtar')?.[1] ?? []
  const run = viewOf(writes)
  const changes = [...run.tools.values()].flatMap((tool) => tool.result?.changes ?? [])
  expect(changes.length).toBeGreaterThan(1)
  expect(changesOf(run).map(({ path }) => path)).toEqual([...new Set(changes.map(({ path }) => path))])
})
