// @vitest-environment node
import { describe, expect, test } from 'vitest'

import {
  begin,
  call,
  eventsOf,
  failed,
  scenarios,
  start,
  succeeded,
  viewOf,
  type Step,
} from '../testing/events'
import type { TextItem } from './view'

const preview = { effect: 'command', command: 'ls', folder: '/w', confinement: 'Not confined' } as const
const question = (callId: string, hash: string, expiresAt = 1, more = {}): Step => [
  'tool.confirm_request',
  { callId, toolName: 'shell', arguments: { command: 'ls' }, preview, hash, expiresAt, ...more },
]

describe('every scenario of the loop', () => {
  test('there are some', () => expect(scenarios.length).toBeGreaterThan(50))

  test.each(scenarios)('%s', (_, events) => {
    const run = viewOf(events)
    const last = events.at(-1)
    expect(last?.type).toMatch(/^lifecycle\.(end|error)$/)
    expect(run.lastSeq).toBe(events.length)
    expect(run.prompt).not.toBe('')
    expect(run.endedAt).toBe(last?.ts)
    expect(run.retry).toBeNull()

    for (const tool of run.tools.values()) {
      expect(['done', 'failed', 'rejected', 'cancelled']).toContain(tool.state)
      expect(tool.result).not.toBeNull()
      expect(tool.question).toBeNull()
    }
    const shown = run.items.flatMap((item) => (item.kind === 'round' ? item.callIds : []))
    expect(shown).toEqual([...run.tools.keys()])
    const open = run.items.filter((item) => 'partId' in item && item.endedAt === undefined)
    expect(open).toEqual([])
    expect(finalText(events, run.items)).toBe(run.end?.content ?? '')
  })
})

/**
 * The text of the last model call, unless it was given another. At the step limit,
 * where it has none, it is the last text there is, and so it is where a guard stopped
 * the run after that.
 */
function finalText(events: ReturnType<typeof eventsOf>, items: ReturnType<typeof viewOf>['items']): string {
  const texts = items.filter((item): item is TextItem => item.kind === 'text')
  const since =
    events.findLast((e) => e.type === 'step.started' || (e.type === 'decision' && !e.data.completed))?.ts ?? 0
  const given = events.findLast((e) => e.type === 'assistant.final' && e.ts > since)
  const final = texts.filter((item) =>
    given?.type === 'assistant.final' ? item.partId === given.data.partId : item.startedAt > since,
  )
  const last = events.at(-1)
  const whole =
    last?.type === 'lifecycle.end' || (last?.type === 'lifecycle.error' && guards.has(last.data.code))
  return final.length === 0 && whole ? (texts.at(-1)?.text ?? '') : final.map((item) => item.text).join('')
}

/** What a run ends with that a guard stopped. */
const guards: ReadonlySet<string> = new Set(['BUDGET', 'DOOM_LOOP'])

test('UI-01: a call goes from asked for to done', () => {
  const steps: Step[] = [
    ...start,
    call('c1', 'shell', { command: 'ls' }),
    question('c1', 'h1'),
    ['tool.confirm_result', { callId: 'c1', decision: 'approve', arguments: { command: 'ls' }, by: 'user' }],
    ['tool.running', { callId: 'c1' }],
    ['tool.progress', { callId: 'c1', content: 'a.txt\n' }],
    ['tool.progress', { callId: 'c1', content: 'b.txt\n' }],
    succeeded('c1', 'a.txt\nb.txt\n'),
  ]
  const events = eventsOf(steps)
  const states = events.map((_, i) => viewOf(events.slice(0, i + 1)).tools.get('c1')?.state)
  expect(states).toEqual([
    undefined,
    undefined,
    'pending',
    'waiting',
    'pending',
    'running',
    'running',
    'running',
    'done',
  ])
  expect(viewOf(events.slice(0, -1)).tools.get('c1')?.output).toBe('a.txt\nb.txt\n')
  const tool = viewOf(events).tools.get('c1')
  // The result says it all: many long outputs would take much memory.
  expect(tool?.output).toBe('')
  expect(tool?.startedAt).toBe(begin + 5000)
  expect(tool?.decision).toEqual({ decision: 'approve', by: 'user', reason: '', edited: false })
})

test.each([
  ['REJECTED', 'rejected'],
  ['CONFIRM_TIMEOUT', 'rejected'],
  ['CANCELLED', 'cancelled'],
  ['COMMAND_FAILED', 'failed'],
])('a call that ends with %s is %s', (code, state) => {
  const run = viewOf(eventsOf([...start, call('c1', 'shell', {}), failed('c1', code, code)]))
  expect(run.tools.get('c1')?.state).toBe(state)
})

test('HITL-03: edited arguments are what is shown from then on, and the mark stays', () => {
  const edited = { path: 'b.txt' }
  const run = viewOf(
    eventsOf([
      ...start,
      call('c1', 'write_file', { path: 'a.txt' }),
      question('c1', 'h1'),
      ['tool.confirm_result', { callId: 'c1', decision: 'modify', arguments: edited, by: 'user' }],
      question('c1', 'h2', 1, { arguments: edited, cause: { code: 'edited', data: {} }, reason: 'x' }),
      ['tool.confirm_result', { callId: 'c1', decision: 'approve', arguments: edited, by: 'user' }],
    ]),
  )
  expect(run.tools.get('c1')?.arguments).toEqual(edited)
  expect(run.tools.get('c1')?.decision).toMatchObject({ decision: 'approve', edited: true })
})

test('EV-10: an edit that an earlier version asked about is known by its preview', () => {
  const edited = { command: 'ls -l' }
  const run = viewOf(
    eventsOf([
      ...start,
      call('c1', 'shell', { command: 'ls' }),
      question('c1', 'h1'),
      ['tool.confirm_result', { callId: 'c1', decision: 'modify', arguments: edited, by: 'user' }],
      question('c1', 'h2', 1, { arguments: edited, preview: { ...preview, edited: true } }),
    ]),
  )
  expect(run.tools.get('c1')?.arguments).toEqual(edited)
  expect(run.tools.get('c1')?.question?.kind).toBe('command')
})

test('HITL-03: an edit that cannot be used changes nothing, and the question is a new one', () => {
  const unfit = {
    cause: {
      code: 'edit_unfit',
      data: { error: { code: 'INVALID_ARGUMENTS', message: 'the arguments do not fit' } },
    },
    reason: 'x',
  }
  const steps: Step[] = [
    ...start,
    call('c1', 'shell', { command: 'ls' }),
    question('c1', 'h1'),
    ['tool.confirm_result', { callId: 'c1', decision: 'modify', arguments: { comand: 'ls' }, by: 'user' }],
    question('c1', 'h1', 1, unfit),
  ]
  expect(viewOf(eventsOf(steps)).tools.get('c1')?.question?.askedSeq).toBe(6)
  const run = viewOf(
    eventsOf([
      ...steps,
      [
        'tool.confirm_result',
        { callId: 'c1', decision: 'approve', arguments: { command: 'ls' }, by: 'user' },
      ],
    ]),
  )
  expect(run.tools.get('c1')?.arguments).toEqual({ command: 'ls' })
  expect(run.tools.get('c1')?.decision).toMatchObject({ decision: 'approve', edited: false })
})

test('no part grows after the end, whatever came after it', () => {
  const run = viewOf(
    eventsOf([
      ...start,
      ['reasoning.delta', { partId: 'r1', content: 'Hm' }],
      ['guard.warning', { kind: 'budget', detail: 'four fifths are used' }],
      ['lifecycle.end', { reason: 'completed', content: '', steps: 0, durationMs: 1 }],
    ]),
  )
  expect(run.items[0]).toMatchObject({ kind: 'reasoning', endedAt: begin + 4000 })
})

test('HITL-04: more time keeps a question in its place, a new question does not', () => {
  const ask = eventsOf([...start, call('c1', 'shell', {}), question('c1', 'h1'), question('c1', 'h1', 2)])
  expect(viewOf(ask).tools.get('c1')?.question).toMatchObject({ askedSeq: 4, expiresAt: 2 })
  const other = eventsOf([...start, call('c1', 'shell', {}), question('c1', 'h1'), question('c1', 'h2')])
  expect(viewOf(other).tools.get('c1')?.question?.askedSeq).toBe(5)
})

test('RET-03: discarded parts vanish and the next attempt is announced until it speaks', () => {
  const steps: Step[] = [
    ...start,
    ['reasoning.delta', { partId: 'r1', content: 'Hm' }],
    ['assistant.delta', { partId: 'p1', content: 'Let me' }],
    [
      'llm.retry',
      {
        attempt: 2,
        maxAttempts: 5,
        delayMs: 1500,
        code: 'TRUNCATED',
        message: 'the answer stopped',
        discard: ['r1', 'p1'],
      },
    ],
  ]
  const waiting = viewOf(eventsOf(steps))
  expect(waiting.items).toEqual([])
  expect(waiting.retry).toEqual({
    attempt: 2,
    maxAttempts: 5,
    dueAt: begin + 5500,
    code: 'TRUNCATED',
    message: 'the answer stopped',
  })
  const speaking = viewOf(eventsOf([...steps, ['assistant.delta', { partId: 'p2', content: 'Yes' }]]))
  expect(speaking.retry).toBeNull()
  expect(speaking.items).toMatchObject([{ partId: 'p2', text: 'Yes' }])
})

test('a part ends when another one begins, and text that comes late stays in its part', () => {
  const run = viewOf(
    eventsOf([
      ...start,
      ['reasoning.delta', { partId: 'r1', content: 'Hm' }],
      ['assistant.delta', { partId: 'p1', content: 'Yes' }],
      ['reasoning.delta', { partId: 'r1', content: '!' }],
      ['assistant.delta', { partId: 'p1', content: '.' }],
    ]),
  )
  expect(run.items).toEqual([
    { kind: 'reasoning', partId: 'r1', text: 'Hm!', startedAt: begin + 2000, endedAt: begin + 3000 },
    { kind: 'text', partId: 'p1', text: 'Yes.', startedAt: begin + 3000, endedAt: undefined },
  ])
})

test('a call of which nothing but its place is left makes no row', () => {
  const run = viewOf(eventsOf([...start, ['tool.call', {}, { ref: '/whole' }] as unknown as Step]))
  expect(run.items).toEqual([])
  expect(run.tools.size).toBe(0)
  expect(run.lastSeq).toBe(3)
})

test('a callId that names a property of every object is a callId like another', () => {
  const run = viewOf(eventsOf([...start, call('__proto__', 'shell', { command: 'ls' })]))
  expect(run.tools.get('__proto__')?.toolName).toBe('shell')
})

test('an event of a later version changes nothing but the seq', () => {
  const events = eventsOf([...start, ['context.recalled', {}] as unknown as Step])
  expect({ ...viewOf(events), lastSeq: 0 }).toEqual({ ...viewOf(events.slice(0, 2)), lastSeq: 0 })
})

describe('HK: the final text of a reply', () => {
  const said: Step[] = [
    ...start,
    ['reasoning.delta', { partId: 'r1', content: 'Hm' }],
    ['assistant.delta', { partId: 'p1', content: 'My key is 12' }],
  ]
  const final = (partId: string, content: string): Step => ['assistant.final', { partId, content }]

  test('takes the place of what was streamed of it, and nothing more is to come', () => {
    const run = viewOf(eventsOf([...said, final('p1', 'My key is hidden')]))
    expect(run.items).toMatchObject([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'text', partId: 'p1', text: 'My key is hidden', endedAt: begin + 4000 },
    ])
  })

  test('is a part of its own where nothing was streamed', () => {
    const run = viewOf(eventsOf([...said, final('p2', 'Enough for today.')]))
    expect(run.items.slice(1)).toMatchObject([
      { partId: 'p1', text: 'My key is 12', endedAt: begin + 4000 },
      {
        kind: 'text',
        partId: 'p2',
        text: 'Enough for today.',
        startedAt: begin + 4000,
        endedAt: begin + 4000,
      },
    ])
  })

  test('LOOP-15: takes the place of all pieces that it came in', () => {
    const pieces: Step[] = [
      ...said,
      ['decision', { reason: 'truncated', completed: false }],
      ['reasoning.delta', { partId: 'r2', content: 'Go on' }],
      ['assistant.delta', { partId: 'p2', content: '34' }],
    ]
    const whole: Step = ['assistant.final', { partId: 'p2', content: 'My key is 1234', discard: ['p1'] }]
    const run = viewOf(eventsOf([...pieces, whole]))
    expect(run.items).toMatchObject([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: 'Go on' },
      { kind: 'text', partId: 'p2', text: 'My key is 1234' },
    ])
  })

  test('that is empty leaves no row', () => {
    const run = viewOf(eventsOf([...said, final('p1', '')]))
    expect(run.items).toMatchObject([{ kind: 'reasoning' }])
  })
})

test('REL-02 what is lost of a saved run is said where it was', () => {
  const saved = viewOf(eventsOf([...start, ['record.gap', { from: 2, reason: 'missing' }]]))
  expect(saved.items).toEqual([{ kind: 'guard', guardKind: 'gap', data: {}, detail: '' }])
})

describe('DOOM-02: a guard that asks', () => {
  const ask = (guardId: string, expiresAt = 1): Step => [
    'guard.request',
    {
      guardId,
      kind: 'doom_loop',
      data: { toolName: 'shell', calls: 1, times: 5 },
      detail: 'five',
      expiresAt,
    },
  ]
  const decided = (guardId: string): Step => ['guard.result', { guardId, decision: 'continue', by: 'user' }]

  test('holds the run until it is answered', () => {
    const asked = viewOf(eventsOf([...start, ask('g1')]))
    expect(asked.guard).toEqual({
      runId: 'run-1',
      guardId: 'g1',
      kind: 'doom_loop',
      data: { toolName: 'shell', calls: 1, times: 5 },
      detail: 'five',
      expiresAt: 1,
    })
    expect(viewOf(eventsOf([...start, ask('g1'), decided('g1')])).guard).toBeNull()
  })

  test('has more time when it asks the same again', () => {
    expect(viewOf(eventsOf([...start, ask('g1'), ask('g1', 2)])).guard?.expiresAt).toBe(2)
  })

  test('is not answered by what another one was told', () => {
    expect(viewOf(eventsOf([...start, ask('g1'), ask('g2'), decided('g1')])).guard?.guardId).toBe('g2')
  })

  test('only warns: the row of the call that was not run says it, others have one', () => {
    const warn = (kind: string): Step => ['guard.warning', { kind, detail: kind }]
    const run = viewOf(
      eventsOf([...start, call('a', 'shell', {}), warn('doom_loop'), call('b', 'shell', {}), warn('budget')]),
    )
    expect(run.items).toMatchObject([
      { kind: 'round', callIds: ['a', 'b'] },
      { kind: 'guard', guardKind: 'budget' },
    ])
  })
})

describe('STEER-01: what the user says meanwhile', () => {
  const prompt = { promptId: 'q1', text: 'Use tabs.', target: 'step' } as const

  test('has its place where the model was given it', () => {
    const run = viewOf(
      eventsOf([...start, ['assistant.delta', { partId: 'p1', content: 'Hm' }], ['prompt.joined', prompt]]),
    )
    expect(run.items).toMatchObject([
      { kind: 'text', endedAt: begin + 3000 },
      { kind: 'prompt', promptId: 'q1', text: 'Use tabs.', at: begin + 3000 },
    ])
  })

  test.each(['prompt.queued', 'prompt.changed', 'prompt.removed'] as const)('%s has none', (type) => {
    const events = eventsOf([...start, [type, prompt]])
    expect({ ...viewOf(events), lastSeq: 0 }).toEqual({ ...viewOf(events.slice(0, 2)), lastSeq: 0 })
  })
})

test('INT-01: a run that is to stop after its step says so', () => {
  expect(viewOf(eventsOf(start)).interrupted).toBe(false)
  expect(viewOf(eventsOf([...start, ['run.interrupt', { message: '' }]])).interrupted).toBe(true)
})

test('CTX-02: what the model is no longer shown has its place in the run', () => {
  const text: Step = ['assistant.delta', { partId: 'p1', content: 'Hm' }]
  const compacted: Step = ['context.compacted', { before: 84_000, after: 6_000, mode: 'compact' }]
  expect(viewOf(eventsOf([...start, text, compacted])).items).toMatchObject([
    { kind: 'text', endedAt: begin + 3000 },
    { kind: 'compacted', before: 84_000, after: 6_000, mode: 'compact' },
  ])
})

test('UI-03: usage tells an estimate, and how much the model takes at once', () => {
  const tokens = { prompt: 1, completion: 2, reasoning: 0, cached: 0 }
  const used = (more: object) =>
    viewOf(eventsOf([...start, ['usage', { call: tokens, run: tokens, ...more }]])).usage
  expect(used({})).toEqual({ call: tokens, run: tokens, estimated: false, window: 0 })
  expect(used({ estimated: true, window: 8192 })).toMatchObject({ estimated: true, window: 8192 })
})

test('SEC-02: a result says how far its command was confined, and what is to be known beside it', () => {
  const [type, data] = succeeded('a', 'x')
  const resultOf = (more: object) =>
    viewOf(eventsOf([...start, call('a', 'shell', {}), [type, { ...data, ...more }] as Step])).tools.get('a')
      ?.result
  const notices = [{ code: 'autorun_more', data: { count: 2 } }]
  expect(resultOf({ level: 'limited', notices })).toMatchObject({ level: 'limited', notices })
  expect(resultOf({})).toMatchObject({ level: undefined, notices: [] })
})

test('SEC-08: a run begins with what commands in the background have left since', () => {
  const notices = [{ code: 'autorun_new', data: { path: '.envrc', autorun: 'environment', processId: 'p1' } }]
  const [type, data] = start[0] as Step
  const begun = (more: object) => viewOf(eventsOf([[type, { ...data, ...more }] as Step]))
  expect(begun({ notices }).notices).toEqual(notices)
  expect(begun({}).notices).toEqual([])
})
