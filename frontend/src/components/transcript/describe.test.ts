// @vitest-environment node
import { afterEach, expect, test } from 'vitest'

import { hasText, language } from '../../i18n'
import { en } from '../../i18n/en'
import type { ToolView } from '../../stores/view'
import { call, eventsOf, failed, start, started, type Step, succeeded, viewOf } from '../../testing/events'
import { subjectOf, verbOf } from '../../text/calls'
import { badgeOf, exploredParts, stateVerbOf, workParts } from './describe'

const sources: Record<string, string> = import.meta.glob('../../../../backend/message/call.go', {
  query: '?raw',
  import: 'default',
  eager: true,
})

afterEach(() => {
  language.value = 'en'
})

function tool(...steps: Step[]): ToolView {
  const [only] = viewOf(eventsOf([...start, ...steps])).tools.values()
  if (!only) throw new Error('there is no call')
  return only
}

test('UI-07: verbs in both languages, done and not', () => {
  const asked = call('c', 'shell', { command: 'ls' })
  expect(stateVerbOf(tool(asked))).toBe('Run')
  expect(stateVerbOf(tool(asked, succeeded('c', '')))).toBe('Ran')
  expect(stateVerbOf(tool(asked, failed('c', 'REJECTED', '')))).toBe('Run')
  language.value = 'zh-CN'
  expect(stateVerbOf(tool(asked))).toBe('运行')
  expect(stateVerbOf(tool(asked, succeeded('c', '')))).toBe('已运行')
})

test.each([
  ['shell_start', 'Start', 'Started', '启动', '已启动'],
  ['shell_status', 'Look at', 'Looked at', '查看', '已查看'],
  ['shell_kill', 'End', 'Ended', '结束', '已结束'],
  ['http_get', 'Fetch', 'Fetched', '获取', '已获取'],
])('UI-07: %s has its verbs', (name, ...verbs) => {
  const asked = call('c', name, {})
  const both = () => [stateVerbOf(tool(asked)), stateVerbOf(tool(asked, succeeded('c', '')))]
  const english = both()
  language.value = 'zh-CN'
  expect([...english, ...both()]).toEqual(verbs)
})

test('a tool there is no word for is named', () => {
  expect(stateVerbOf(tool(call('c', 'constructor', {})))).toBe('constructor')
})

const renaming: Step = [
  'tool.call',
  {
    callId: 'c',
    toolName: 'notes_rename',
    display: { title: 'Rename a note\u202E', verb: 'rename', icon: 'tag' },
    arguments: { name: 'b' },
  },
]

test('TOOL-08: where there is no word for what a call does, its tool has a title', () => {
  const both = [stateVerbOf(tool(renaming)), stateVerbOf(tool(renaming, succeeded('c', '')))]
  expect(both).toEqual(['Rename a note‹U+202E›', 'Rename a note‹U+202E›'])
  const about = { toolName: 'note_read', display: { title: 'Read the notebook', verb: 'read' } }
  expect(verbOf(about)).toBe('Read the notebook')
  expect(subjectOf(tool(renaming), { name: 'b' })).toEqual({ kind: 'text', text: '', to: '' })
})

test.each([
  ['path', ' a.txt', { kind: 'path', text: ' a.txt' }],
  ['folder', '', { kind: 'path', text: '.' }],
  ['address', 'https://a.test/', { kind: 'text', text: 'https://a.test/' }],
  ['tune', ' la la ', { kind: 'text', text: 'la la' }],
])('TOOL-08: a subject of the kind %s is shown as such', (kind, name, want) => {
  const display = { title: 'Sing', subject: { arguments: ['other', 'name'], kind } }
  expect(subjectOf({ toolName: 'sing', display }, { other: 7, name })).toEqual({ to: '', ...want })
})

test.each([
  ['shell', { command: ' ls -l\n' }, { kind: 'text', text: 'ls -l' }],
  ['read_file', { path: 'a.txt' }, { kind: 'path', text: 'a.txt' }],
  ['search_files', { pattern: 'x', path: 'src' }, { kind: 'text', text: 'x' }],
  ['list_files', {}, { kind: 'path', text: '.' }],
  ['list_files', { path: 'src', glob: '*.go' }, { kind: 'path', text: '*.go' }],
  ['read_file', { path: 7 }, { kind: 'path', text: '' }],
  ['move_file', { from: 'in/a.txt', to: 'in/b.txt' }, { kind: 'path', text: 'in/a.txt', to: 'b.txt' }],
  ['move_file', { from: 'in/a.txt', to: 'out/a.txt' }, { kind: 'path', text: 'in/a.txt', to: 'out/a.txt' }],
  [
    'move_file',
    { from: 'in/a.txt', to: 'in/deep/a.txt' },
    { kind: 'path', text: 'in/a.txt', to: 'in/deep/a.txt' },
  ],
  ['move_file', { from: 'a.txt', to: 'b.txt' }, { kind: 'path', text: 'a.txt', to: 'b.txt' }],
  ['shell_start', { command: ' npm run dev\n' }, { kind: 'text', text: 'npm run dev' }],
  ['shell_status', { processId: 'p1' }, { kind: 'text', text: 'p1' }],
  ['shell_kill', { processId: 'p1' }, { kind: 'text', text: 'p1' }],
  ['http_get', { url: 'https://a.test/b' }, { kind: 'text', text: 'https://a.test/b' }],
  ['some_tool', { path: 'a.txt' }, { kind: 'text', text: '' }],
])('%s is about its argument', (name, args, want) => {
  expect(subjectOf(tool(call('c', name, args)), args)).toEqual({ to: '', ...want })
})

test.each([
  ['read_file', { lines: 2 }, '2 lines'],
  ['read_file', { lines: 1 }, '1 line'],
  ['read_file', {}, 'ok'],
  ['list_files', { entries: 3 }, '3 entries'],
  ['search_files', { matches: 2 }, '2 matches'],
  ['shell', { exitCode: 0 }, 'ok'],
  ['http_get', { httpStatus: 200, bytes: 7 }, 'ok'],
  ['shell_status', { processId: 'p1', running: true }, 'running'],
  ['shell_status', { processId: 'p1', exitCode: 0 }, 'exit 0'],
  ['shell_status', { processId: 'p1', signal: 'SIGKILL' }, 'SIGKILL'],
  ['shell_status', { processId: 'p1' }, 'ok'],
  ['shell_kill', { processId: 'p1', signal: 'SIGTERM', killed: true }, 'ok'],
  ['read_file', undefined, 'ok'],
])('TOOL-05, EV-10: %s with the data %j has the badge %s', (name, data, want) => {
  const text = 'exit code 9\na.go:2: 404\n'
  expect(badgeOf(tool(call('c', name, {}), succeeded('c', text, 300, data)))).toBe(want)
})

test.each([
  ['shell_start', { processId: 'p1', running: true }, 'Started', 'p1'],
  ['shell_start', { processId: 'p1', exitCode: 3 }, 'Started', 'exit 3'],
  ['shell', { processId: 'p1', running: true }, 'Started', 'p1'],
  ['shell', {}, 'Started', 'p1'],
])('TOOL-05: %s has started %j', (name, data, verb, badge) => {
  const view = tool(call('c', name, {}), started('c', 'x', 'p1', data))
  expect([stateVerbOf(view), badgeOf(view)]).toEqual([verb, badge])
})

test.each([
  ['COMMAND_FAILED', { exitCode: 2 }, 'exit 2'],
  ['COMMAND_FAILED', { exitCode: -7 }, 'exit -7'],
  ['COMMAND_FAILED', { signal: 'SIGKILL' }, 'SIGKILL'],
  ['COMMAND_FAILED', {}, 'non-zero exit'],
  ['COMMAND_FAILED', { exceeded: { resource: 'memory', used: 3, most: 2 } }, 'too much memory'],
  ['TOOL_TIMEOUT', { exitCode: 2 }, 'timed out'],
  ['HTTP_ERROR', { httpStatus: 404 }, '404'],
  ['HTTP_ERROR', { httpStatus: 200 }, 'request failed'],
  ['HTTP_ERROR', undefined, 'request failed'],
  ['NETWORK_DENIED', undefined, 'network not allowed'],
  ['PROCESS_NOT_FOUND', undefined, 'no such process'],
])('EV-10: a call that failed with %s and %j says %s', (code, data, want) => {
  const text = 'COMMAND_FAILED: exit code 9\nHTTP_ERROR: status 500'
  expect(badgeOf(tool(call('c', 'any', {}), failed('c', code, text, data)))).toBe(want)
})

test('DSP-04: there are words for every code of a failed call', () => {
  const source = Object.values(sources)[0] ?? ''
  const codes = [...source.matchAll(/^\s+\w+\s+ToolCode = "([A-Z_]+)"/gm)].map(([, code]) => code ?? '')
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !hasText(`transcript.failures.${code}`))).toEqual([])
  expect(Object.keys(en.transcript.failures).filter((code) => !codes.includes(code))).toEqual([])
})

test('a change says how many lines', () => {
  const result: Step = [
    'tool.result',
    {
      callId: 'c',
      success: true,
      content: 'modified',
      durationMs: 1,
      truncated: false,
      changes: [
        { path: 'a', kind: 'modified', added: 12, removed: 4 },
        { path: 'b', kind: 'created', added: 1, removed: 0 },
      ],
    },
  ]
  expect(badgeOf(tool(call('c', 'write_file', { path: 'a' }), result))).toBe('+13 −4')
})

test('EV-06: a cut result has the counts of the whole', () => {
  const [type, data] = succeeded('c', 'a\nb\n', 300, { lines: 2000 })
  expect(badgeOf(tool(call('c', 'read_file', {}), [type, data, { ref: '/x' }] as Step))).toBe('2,000 lines')
})

test('what was looked at is counted, each file once', () => {
  const run = viewOf(
    eventsOf([
      ...start,
      call('a', 'read_file', { path: 'x' }),
      call('b', 'read_file', { path: 'x' }),
      call('c', 'read_file', { path: 'y' }),
      call('d', 'search_files', { pattern: 'x' }),
      call('e', 'list_files', {}),
    ]),
  )
  expect(exploredParts([...run.tools.values()])).toBe('2 files · 1 folder · 1 search')
})

test('what was moved counts once', () => {
  const moved = tool(call('c', 'move_file', { from: 'a.jpg', to: 'b.jpg' }))
  const of = { added: 0, removed: 0, setId: 's' }
  const changes = [
    { path: 'a.jpg', kind: 'deleted', op: 'delete', to: 'b.jpg', ...of },
    { path: 'b.jpg', kind: 'created', op: 'create', from: 'a.jpg', ...of },
  ]
  const result = { ...moved.result, success: true, changes } as unknown as NonNullable<typeof moved.result>
  expect(workParts([{ ...moved, result }])).toBe('changed 1 file')
})
