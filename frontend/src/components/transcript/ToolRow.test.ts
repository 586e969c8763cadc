import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Fault } from '../../api/fault'
import { language } from '../../i18n'
import { copyText, letRead } from '../../testing/bridge'
import { call, displayOf, eventsOf, failed, start, type Step, succeeded } from '../../testing/events'
import { useWindow } from '../../stores/window'
import { readState, readWhole, stateWith } from '../../testing/routes'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

const listing = call('c1', 'shell', { command: 'ls -l' })
const running: Step = ['tool.running', { callId: 'c1' }]
const says = (content: string): Step => ['tool.progress', { callId: 'c1', content }]
const asks: Step = [
  'tool.confirm_request',
  {
    callId: 'c1',
    toolName: 'shell',
    arguments: { command: 'ls -l' },
    preview: { effect: 'command', command: 'ls -l' },
    hash: 'h',
    expiresAt: 1,
  },
]
const decides = (decision: 'approve' | 'reject' | 'modify', by = 'user', reason = ''): Step =>
  [
    'tool.confirm_result',
    { callId: 'c1', decision, by, reason, arguments: { command: decision === 'modify' ? 'ls' : 'ls -l' } },
  ] as Step

const asksAgain: Step = [
  'tool.confirm_request',
  {
    callId: 'c1',
    toolName: 'shell',
    arguments: { command: 'ls' },
    preview: { effect: 'command', command: 'ls' },
    hash: 'h2',
    cause: { code: 'edited', data: {} },
    expiresAt: 1,
  },
]

let transcript: TranscriptPage

beforeEach(async () => {
  vi.useFakeTimers()
  copyText.mockReset().mockResolvedValue()
  readWhole.mockReset()
  transcript = await TranscriptPage.open()
  await transcript.add(...start)
})
afterEach(() => {
  transcript.close()
  language.value = 'en'
  vi.useRealTimers()
})

const isOpen = (words = 'ls') => transcript.row(words).attributes('aria-expanded') === 'true'
const flush = () => vi.advanceTimersByTimeAsync(60)

describe('PRE-10: files that a command saw empty', () => {
  const offers = (): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>('.offer button')]

  test('are offered by name, and no longer once they may be read', async () => {
    await transcript.add(
      listing,
      running,
      failed('c1', 'COMMAND_FAILED', 'COMMAND_FAILED: exit code 1', {
        exitCode: 1,
        covered: ['.env', 'server.pem'],
      }),
    )
    expect(offers().map((b) => b.getAttribute('aria-label'))).toEqual([
      'Let commands read it… .env',
      'Let commands read it… server.pem',
    ])
    letRead.mockReset().mockImplementation(async () => {
      readState.mockResolvedValue(stateWith({ sessionId: 'session-1', readable: ['.env'] }))
      await useWindow().refresh()
      return null
    })
    offers()[0]?.click()
    await flushPromises()
    expect(letRead.mock.calls).toEqual([['session-1', '.env']])
    expect(offers()).toHaveLength(1)
    expect(document.querySelector('.offer')?.textContent).toContain('Commands may read it')
  })

  test('stay as they are after a no, and a fault is said', async () => {
    await transcript.add(
      listing,
      running,
      failed('c1', 'COMMAND_FAILED', 'COMMAND_FAILED: exit code 1', { exitCode: 1, covered: ['.env'] }),
    )
    letRead.mockReset().mockRejectedValueOnce(new Fault('REJECTED', 'the dialog was not answered with a yes'))
    offers()[0]?.click()
    await flushPromises()
    expect(document.querySelector('.offer [role="alert"]')).toBeNull()
    letRead.mockRejectedValueOnce(new Fault('INVALID_PARAMS', 'it does not exist'))
    offers()[0]?.click()
    await flushPromises()
    expect(document.querySelector('.offer [role="alert"]')?.textContent).toContain('it does not exist')
    expect(offers()).toHaveLength(1)
  })
})

describe('UI-01: a row', () => {
  test('says what it does, to what, how it went and what came of it', async () => {
    await transcript.add(listing, running, succeeded('c1', 'a.txt\n', 1900))
    const row = transcript.row('ls')
    expect(row.element.tagName).toBe('BUTTON')
    expect(row.get('svg').attributes('aria-label')).toBe('done')
    expect(row.text()).toMatch(/^Ran\s*ls -l\s*1\.9 s\s*ok$/)
  })

  test('is found by its state in Chinese too', async () => {
    language.value = 'zh-CN'
    await transcript.add(
      listing,
      running,
      failed('c1', 'COMMAND_FAILED', 'COMMAND_FAILED: exit code 1', { exitCode: 1 }),
    )
    expect(transcript.row('ls').get('svg').attributes('aria-label')).toBe('失败')
    expect(transcript.row('ls').text()).toContain('退出码 1')
  })

  test('is closed, opens and closes when it is pressed', async () => {
    await transcript.add(listing, running, succeeded('c1', 'a.txt\n'))
    expect(isOpen()).toBe(false)
    await transcript.row('ls').trigger('click')
    expect(isOpen()).toBe(true)
    const details = document.querySelector(`#${transcript.row('ls').attributes('aria-controls')}`)
    expect(details?.textContent).toContain('a.txt')
    expect(details?.textContent).toContain('command')
    await transcript.row('ls').trigger('click')
    expect(isOpen()).toBe(false)
  })

  test('a name that breaks lines or hides characters shows them', async () => {
    await transcript.add(call('c1', 'write_file', { path: 'a\u202Etxt.exe\nb' }))
    expect(transcript.row('Write').text()).toContain('‹U+202E›')
    expect(transcript.row('Write').text()).toContain('‹U+000A›')
  })

  test('says that what it did in a copy is applied', async () => {
    await transcript.add(listing, decides('approve', 'mode'))
    expect(transcript.row('ls').text()).not.toContain('applying')
    await transcript.add(running, asks, decides('approve'))
    expect(transcript.row('ls').text()).toContain('applying…')
    await transcript.add(succeeded('c1', 'done'))
    expect(transcript.row('ls').text()).not.toContain('applying')
  })

  test('shows seconds while it runs', async () => {
    await transcript.add(listing, running)
    vi.setSystemTime(1_800_000_003_000 + 61_000)
    await vi.advanceTimersByTimeAsync(1000)
    expect(transcript.row('ls').text()).toContain('1:02')
  })
})

describe('a row opens itself', () => {
  test('when a command says something, and closes when it is done', async () => {
    await transcript.add(listing, running)
    expect(isOpen()).toBe(false)
    await transcript.add(says('a.txt\n'))
    expect(isOpen()).toBe(true)
    await transcript.add(succeeded('c1', 'a.txt\n'))
    expect(isOpen()).toBe(false)
  })

  test('not when it waits for the user, who reads the card', async () => {
    await transcript.add(listing, asks)
    expect(isOpen()).toBe(false)
    expect(transcript.row('ls').text()).toContain('waits for you')
    await transcript.row('ls').trigger('click')
    expect(transcript.text()).toContain('Waits for your answer, below.')
  })

  test('when it failed, and says that the model knows', async () => {
    await transcript.add(
      listing,
      running,
      failed('c1', 'COMMAND_FAILED', 'COMMAND_FAILED: exit code 1\nno', { exitCode: 1 }),
    )
    expect(isOpen()).toBe(true)
    expect(transcript.text()).toContain('Failed: exit 1 — the model was told.')
  })

  test('not when the user closed it', async () => {
    await transcript.add(listing, running, says('a\n'))
    await transcript.row('ls').trigger('click')
    await transcript.add(
      says('b\n'),
      failed('c1', 'COMMAND_FAILED', 'COMMAND_FAILED: exit code 1', { exitCode: 1 }),
    )
    expect(isOpen()).toBe(false)
  })

  test('and stays open when the user opened it', async () => {
    await transcript.add(listing)
    await transcript.row('ls').trigger('click')
    await transcript.add(running, says('a\n'), succeeded('c1', 'a\n'))
    expect(isOpen()).toBe(true)
  })
})

describe('live output', () => {
  test('comes as it is said, without color codes', async () => {
    await transcript.add(listing, running, says('one\n'))
    await transcript.add(says('\u001b[1mtwo\u001b[0m\n'), says('<b>three</b>\n'))
    await flush()
    const box = transcript.page.get('[aria-label="Live output"]')
    expect(box.text()).toBe('one\ntwo\n<b>three</b>')
    expect(box.get('.sgr-bold').text()).toBe('two')
  })

  test('says how many lines it left out', async () => {
    await transcript.add(listing, running)
    for (let i = 0; i < 40; i++) await transcript.add(says(`line ${i}\n`.repeat(100)))
    await flush()
    expect(transcript.text()).toMatch(/[\d,]+ earlier lines are not shown/)
    expect(transcript.text()).toContain('line 39')
    expect(transcript.text()).not.toContain('line 3\n')
  })

  test('follows its end until somebody scrolls up', async () => {
    await transcript.add(listing, running, says('one\n'))
    const box = transcript.page.get<HTMLElement>('[aria-label="Live output"]').element
    Object.defineProperties(box, { scrollHeight: { value: 500 }, clientHeight: { value: 100 } })
    await transcript.add(says('two\n'))
    await flush()
    expect(box.scrollTop).toBe(500)
    box.scrollTop = 300
    box.dispatchEvent(new Event('scroll'))
    await transcript.add(says('three\n'))
    await flush()
    expect(box.scrollTop).toBe(300)
  })
})

describe('HITL-10: nothing hides', () => {
  test('in the name of a tool, or in what it was asked for', async () => {
    await transcript.add(call('c1', 'ab\u202Ecd', { 'na\u200Bme': 'rm -rf ~\recho \u202Ehello' }), running)
    await transcript.row('ab').trigger('click')
    const shown = transcript.page.html()
    expect(shown).not.toMatch(/[\u202E\u200B\r]/)
    expect(transcript.row('ab').text()).toContain('ab‹U+202E›cd')
    expect(transcript.text()).toContain('rm -rf ~‹U+000D›echo ‹U+202E›hello')
  })
})

describe('what was decided', () => {
  test.each([
    [[decides('approve')], 'Approved by you.'],
    [[decides('modify'), asksAgain, decides('approve')], 'Approved by you, as you edited it.'],
    [[decides('reject', 'user', 'use rg')], 'Rejected by you: use rg'],
    [[decides('reject')], 'Rejected by you.'],
    [[decides('reject', 'timeout')], 'No answer — rejected.'],
    [[decides('reject', 'mode')], 'Refused: this conversation is read only.'],
    [[decides('approve', 'tour')], 'Approved by the tour.'],
  ])('%#: %s', async (steps, words) => {
    await transcript.add(listing, asks, ...steps)
    if (!isOpen()) await transcript.row('ls').trigger('click')
    expect(transcript.text()).toContain(words)
  })

  test('HITL-03: edited arguments are marked and shown', async () => {
    await transcript.add(listing, asks, decides('modify'), asksAgain, decides('approve'), running)
    expect(transcript.row('ls').text()).toMatch(/^Run\s*ls\s*edited by you/)
  })
})

describe('the result', () => {
  const long = Array.from({ length: 352 }, (_, i) => `line ${i}`).join('\n')

  test('is shown to its 40th line, the rest when it is wanted', async () => {
    await transcript.add(listing, running, succeeded('c1', long))
    await transcript.row('ls').trigger('click')
    expect(transcript.text()).toContain('line 39')
    expect(transcript.text()).not.toContain('line 40')
    await transcript.button('Show 312 more lines').trigger('click')
    expect(transcript.text()).toContain('line 351')
    await transcript.button('Show less').trigger('click')
    expect(transcript.text()).not.toContain('line 40')
  })

  test('is text, whatever is in it', async () => {
    await transcript.add(listing, running, succeeded('c1', '<img src=x onerror=alert(1)>'))
    await transcript.row('ls').trigger('click')
    expect(transcript.page.find('img').exists()).toBe(false)
    expect(transcript.text()).toContain('<img src=x onerror=alert(1)>')
  })

  test('is copied', async () => {
    await transcript.add(listing, running, succeeded('c1', 'a.txt\n'))
    await transcript.row('ls').trigger('click')
    await transcript.button('Copy: Result').trigger('click')
    await flushPromises()
    expect(copyText.mock.calls).toEqual([['a.txt\n']])
    expect(transcript.text()).toContain('Copied')
  })

  test('EV-06: is fetched where it was cut, to be shown and to be copied', async () => {
    const [type, data] = succeeded('c1', 'the beginn')
    await transcript.add(listing, running, [type, data, { ref: '/fairlead/runs/run-1/events/5' }] as Step)
    await transcript.row('ls').trigger('click')
    readWhole.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await transcript.button('Show all').trigger('click')
    await flushPromises()
    expect(transcript.text()).toContain('no answer')
    const [whole] = eventsOf([succeeded('c1', 'the beginning and the end')])
    if (whole) readWhole.mockResolvedValue(whole)
    await transcript.button('Try again').trigger('click')
    await flushPromises()
    expect(readWhole).toHaveBeenLastCalledWith('/fairlead/runs/run-1/events/5')
    expect(transcript.text()).toContain('the beginning and the end')
    await transcript.button('Copy: Result').trigger('click')
    await flushPromises()
    expect(copyText).toHaveBeenLastCalledWith('the beginning and the end')
  })

  test('lists the files it changed', async () => {
    await transcript.add(call('c1', 'write_file', { path: 'src/a.go' }), running, [
      'tool.result',
      {
        callId: 'c1',
        success: true,
        content: 'modified',
        durationMs: 5,
        truncated: false,
        changes: [{ path: 'src/a.go', kind: 'modified', added: 12, removed: 4 }],
      },
    ])
    await transcript.row('Wrote').trigger('click')
    expect(transcript.text()).toMatch(/Changed files\s*src\/a\.go\s*modified\s*\+12 −4/)
  })

  test('is there as JSON too', async () => {
    await transcript.add(listing, running, succeeded('c1', 'a.txt'))
    await transcript.row('ls').trigger('click')
    await transcript.button('Raw').trigger('click')
    expect(transcript.text()).toContain('"toolName": "shell"')
  })
})

const display = displayOf('shell')

test('arguments that are no object are shown as they were written', async () => {
  await transcript.add([
    'tool.call',
    { callId: 'c1', toolName: 'shell', display, rawArguments: '{"command":' },
  ])
  await transcript.row('Run').trigger('click')
  expect(transcript.text()).toContain('{"command":')
})

test('EV-06: arguments that were cut are fetched', async () => {
  const asked: Step = [
    'tool.call',
    { callId: 'c1', toolName: 'shell', display, arguments: { command: 'ec' } },
    { ref: '/r' },
  ]
  await transcript.add(asked)
  await transcript.row('Run').trigger('click')
  const [whole] = eventsOf([call('c1', 'shell', { command: 'echo all of it' })])
  if (whole) readWhole.mockResolvedValue(whole)
  await transcript.button('Show all').trigger('click')
  await flushPromises()
  expect(transcript.text()).toContain('echo all of it')
})

describe('calls asked for at once', () => {
  test('are a group that says how many run', async () => {
    await transcript.add(listing, call('c2', 'write_file', { path: 'a' }), running, [
      'tool.running',
      { callId: 'c2' },
    ])
    expect(transcript.page.get('[role=group]').text()).toContain('2 in parallel · 2 running')
    await transcript.add(succeeded('c1', 'a', 4200))
    expect(transcript.page.get('[role=group]').text()).toContain('2 in parallel · 1 running')
  })

  test('have a line each that shows when they ran', async () => {
    await transcript.add(listing, call('c2', 'write_file', { path: 'a' }), running, [
      'tool.running',
      { callId: 'c2' },
    ])
    await transcript.add(succeeded('c1', 'a', 1000), succeeded('c2', 'a', 3000))
    const bars = transcript.page
      .findAll<HTMLElement>('.bar')
      .map(({ element }) => [element.style.left, element.style.width])
    expect(bars).toEqual([
      ['0%', '25%'],
      ['25%', '75%'],
    ])
  })

  test('are not called parallel when they were not', async () => {
    await transcript.add(listing, call('c2', 'write_file', { path: 'a' }), running, succeeded('c1', '', 900))
    await transcript.add(['tool.running', { callId: 'c2' }], succeeded('c2', '', 900))
    expect(transcript.page.get('[role=group]').text()).toMatch(/^2 calls/)
  })
})

describe('looking around', () => {
  test('is one row that opens', async () => {
    await transcript.add(
      call('c1', 'read_file', { path: 'a.txt' }),
      call('c2', 'read_file', { path: 'b.txt' }),
      running,
    )
    expect(transcript.row('Explor').text()).toMatch(/^Exploring\s*2 files/)
    await transcript.add(succeeded('c1', 'x'), failed('c2', 'FILE_NOT_FOUND', 'FILE_NOT_FOUND: b.txt'))
    expect(transcript.row('Explor').text()).toMatch(/^Explored\s*2 files.*1 failed$/)
    await transcript.row('Explor').trigger('click')
    expect(transcript.row('b.txt').text()).toContain('not found')
  })
})
