// @vitest-environment node
import { describe, expect, test } from 'vitest'

import { call, eventsOf, failed, scenarios, start, succeeded, viewOf, type Step } from '../../testing/events'
import { callsOf, passagesOf, settledItems, type Row } from './layout'

const step = (n: number): Step => ['step.started', { step: n, maxSteps: 50 }]
const read = (id: string) => call(id, 'read_file', { path: id })
const shell = (id: string) => call(id, 'shell', { command: id })
const text: Step = ['assistant.delta', { partId: 'p1', content: 'Hm.' }]

function shapes(...steps: Step[]): string[] {
  return shapesOf(passagesOf(viewOf(eventsOf([...start, ...steps]))).flatMap(({ rows }) => rows))
}

function shapesOf(rows: Row[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'work') return `work(${shapesOf(row.rows).join('; ')})`
    return 'tools' in row ? `${row.kind} ${row.tools.map((tool) => tool.callId).join(',')}` : row.key
  })
}

/** The same with the settled rounds folded. */
function foldedShapes(...steps: Step[]): string[] {
  const run = viewOf(eventsOf([...start, ...steps]))
  return shapesOf(passagesOf(run, settledItems(run)).flatMap(({ rows }) => rows))
}

test('one call is a row', () => expect(shapes(read('a'))).toEqual(['tool a']))

test('looking around at once is one row', () =>
  expect(shapes(read('a'), call('b', 'search_files', {}), call('c', 'list_files', {}))).toEqual([
    'explored a,b,c',
  ]))

test('looking around in consecutive steps is one row', () =>
  expect(shapes(read('a'), step(2), read('b'), read('c'), step(3), read('d'))).toEqual(['explored a,b,c,d']))

test('text between them parts them', () =>
  expect(shapes(read('a'), step(2), text, read('b'))).toEqual(['tool a', 'text p1', 'tool b']))

test('a call that does something parts them too', () =>
  expect(shapes(read('a'), step(2), shell('b'), step(3), read('c'))).toEqual(['tool a', 'tool b', 'tool c']))

test('calls asked for at once are a group, also where some only look around', () =>
  expect(shapes(shell('a'), read('b'), step(2), shell('c'))).toEqual(['parallel a,b', 'tool c']))

test('a guard is a row', () =>
  expect(shapes(['guard.warning', { kind: 'max_steps', detail: 'x' }])).toEqual(['guard 0']))

test('what was left out of the context is a row', () =>
  expect(shapes(read('a'), ['context.compacted', { before: 9, after: 1, mode: 'prune' }], read('b'))).toEqual(
    ['tool a', 'compacted 1', 'tool b'],
  ))

test('STEER-01 what was said meanwhile begins a passage, and parts what was looked at', () => {
  const say = (promptId: string): Step => ['prompt.joined', { promptId, text: 'Use tabs.', target: 'step' }]
  const run = viewOf(eventsOf([...start, read('a'), say('q1'), step(2), read('b'), say('q2')]))
  const passages = passagesOf(run).map(({ key, prompt, rows }) => [key, prompt?.promptId, shapesOf(rows)])
  expect(passages).toEqual([
    ['', undefined, ['tool a']],
    ['q1', 'q1', ['tool b']],
    ['q2', 'q2', []],
  ])
})

describe('DESK-06: finished rounds are one row', () => {
  const say = (partId: string): Step => ['assistant.delta', { partId, content: 'Hm.' }]
  const ran = (id: string) => [shell(id), succeeded(id, '')]
  const ended = (reason: string, more = {}): Step => [
    'lifecycle.end',
    { reason, content: '', steps: 1, durationMs: 9, ...more },
  ]
  const stopped = ended('cancelled', { code: 'CANCELLED' })

  test('but the last one, until the answer is there', () => {
    const two = [say('p1'), ...ran('a'), step(2), say('p2'), ...ran('b')]
    expect(foldedShapes(...two)).toEqual(['work(text p1; tool a)', 'text p2', 'tool b'])
    const three = [...two, step(3), say('p3')]
    expect(foldedShapes(...three)).toEqual(['work(text p1; tool a)', 'text p2', 'tool b', 'text p3'])
    expect(foldedShapes(...three, ended('completed'))).toEqual([
      'work(text p1; tool a; text p2; tool b)',
      'text p3',
    ])
  })

  test('the last one stays where no answer came', () => {
    const two = [say('p1'), ...ran('a'), step(2), say('p2'), ...ran('b')]
    const open = ['work(text p1; tool a)', 'text p2', 'tool b']
    expect(foldedShapes(...two, stopped)).toEqual(open)
    expect(foldedShapes(...two, step(3), say('p3'), stopped)).toEqual([...open, 'text p3'])
  })

  test('a single row is shown as it is', () => {
    expect(foldedShapes(...ran('a'), step(2), say('p1'), ended('completed'))).toEqual(['tool a', 'text p1'])
    expect(foldedShapes(say('p1'), ended('completed'))).toEqual(['text p1'])
  })

  test('failures and rejections stay, and part what is folded', () => {
    const lost = [shell('c'), failed('c', 'COMMAND_FAILED', 'exit 1')]
    const steps = [
      ...ran('a'),
      step(2),
      ...ran('b'),
      step(3),
      ...lost,
      step(4),
      ...ran('d'),
      step(5),
      ...ran('e'),
    ]
    expect(foldedShapes(...steps, step(6), say('p1'), ended('completed'))).toEqual([
      'work(tool a; tool b)',
      'tool c',
      'work(tool d; tool e)',
      'text p1',
    ])
  })

  test('what was said meanwhile parts them too', () => {
    const joined: Step = ['prompt.joined', { promptId: 'q1', text: 'Use tabs.', target: 'step' }]
    const steps = [...ran('a'), step(2), ...ran('b'), joined, step(3), ...ran('c'), step(4), ...ran('d')]
    expect(foldedShapes(...steps)).toEqual(['work(tool a; tool b)', 'tool c', 'tool d'])
  })

  test('a row that looked around in a settled step and in the last one stays', () =>
    expect(foldedShapes(...ran('a'), step(2), read('b'), succeeded('b', ''), step(3), read('c'))).toEqual([
      'tool a',
      'explored b,c',
    ]))

  test('a row that is held is not folded', () => {
    const run = viewOf(
      eventsOf([...start, ...ran('a'), ...ran('b'), step(2), ...ran('c'), step(3), ...ran('d')]),
    )
    const [passage] = passagesOf(run, settledItems(run), new Set(['tool c']))
    expect(shapesOf(passage?.rows ?? [])).toEqual(['parallel a,b', 'tool c', 'tool d'])
  })

  test.each(scenarios)('%s: every call is in one row, and none that failed is folded', (_, events) => {
    const run = viewOf(events)
    const rows = passagesOf(run, settledItems(run)).flatMap((passage) => passage.rows)
    expect(rows.flatMap(callsOf)).toEqual([...run.tools.values()])
    const hidden = rows.flatMap((row) => (row.kind === 'work' ? callsOf(row) : []))
    expect(hidden.filter(({ state }) => state !== 'done')).toEqual([])
  })
})

test.each(scenarios)('%s: every call is in one row, every row has a key of its own', (_, events) => {
  const run = viewOf(events)
  const rows = passagesOf(run).flatMap((passage) => passage.rows)
  const shown = rows.flatMap((row) => ('tools' in row ? row.tools : 'tool' in row ? [row.tool] : []))
  expect(shown).toEqual([...run.tools.values()])
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
})
