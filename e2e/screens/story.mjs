/**
 * The conversation of the pictures: a date parser that fails on leap years. Its
 * events are written as the program sends them.
 */

import { readFileSync } from 'node:fs'

/** How calls to the built-in tools are shown. */
const displays = JSON.parse(
  readFileSync(new URL('../../frontend/src/testing/displays.json', import.meta.url), 'utf8'),
)

/** The moment at which every picture is taken: 21 November 2026, 10:42:00 UTC. */
export const now = Date.UTC(2026, 10, 21, 10, 42)

export const session = 'session-1'
/** How many tokens the model of the pictures takes at once. */
const contextWindow = 40_960
export const folder = '/home/ada/code/date'

/** @typedef {'en' | 'zh-CN'} Language */

/**
 * @typedef {object} Envelope
 * @property {number} seq
 * @property {string} runId
 * @property {string} sessionId
 * @property {number} ts
 * @property {string} type
 * @property {any} data
 * @property {string} [ref]
 */

/** Collects the events of a run; each method adds some and returns the run. */
export class Run {
  /**
   * @param {string} id
   * @param {number} ago how long before the picture it began, in milliseconds
   * @param {string} prompt
   * @param {object} [more]
   */
  constructor(id, ago, prompt, more) {
    this.id = id
    this.begun = now - ago
    this.clock = this.begun
    this.step = 0
    this.parts = 0
    this.used = { prompt: 0, completion: 0, reasoning: 0, cached: 0 }
    /** @type {Envelope[]} */
    this.events = []
    this.add('lifecycle.start', { prompt, model: 'qwen3:8b', maxSteps: 50, ...more })
  }

  /**
   * @param {string} type
   * @param {object} data
   * @param {Partial<Envelope>} [more]
   */
  add(type, data, more = {}) {
    const seq = this.events.length + 1
    this.events.push({ seq, runId: this.id, sessionId: session, ts: this.clock, type, data, ...more })
    return this
  }

  /** @param {number} ms */
  after(ms) {
    this.clock += ms
    return this
  }

  next() {
    this.step++
    return this.add('step.started', { step: this.step, maxSteps: 50 })
  }

  /** @param {string} content */
  say(content) {
    return this.add('assistant.delta', { partId: `${this.id}-${++this.parts}`, content })
  }

  /**
   * @param {string} content
   * @param {number} ms
   */
  think(content, ms) {
    this.add('reasoning.delta', { partId: `${this.id}-${++this.parts}`, content })
    return this.after(ms)
  }

  /**
   * @param {string} callId
   * @param {string} toolName
   * @param {object} args
   * @param {object} [display]
   */
  call(callId, toolName, args, display = displays[toolName]) {
    return this.add('tool.call', { callId, toolName, display, arguments: args })
  }

  /** @param {string} callId */
  running(callId) {
    return this.add('tool.running', { callId })
  }

  /**
   * @param {string} callId
   * @param {string} content
   * @param {object} [more]
   */
  result(callId, content, more = {}) {
    const data = { callId, success: true, content, durationMs: 300, truncated: false, changes: [], ...more }
    this.after(data.durationMs)
    return this.add('tool.result', data)
  }

  /**
   * A call that ran and succeeded, on its own.
   * @param {string} callId
   * @param {string} toolName
   * @param {object} args
   * @param {string} content
   * @param {object} [more]
   */
  done(callId, toolName, args, content, more) {
    return this.call(callId, toolName, args).running(callId).result(callId, content, more)
  }

  /** @param {number} prompt @param {number} completion */
  usage(prompt, completion) {
    const call = { prompt, completion, reasoning: 0, cached: 0 }
    this.used = {
      ...call,
      prompt: this.used.prompt + prompt,
      completion: this.used.completion + completion,
    }
    return this.add('usage', { call, run: this.used, window: contextWindow })
  }

  /** @param {string} content @param {object} [more] */
  end(content, more = {}) {
    const durationMs = this.clock - this.begun
    return this.add('lifecycle.end', { reason: 'completed', content, steps: this.step, durationMs, ...more })
  }

  /** @param {string} code @param {string} message @param {string} [reason] */
  fail(code, message, reason = 'error') {
    const durationMs = this.clock - this.begun
    return this.add('lifecycle.error', { reason, code, message, steps: this.step, durationMs })
  }
}

/** What is said, in both languages. */
export const said = {
  en: {
    prompt: 'The date parser fails on leap years. Find the fault, fix it and run the tests.',
    first: 'I read the parser and its tests first.',
    found:
      'The branch for February ignores leap years: `days` always answers 28. I fix that and add a test.\n\n' +
      '| Year | Leap year | Days in February |\n|---|---|---|\n| 2023 | no | 28 |\n| 2024 | yes | 29 |\n| 1900 | no | 28 |\n',
    code: '\nThe rule, in full:\n\n```go\nfunc leap(y int) bool {\n\t// Every fourth year, but for three of four centuries.\n\treturn y%4 == 0 && (y%100 != 0 || y%400 == 0)\n}\n```\n\nNow the tests run.\n\nLeap years',
    half: 'I add the rule for centuries first, then the',
    done: 'Leap years are parsed now, and all tests pass. `days` asks `leap`, which knows the rule for centuries, too.',
    named: 'Leap years are parsed now: `src/date/parser.go:9` asks `leap`, and all tests pass.',
    thought:
      'The test fails for 29 February 2024. The parser compares with a table, and the table has 28 days.',
    reason: 'Put the test beside the others, in parser_test.go.',
    other: 'Sum up README.md in five sentences.',
    sooner: 'Leave the holidays as they are.',
    later: 'Then write down in CHANGELOG.md what you changed, and why, in one line that a user understands.',
  },
  'zh-CN': {
    prompt: '日期解析器在闰年出错。请找出问题，修好它，然后运行测试。',
    first: '我先读解析器和它的测试。',
    found:
      '处理二月的分支没有考虑闰年：`days` 总是返回 28。我来修正并补充一个测试。\n\n' +
      '| 年份 | 闰年 | 二月天数 |\n|---|---|---|\n| 2023 | 否 | 28 |\n| 2024 | 是 | 29 |\n| 1900 | 否 | 28 |\n',
    code: '\n完整的规则是：\n\n```go\nfunc leap(y int) bool {\n\t// 每四年一次，四个世纪年中有三个除外。\n\treturn y%4 == 0 && (y%100 != 0 || y%400 == 0)\n}\n```\n\n接下来运行测试。\n\n闰年',
    half: '我先补上世纪年的规则，然后',
    named: '现在可以正确解析闰年：`src/date/parser.go:9` 会询问 `leap`，所有测试都通过了。',
    done: '现在可以正确解析闰年，所有测试都通过了。`days` 会询问 `leap`，它也知道世纪年的规则。',
    thought: '测试在 2024 年 2 月 29 日失败。解析器对照一张表，而表里二月只有 28 天。',
    reason: '请把测试放到 parser_test.go 里，和其他测试在一起。',
    other: '用五句话概括 README.md。',
    sooner: '节假日表不要动。',
    later: '然后在 CHANGELOG.md 里用一行用户看得懂的话，写下改了什么、为什么改。',
  },
}

const minute = 60_000
const day = 24 * 60 * minute

/** What is said of a conversation with which nothing else was done. */
const untouched = { draft: false, processes: 0, pinned: false, archived: false }

/**
 * The conversations in the list, over three days and in both languages. The first
 * one of the open folder is the one that is shown.
 * @param {string} mark of the one that is shown
 * @param {Language} language
 */
export const conversations = (mark, language) => [
  {
    id: 'session-7',
    title: 'Put the invoices of October into one table',
    updatedAt: now - 4 * minute,
    mark: 'running',
    ...untouched,
    folder: { path: '/home/ada/notes', name: 'notes' },
  },
  { id: session, title: titles[language], updatedAt: now - minute, mark, ...untouched, folder: null },
  {
    id: 'session-6',
    title: 'Write a page about the date formats that are read',
    updatedAt: now - 26 * minute,
    mark: 'waiting',
    ...untouched,
    folder: null,
  },
  {
    id: 'session-5',
    title: '用五句话概括 README.md',
    updatedAt: now - 130 * minute,
    mark: 'completed',
    ...untouched,
    folder: null,
  },
  {
    id: 'session-4',
    title: 'Add a job that runs the tests',
    updatedAt: now - day,
    mark: 'completed',
    ...untouched,
    folder: null,
  },
  {
    id: 'session-3',
    title: '把节假日表迁移到 CSV',
    updatedAt: now - day - 90 * minute,
    mark: 'error',
    ...untouched,
    folder: null,
  },
  {
    id: 'session-2',
    title: 'Rename the package to calendar',
    updatedAt: now - 2 * day,
    mark: 'cancelled',
    ...untouched,
    folder: null,
  },
]

/** What the conversation of the pictures is called. */
export const titles = { en: 'Fix the date parser for leap years', 'zh-CN': '修正闰年的日期解析' }

const parser = `package date

// days returns how many days a month has.
func days(y, m int) int {
	if m == 2 {
		return 28
	}
	return 30 + (m+m/8)%2
}
`

const diff = `--- a/src/date/parser.go
+++ b/src/date/parser.go
@@ -1,9 +1,17 @@
 package date
 
+// leap reports whether a year has 29 February.
+func leap(y int) bool {
+	return y%4 == 0 && (y%100 != 0 || y%400 == 0)
+}
+
 // days returns how many days a month has.
 func days(y, m int) int {
 	if m == 2 {
-		return 28
+		if leap(y) {
+			return 29
+		}
+		return 28
 	}
 	return 30 + (m+m/8)%2
 }
`

/** A long change: the diff of a generated table. */
export const longDiff =
  '--- a/src/date/holidays.csv\n+++ b/src/date/holidays.csv\n@@ -1,3 +1,204 @@\n year,month,day,name\n 2024,1,1,New Year\n' +
  Array.from(
    { length: 201 },
    (_, i) => `+${2025 + Math.floor(i / 12)},${(i % 12) + 1},${(i % 27) + 1},Holiday ${i + 1}\n`,
  ).join('') +
  ' 2024,12,25,Christmas\n'

/**
 * The run up to what was read.
 * @param {Language} language
 * @param {number} [ago]
 */
export function reading(language, ago = 48_000) {
  const words = said[language]
  return new Run('run-1', ago, words.prompt)
    .after(400)
    .next()
    .think(words.thought, 6200)
    .say(words.first)
    .call('list', 'list_files', { path: 'src' })
    .call('read1', 'read_file', { path: 'src/date/parser.go' })
    .call('read2', 'read_file', { path: 'src/date/parser_test.go' })
    .call('search', 'search_files', { pattern: 'days\\(', path: 'src' })
    .running('list')
    .running('read1')
    .running('read2')
    .running('search')
    .result('list', 'src/date/\nsrc/date/parser.go\nsrc/date/parser_test.go\n', { durationMs: 100 })
    .result('read1', parser, { durationMs: 20 })
    .result('read2', 'package date\n\nfunc TestDays(t *testing.T) {}\n', { durationMs: 20 })
    .result('search', 'src/date/parser.go:4: func days(y, m int) int {\n', { durationMs: 160 })
    .add('step.completed', { step: 1, maxSteps: 50, elapsedSeconds: 7, toolCallCount: 4 })
    .usage(3120, 214)
    .after(900)
    .next()
}

/** The write that is asked about. */
export const writing = {
  args: {
    path: 'src/date/parser.go',
    edits: [{ old: '\t\treturn 28\n', new: '\t\tif leap(y) {\n\t\t\treturn 29\n\t\t}\n\t\treturn 28\n' }],
  },
  preview: { effect: 'files', path: 'src/date/parser.go', diff, added: 9, removed: 1 },
}

/** The command that is asked about. */
export const testing = {
  args: { command: 'go vet ./... && go test ./src/date -run Leap' },
  preview: {
    effect: 'command',
    command: 'go vet ./... && go test ./src/date -run Leap',
    folder,
    level: 'full',
    confinement:
      'Confined: this command can change only this folder and a private temporary one, and cannot read your other files or your keys. It has no network.',
  },
}

/** What a command has changed in its copy of the folder. */
const inCopy = [
  {
    path: '.vscode/settings.json',
    kind: 'created',
    op: 'create',
    diff: '--- /dev/null\n+++ b/.vscode/settings.json\n@@ -0,0 +1 @@\n+{ "go.testFlags": ["-count=1"] }\n',
    added: 1,
    removed: 0,
    size: 34,
    held: { code: 'autorun', autorun: 'editor' },
  },
  { path: 'go.sum', kind: 'deleted', op: 'delete', added: 0, removed: 31 },
  { path: 'parser_test.go', kind: 'deleted', op: 'delete', to: 'src/date/parser_test.go' },
  { path: 'src/date/parser.go', kind: 'modified', op: 'modify', diff, added: 9, removed: 1, size: 812 },
  { path: 'src/date/parser_test.go', kind: 'created', op: 'create', from: 'parser_test.go', size: 640 },
]

/** The same as it is asked about. */
export const copied = {
  args: { command: 'gofmt -w . && mv parser_test.go src/date && go mod tidy' },
  preview: { effect: 'files', folder, changes: inCopy },
}

/** Keys that a command has printed. */
export const printed = {
  args: { command: 'printenv | sort' },
  preview: {
    effect: 'none',
    command: 'printenv | sort',
    output:
      'API_TOKEN=[secret hidden: 40 characters]\nDATABASE=postgres://app:[secret hidden: 16 characters]@db/app',
    keys: 2,
  },
}

/** What a command has changed, as the review has it where nobody has decided. */
export const setAside = {
  'runs/run-1/changes': { rows: [], aside: [{ id: 'aside-1', callId: 'test', changes: inCopy }] },
}

/** What is in a draft, one path of which the user has changed too. */
export const drafted = {
  'runs/run-1/changes': { rows: [], aside: [] },
  [`sessions/${session}/draft`]: {
    id: 'draft-1',
    hash: 'hash-draft',
    runs: false,
    changes: [
      ...inCopy.map((change) =>
        change.path === 'src/date/parser.go' ? { ...change, held: { code: 'merged' } } : change,
      ),
      ...['index', 'logs/HEAD', 'refs/heads/main'].map((name) => ({
        path: `.git/${name}`,
        kind: 'modified',
        op: 'modify',
        unit: '.git',
        held: { code: 'meanwhile' },
      })),
    ],
  },
}

/**
 * Asks about a call.
 * @param {Run} run
 * @param {string} callId
 * @param {string} toolName
 * @param {{args: object, preview: object}} what
 * @param {object} [more]
 */
export function ask(run, callId, toolName, what, more = {}) {
  run.call(callId, toolName, what.args)
  return run.add('tool.confirm_request', {
    callId,
    toolName,
    arguments: what.args,
    preview: what.preview,
    hash: `hash-${callId}`,
    expiresAt: now + 290_000,
    ...more,
  })
}

const noteDiff = '--- a/page.txt\n+++ b/page.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n'
const note = {
  effect: 'files',
  path: 'page.txt',
  diff: noteDiff,
  added: 2,
  removed: 1,
}

/**
 * Calls to tools that the page has never heard of: one that reads, one that writes, and
 * one whose changes are asked about after it ran. They are shown as they say themselves.
 * @param {Run} run
 */
export function unheardOf(run) {
  const read = { title: 'Read the notebook', verb: 'read' }
  const write = {
    title: 'Write the notebook',
    verb: 'write',
    icon: 'pencil',
    form: [{ at: 'text' }],
  }
  const tidy = {
    title: 'Tidy up the notebook',
    verb: 'tidy',
    subject: { arguments: ['page'], kind: 'path' },
    icon: 'broom',
  }
  const text = { text: 'one\ntwo\n' }
  run
    .call('note1', 'note_read', {}, read)
    .running('note1')
    .result('note1', 'one\n', { data: { lines: 1 } })
    .after(500)
    .next()
    .call('note2', 'note_write', text, write)
    .running('note2')
    .result('note2', 'written', {
      changes: [{ path: 'page.txt', kind: 'modified', added: 1, removed: 0 }],
    })
    .after(800)
    .next()
    .call('note3', 'note_draft', { page: 'page.txt' }, tidy)
    .running('note3')
    .after(700)
  return run.add('tool.confirm_request', {
    kind: 'changes',
    questionId: 'question-note3',
    callId: 'note3',
    toolName: 'note_draft',
    arguments: { page: 'page.txt' },
    preview: note,
    hash: 'hash-note3',
    expiresAt: now + 290_000,
  })
}

/**
 * The write as it was approved and made.
 * @param {Run} run
 */
export function written(run) {
  ask(run, 'edit', 'edit_file', writing).after(3000)
  return run
    .add('tool.confirm_result', { callId: 'edit', decision: 'approve', arguments: writing.args, by: 'user' })
    .running('edit')
    .result('edit', 'modified src/date/parser.go (+9 -1 lines)', {
      durationMs: 4,
      changes: [{ path: 'src/date/parser.go', kind: 'modified', added: 9, removed: 1 }],
    })
}

/**
 * A run that has changed several paths, by a tool and by a command.
 * @param {Language} language
 */
export function judged(language) {
  const { done } = said[language]
  const edit = {
    path: 'src/date/parser.go',
    kind: 'modified',
    op: 'modify',
    added: 9,
    removed: 1,
    setId: 'set-1',
  }
  const swept = [
    { path: 'src/date/old.go', kind: 'deleted', op: 'delete', added: 0, removed: 12 },
    {
      path: 'src/date/parser_test.go',
      kind: 'created',
      op: 'create',
      from: 'parser_test.go',
      added: 0,
      removed: 0,
    },
    { path: 'run.sh', kind: 'modified', op: 'mode', added: 0, removed: 0 },
  ]
  const command = 'rm src/date/old.go && mv parser_test.go src/date/ && chmod +x run.sh'
  return reading(language)
    .call('edit', 'edit_file', writing.args)
    .running('edit')
    .result('edit', 'modified src/date/parser.go (+9 -1 lines)', { durationMs: 4, changes: [edit] })
    .after(600)
    .next()
    .done('sweep', 'shell', { command }, '', { changes: swept.map((one) => ({ ...one, setId: 'set-2' })) })
    .after(300)
    .next()
    .say(done)
    .end(done)
}

const twoHunks = diff.replace(
  '@@ -1,9 +1,17 @@\n',
  '@@ -1,3 +1,3 @@\n-// Package date reads dates.\n+// Package date reads and checks dates.\n \n import "time"\n@@ -41,9 +41,17 @@\n',
)
const plain = { mode: '644', size: 1840 }
const rowOf = (id, path, op, more = {}) => ({
  id,
  path,
  op,
  kind: 'file',
  state: 'applied',
  added: 0,
  removed: 0,
  calls: ['sweep'],
  command: true,
  during: true,
  before: plain,
  after: plain,
  ...more,
})

/** A command that runs in the background, and one that has failed, as they are read. */
export const commands = {
  processes: {
    processes: [
      commandOf('serve', 'go run ./cmd/site -addr :8080', {
        id: 'p2',
        background: true,
        running: true,
        endedAt: 0,
      }),
      commandOf('vet', 'go vet ./... && go test ./...', { id: 'p1', exitCode: 1, network: true }),
    ],
  },
  'processes/serve/output?from=0': {
    text: 'Building the pages … 128 of 128\nListening on http://localhost:8080\n',
    from: 0,
    next: 70,
    running: true,
  },
  'processes/serve/output?from=70': { text: '', from: 70, next: 70, running: true },
}

/** @param {string} callId @param {string} command @param {object} more */
function commandOf(callId, command, more) {
  const ended = { running: false, startedAt: now - 72_000, endedAt: now - 60_000, exitCode: 0, signal: '' }
  return {
    callId,
    command,
    level: 'full',
    network: false,
    background: false,
    failed: '',
    notices: [],
    ...ended,
    ...more,
  }
}

/** What is read of what that run changed, by its address. */
export const changed = {
  'runs/run-1/changes': {
    aside: [],
    rows: [
      rowOf('set-1/0', 'src/date/parser.go', 'modify', {
        added: 9,
        removed: 1,
        calls: ['edit'],
        command: false,
        during: false,
      }),
      rowOf('set-2/0', 'src/date/old.go', 'delete', { state: 'changed', removed: 12, after: {} }),
      rowOf('set-2/2', 'src/date/parser_test.go', 'create', { from: 'parser_test.go' }),
      rowOf('set-2/3', 'run.sh', 'mode', { after: { ...plain, mode: '755' } }),
    ],
  },
  'runs/run-1/changes/set-1/0': { text: true, diff: twoHunks, hunks: true, taken: [] },
  'runs/run-1/changes/set-2/0': {
    text: true,
    diff: '--- a/src/date/old.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-package date\n-// Nobody needs this.\n',
    hunks: false,
    taken: [],
  },
  'runs/run-1/changes/set-2/2': { text: false, diff: '', hunks: false, taken: [] },
  'runs/run-1/changes/set-2/3': { text: false, diff: '', hunks: false, taken: [] },
  'runs/run-1/undo': {
    steps: [
      { id: 'set-2/3', path: 'run.sh', verdict: 'restore', becomes: 'changes', during: true, choices: [] },
      {
        id: 'set-2/1',
        path: 'parser_test.go',
        verdict: 'restore',
        becomes: 'returns',
        during: true,
        choices: [],
      },
      {
        id: 'set-2/2',
        path: 'src/date/parser_test.go',
        verdict: 'restore',
        becomes: 'goes',
        during: true,
        choices: [],
      },
      {
        id: 'set-2/0',
        path: 'src/date/old.go',
        verdict: 'conflict',
        becomes: 'returns',
        during: true,
        choices: ['mine', 'restore', 'both'],
      },
      {
        id: 'set-1/0',
        path: 'src/date/parser.go',
        verdict: 'conflict',
        becomes: 'changes',
        choices: ['merge', 'mine', 'restore', 'both'],
      },
    ],
  },
}

/** @type {Record<string, {path: string, entries: object[], more: boolean}>} */
export const tree = {
  '.': level('.', ['docs/', 'src/', '.env', 'CHANGELOG.md', 'go.mod', 'README.md']),
  docs: level('docs', ['usage.md']),
  src: level('src', ['date/', '日历/']),
  'src/date': level('src/date', ['holidays.csv', 'parser.go', 'parser_test.go']),
}

/** @param {string} path @param {string[]} names */
function level(path, names) {
  const entries = names.map((each) => {
    const folder = each.endsWith('/')
    const name = folder ? each.slice(0, -1) : each
    return {
      name,
      path: path === '.' ? name : `${path}/${name}`,
      folder,
      link: false,
      secret: name === '.env',
      size: folder ? 0 : 1840,
    }
  })
  return { path, entries, more: false }
}

const rules = `# How to work on this project

- Tests lie beside the code: parser.go, parser_test.go.
- Run \`go test ./...\` before you say that you are done.
- 日期的名称用中文。
`

/** Rows of a sheet, as its reader writes them. */
const orders = `|  | A | B | C | D |
|---|---|---|---|---|
| 1 | 订单号 | Date | 客户 | Amount |
| 2 | DD2051 | 2025-02-18 | 晨曦文具店 | 1,542.00 |
| 3 | DD2052 | 2025-02-19 | Larkmoor Instruments Ltd | 660.00 |
| 4 | DD2053 | 2025-02-19 | 松涛小学 | 760.00 |
| 5 | DD2054 |  | Tidewell<br>Maintenance LLP | -86.00 |
`

/** A folder with a spreadsheet. */
export const office = { '.': level('.', ['letters/', 'orders.xlsx', 'README.md']) }

export const officeFiles = {
  'orders.xlsx': {
    path: 'orders.xlsx',
    text: '',
    encoding: '',
    truncated: false,
    binary: true,
    size: 9216,
    document: {
      format: 'xlsx',
      text: {
        unit: 'row',
        parts: [
          { first: 1, last: 5, sheet: 'Orders 2025', text: orders },
          {
            first: 6,
            last: 8,
            sheet: '客户',
            text: '|  | A |\n|---|---|\n| 1 | 晨曦文具店 |\n| 2 | 松涛小学 |\n',
          },
        ],
        next: 9,
      },
    },
  },
}

export const files = {
  'AGENTS.md': {
    path: 'AGENTS.md',
    text: rules,
    encoding: '',
    truncated: false,
    binary: false,
    size: 212,
  },
  'src/date/parser.go': {
    path: 'src/date/parser.go',
    text: parser,
    encoding: '',
    truncated: false,
    binary: false,
    size: parser.length,
  },
}

/** The file once that change was made, with lines of some kind where the change has none. @param {string} text */
function afterOf(text) {
  /** @type {string[]} */
  const lines = []
  for (const line of text.split('\n').slice(2)) {
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(line) ?? []
    if (start !== undefined) {
      while (lines.length < Number(start) - 1)
        lines.push(`const d${lines.length} = ${lines.length} * 24 * time.Hour`)
    } else if (line.startsWith('+') || line.startsWith(' ')) lines.push(line.slice(1))
  }
  return lines.join('\n')
}

export const changedFiles = {
  'src/date/parser.go': { ...files['src/date/parser.go'], text: afterOf(twoHunks), size: plain.size },
}

/**
 * The run in which the same search is repeated, up to the question of a guard.
 * @param {Language} language
 */
export function circling(language) {
  const call = { pattern: 'leap', path: 'docs' }
  const run = reading(language)
  for (const id of ['again1', 'again2']) run.done(id, 'search_files', call, 'no match\n').after(900).next()
  const detail = 'the same call of search_files came'
  const measured = { toolName: 'search_files', calls: 1 }
  run
    .call('again3', 'search_files', call)
    .add('guard.warning', {
      kind: 'doom_loop',
      data: { ...measured, times: 3 },
      detail: `${detail} 3 times in a row`,
    })
    .result('again3', `DOOM_LOOP: ${detail} 3 times in a row with the same result, so it was not run again`, {
      success: false,
      errorCode: 'DOOM_LOOP',
      durationMs: 0,
    })
  return run
    .after(1100)
    .next()
    .call('again4', 'search_files', call)
    .add('guard.request', {
      guardId: 'guard-1',
      kind: 'doom_loop',
      data: { ...measured, times: 4 },
      detail: `${detail} 4 times in a row`,
      expiresAt: now + 290_000,
    })
}

/**
 * The run that has used up its budget, and whose question waits only a little longer.
 * @param {Language} language
 */
export function spent(language) {
  const run = written(reading(language)).usage(4700, 320)
  const budget = { most: 10_000, unit: 'tokens' }
  return run
    .after(300)
    .add('guard.warning', {
      kind: 'budget',
      data: { ...budget, used: 8354 },
      detail: '8354 of 10000 tokens are used',
    })
    .next()
    .usage(6120, 240)
    .done('test', 'shell', testing.args, 'ok  \tdate/src/date\t0.21s\n', { durationMs: 1900 })
    .add('guard.request', {
      guardId: 'guard-1',
      kind: 'budget',
      data: { ...budget, used: 14_714 },
      detail: '14714 of 10000 tokens are used',
      expiresAt: now + 42_000,
    })
}

/**
 * The run that is testing.
 * @param {Language} language
 */
export function atTests(language) {
  return written(reading(language))
    .after(300)
    .next()
    .usage(5240, 180)
    .call('test', 'shell', testing.args)
    .running('test')
    .add('tool.progress', { callId: 'test', content: '=== RUN   TestLeap\n--- PASS: TestLeap (0.00s)\n' })
}

/**
 * What waits while the run goes on.
 * @param {Language} language
 */
export const waiting = (language) => [
  { promptId: 'prompt-1', text: said[language].sooner, target: 'step' },
  { promptId: 'prompt-2', text: said[language].later, target: 'run' },
]
