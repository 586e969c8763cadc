// @vitest-environment node
import { expect, test } from 'vitest'

import { call, eventsOf, scenarios, start, viewOf, type Step } from '../../testing/events'
import { passagesOf, type Row } from './layout'

const step = (n: number): Step => ['step.started', { step: n, maxSteps: 50 }]
const read = (id: string) => call(id, 'read_file', { path: id })
const shell = (id: string) => call(id, 'shell', { command: id })
const text: Step = ['assistant.delta', { partId: 'p1', content: 'Hm.' }]

function shapes(...steps: Step[]): string[] {
  return shapesOf(passagesOf(viewOf(eventsOf([...start, ...steps]))).flatMap(({ rows }) => rows))
}

function shapesOf(rows: Row[]): string[] {
  return rows.map((row) =>
    'tools' in row ? `${row.kind} ${row.tools.map((tool) => tool.callId).join(',')}` : row.key,
  )
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

test.each(scenarios)('%s: every call is in one row, every row has a key of its own', (_, events) => {
  const run = viewOf(events)
  const rows = passagesOf(run).flatMap((passage) => passage.rows)
  const shown = rows.flatMap((row) => ('tools' in row ? row.tools : 'tool' in row ? [row.tool] : []))
  expect(shown).toEqual([...run.tools.values()])
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
})
