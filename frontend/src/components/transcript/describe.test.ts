import { afterEach, expect, test } from 'vitest'

import { hasText, language } from '../../i18n'
import { en } from '../../i18n/en'
import type { ToolView } from '../../stores/view'
import { call, eventsOf, failed, start, started, type Step, succeeded, viewOf } from '../../testing/events'
import { badgeOf, exploredParts, subjectOf, verbOf } from './describe'

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

const reading = (content: string) =>
  badgeOf(tool(call('c', 'read_file', { path: 'a' }), succeeded('c', content)))

test('UI-07: verbs in both languages, done and not', () => {
  const asked = call('c', 'shell', { command: 'ls' })
  expect(verbOf(tool(asked))).toBe('Run')
  expect(verbOf(tool(asked, succeeded('c', '')))).toBe('Ran')
  expect(verbOf(tool(asked, failed('c', 'REJECTED', '')))).toBe('Run')
  language.value = 'zh-CN'
  expect(verbOf(tool(asked))).toBe('运行')
  expect(verbOf(tool(asked, succeeded('c', '')))).toBe('已运行')
})

test.each([
  ['shell_start', 'Start', 'Started', '启动', '已启动'],
  ['shell_status', 'Look at', 'Looked at', '查看', '已查看'],
  ['shell_kill', 'End', 'Ended', '结束', '已结束'],
  ['http_get', 'Fetch', 'Fetched', '获取', '已获取'],
])('UI-07: %s has its verbs', (name, ...verbs) => {
  const asked = call('c', name, {})
  const both = () => [verbOf(tool(asked)), verbOf(tool(asked, succeeded('c', '')))]
  const english = both()
  language.value = 'zh-CN'
  expect([...english, ...both()]).toEqual(verbs)
})

test('a tool there is no word for is named', () => {
  expect(verbOf(tool(call('c', 'constructor', {})))).toBe('constructor')
})

test.each([
  ['shell', { command: ' ls -l\n' }, { kind: 'text', text: 'ls -l' }],
  ['read_file', { path: 'a.txt' }, { kind: 'path', text: 'a.txt' }],
  ['search_files', { pattern: 'x', path: 'src' }, { kind: 'text', text: 'x' }],
  ['list_files', {}, { kind: 'path', text: '.' }],
  ['list_files', { path: 'src', glob: '*.go' }, { kind: 'path', text: '*.go' }],
  ['read_file', { path: 7 }, { kind: 'path', text: '' }],
  ['shell_start', { command: ' npm run dev\n' }, { kind: 'text', text: 'npm run dev' }],
  ['shell_status', { processId: 'p1' }, { kind: 'text', text: 'p1' }],
  ['shell_kill', { processId: 'p1' }, { kind: 'text', text: 'p1' }],
  ['http_get', { url: 'https://a.test/b' }, { kind: 'text', text: 'https://a.test/b' }],
  ['some_tool', {}, { kind: 'path', text: '' }],
])('%s is about its argument', (name, args, want) => {
  expect(subjectOf(tool(call('c', name, args)))).toEqual(want)
})

test.each([
  ['a\nb\n', '2 lines'],
  ['a', '1 line'],
  ['a\n[notice: lines 1 to 1; more follow]', '1 line'],
  ['[notice: the file is empty]', 'ok'],
])('a file of %j has a badge', (content, want) => expect(reading(content)).toBe(want))

test('a search counts its matches, not the lines around them', () => {
  const found = succeeded('c', 'a.go-1- x\na.go:2: leap\n--\nb.go:7: leap\n')
  expect(badgeOf(tool(call('c', 'search_files', { pattern: 'leap' }), found))).toBe('2 matches')
})

test('a command is ok, or says with which code it ended', () => {
  const asked = call('c', 'shell', { command: 'x' })
  expect(badgeOf(tool(asked, succeeded('c', 'a\nb\n')))).toBe('ok')
  expect(
    badgeOf(tool(asked, failed('c', 'COMMAND_FAILED', 'COMMAND_FAILED: exit code 2\nno such file'))),
  ).toBe('exit 2')
  expect(badgeOf(tool(asked, failed('c', 'COMMAND_FAILED', 'COMMAND_FAILED: ended by SIGKILL')))).toBe(
    'failed',
  )
})

test.each([
  ['shell_status', 'p1 running\n(no new output)', 'running'],
  ['shell_status', 'p1 exited with code 0\n', 'exit 0'],
  ['shell_status', 'p1 ended by SIGKILL\n', 'SIGKILL'],
  ['shell_status', 'p1 was not run\n', 'ok'],
  ['shell_status', 'ready\np1 exited with code 3', 'ok'],
  ['shell_kill', 'p1 ended by SIGTERM\n', 'ok'],
  ['shell', 'p1 running\n', 'ok'],
  ['shell', 'processId p1, running: the person moved this command to the background\n', 'ok'],
])('TOOL-05: %s says %j: %s', (name, content, want) => {
  expect(badgeOf(tool(call('c', name, {}), succeeded('c', content)))).toBe(want)
})

test.each([
  ['shell_start', 'processId p1, running\nready', 'Started', 'p1'],
  ['shell_start', 'processId p1, exited with code 3\nno such file', 'Started', 'exit 3'],
  ['shell', 'processId p1, running: the person moved this command to the background\n', 'Started', 'p1'],
])('TOOL-05: %s has started %j', (name, content, verb, badge) => {
  const view = tool(call('c', name, {}), started('c', content, 'p1'))
  expect([verbOf(view), badgeOf(view)]).toEqual([verb, badge])
})

test.each([
  ['HTTP_ERROR', 'HTTP_ERROR: status 404 Not Found\n# Not here', '404'],
  ['HTTP_ERROR', 'HTTP_ERROR: fetch https://a.test/: no such host', 'request failed'],
  ['HTTP_ERROR', 'HTTP_ERROR: cut off\nHTTP_ERROR: status 404', 'request failed'],
  ['NETWORK_DENIED', 'NETWORK_DENIED: 127.0.0.1 is an address of this computer', 'network not allowed'],
  ['PROCESS_NOT_FOUND', 'PROCESS_NOT_FOUND: there is no process "p9"', 'no such process'],
])('a failed call says %s', (code, content, want) => {
  expect(badgeOf(tool(call('c', 'http_get', {}), failed('c', code, content)))).toBe(want)
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

test('of a cut result no lines are counted', () => {
  const [type, data] = succeeded('c', 'a\nb\n')
  expect(badgeOf(tool(call('c', 'read_file', {}), [type, data, { ref: '/x' }] as Step))).toBe('ok')
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
