import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { Fault } from '../../api/fault'
import { type readEvents, readWhole } from '../../api/routes'
import type { Envelope } from '../../api/types'
import { language } from '../../i18n'
import { asked, close, later, page, prepare } from '../../testing/dock'
import { call, eventsOf, start, type Step } from '../../testing/events'
import { alt, answered, ask, patience, press, type Request, runs, writes } from '../../testing/questions'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => ({ confirm: vi.fn<typeof confirm>(), extend: vi.fn<typeof extend>() }))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../../api/routes', () => ({
  readWhole: vi.fn<typeof readWhole>(),
  readEvents: vi.fn<typeof readEvents>(),
}))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

beforeEach(prepare)
afterEach(close)

describe('HITL-02 the card', () => {
  it('shows a file change: what, where, how much, the diff and the full arguments', async () => {
    await asked(writes('c1'))
    expect(page.heading.text()).toBe('Edit src/days.go')
    expect(page.card.attributes('aria-labelledby')).toBe(page.heading.attributes('id'))
    expect(page.card.get('.facts').text()).toBe('changes a file · inside the folder · +1 −1')
    expect(page.card.findAll('.diff .row')).toHaveLength(2)
    expect(page.card.get('details').text()).toContain('"new": "return 29"')
  })

  it('says when a file is new', async () => {
    const preview = writes('c1').preview
    await asked(
      writes('c1', { preview: { ...preview, diff: '--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n' } }),
    )
    expect(page.card.get('.facts').text()).toContain('creates a file')
  })

  it('shows a whole command, one part a line, where it starts and what keeps it in', async () => {
    await asked(runs('c1', `go test ./... && rm -r tmp ${'x'.repeat(5000)}`))
    expect(page.heading.text()).toMatch(/^Run go test \.\/\.\.\. && rm -r tmp x+…$/)
    const parts = page.card.findAll('.command .part')
    expect(parts.map((part) => part.element.textContent)).toEqual([
      'go test ./... && ',
      `rm -r tmp ${'x'.repeat(5000)}`,
    ])
    expect(page.card.findAll('.command .dangers').map((mark) => mark.text())).toEqual(['deletes'])
    expect(page.card.text()).toContain('runs a command · 2 commands · in /home/me/days')
    expect(page.card.text()).toContain('Not confined: this command runs with all your rights')
  })

  it('takes no approval of a change that is shown in part', async () => {
    const line = 'x'.repeat(300_000)
    const preview = { ...writes('c1').preview, diff: `--- a/a\n+++ b/a\n@@ -0,0 +1,1 @@\n+${line}\n` }
    await asked(writes('c1', { preview }))
    expect(page.button('Approve').attributes('disabled')).toBeDefined()
    press('a', page.heading.element, alt)
    expect(confirm).not.toHaveBeenCalled()
    expect(page.card.text()).toContain('Show all of the change to approve it.')
    await page.button('Show all').trigger('click')
    expect(page.card.text()).not.toContain('Show all')
    press('a', page.heading.element, alt)
    expect(vi.mocked(confirm).mock.lastCall?.[0].decision).toBe('approve')
  })

  it('says how many lines a command has, which may lie far below the first', async () => {
    await asked(runs('c1', `ls${'\n'.repeat(200)}rm -rf .`))
    expect(page.card.get('.facts').text()).toContain('runs a command · 201 lines')
  })

  it('speaks Chinese', async () => {
    language.value = 'zh-CN'
    await asked(runs('c1', 'ls'))
    expect(page.heading.text()).toBe('运行 ls')
    expect(page.card.text()).toContain('未隔离')
    expect(page.button('批准').exists()).toBe(true)
  })

  it('HITL-10 makes hidden characters visible everywhere', async () => {
    await asked(
      runs('c1', 'echo \u202Efdp.sh\r\nrm x', {
        preview: { effect: 'command', command: 'echo \u202Efdp.sh\r\nrm x' },
      }),
    )
    expect(page.card.html()).not.toMatch(/[\u202E\r]/)
    expect(page.card.get('.command').text()).toContain('echo ‹U+202E›fdp.sh‹U+000D›\nrm x')
    expect(page.card.get('dd').text()).toContain('‹U+202E›')
    expect(page.heading.text()).toBe('Run echo ‹U+202E›fdp.sh‹U+000D›…')
    expect(vi.mocked(announce).mock.calls[0]?.[0]).toContain('‹U+202E›')
  })

  it('shows text as text', async () => {
    await asked(runs('c1', '<img src=x onerror=alert(1)>'))
    expect(page.card.find('img').exists()).toBe(false)
  })

  it('shows the arguments of a tool it has no preview of', async () => {
    await asked(
      writes('c1', { toolName: 'fetch', arguments: { url: 'http://x' }, preview: { effect: 'none' } }),
    )
    expect(page.heading.text()).toBe('fetch')
    expect(page.heading.find('svg.lucide-wrench').exists()).toBe(true)
    expect((page.card.get('details').element as HTMLDetailsElement).open).toBe(true)
  })

  it('TOOL-08 shows a call of a tool it does not know as that says', async () => {
    const request = writes('c1', { toolName: 'notes_tidy', arguments: { note: 'b.md', text: 'x' } })
    const display = {
      title: 'Tidy up a note',
      verb: 'tidy',
      subject: { arguments: ['note'], kind: 'path' },
      form: [{ at: 'text' }],
    }
    const called: Step = ['tool.call', { callId: 'c1', toolName: 'notes_tidy', display }]
    page.receive(...start, called, ask({ ...request, preview: { effect: 'files' } }))
    await nextTick()
    expect(page.heading.text()).toBe('Tidy up a note b.md')
    expect(page.heading.find('svg.lucide-wrench').exists()).toBe(true)
    expect(page.card.get('.facts').text()).toBe('changes a file · inside the folder')
    await page.button('Edit').trigger('click')
    expect(page.card.findAll('form label').map((label) => label.text())).toEqual(['text'])
  })

  it.each([
    ['en', 'It may have been meant as an example.'],
    ['zh-CN', '可能只是举例。'],
  ] as const)('MSG-08 says in %s why it asks about a call in the text', async (chosen, words) => {
    language.value = chosen
    await asked(
      writes('c1', {
        toolName: 'read_file',
        arguments: { path: 'a.txt' },
        preview: { effect: 'none' },
        cause: { code: 'written', data: {} },
      }),
    )
    expect(page.card.text()).toContain(words)
  })

  it('is announced at once, and once', async () => {
    await asked(writes('c1'))
    await later(10_000)
    expect(vi.mocked(announce).mock.calls).toEqual([['Needs your approval: Edit src/days.go', 'assertive']])
  })

  it('says why it asks again', async () => {
    await asked(writes('c1', { cause: { code: 'edited', data: {} } }))
    expect(page.card.get('.again').text()).toBe('Edited by you. This is what would happen now.')
    page.receive(
      ask(writes('c1', { cause: { code: 'file_changed', data: { path: 'src/days.go' } }, hash: 'h2' })),
    )
    await nextTick()
    expect(page.card.get('.again').text()).toContain('The file changed')
    page.receive(
      ask(
        writes('c1', {
          cause: {
            code: 'edit_unfit',
            data: { error: { code: 'INVALID_ARGUMENTS', message: 'the arguments do not fit' } },
          },
          hash: 'h3',
        }),
      ),
    )
    await nextTick()
    expect(page.card.get('.again').text()).toBe(
      'Your edit cannot be used: invalid arguments: the arguments do not fit',
    )
    page.receive(ask(writes('c1', { reason: 'as an earlier version says it', hash: 'h4' })))
    await nextTick()
    expect(page.card.get('.again').text()).toBe('as an earlier version says it')
  })
})

describe('an answer', () => {
  it('has the hash of its question', async () => {
    await asked(writes('c1'))
    await page.button('Approve').trigger('click')
    expect(vi.mocked(confirm).mock.calls).toEqual([
      [{ runId: 'run-1', callId: 'c1', decision: 'approve', hash: 'hash-c1' }],
    ])
  })

  it.each([
    ['Reject Alt', { decision: 'reject' }],
    ['Reject and stop', { decision: 'reject', stop: true }],
  ])('%s rejects', async (name, want) => {
    await asked(writes('c1'))
    const found = page.card
      .findAll('button')
      .find((one) => one.text().replace('Alt', ' Alt').startsWith(name))
    await found?.trigger('click')
    expect(vi.mocked(confirm)).toHaveBeenCalledExactlyOnceWith({
      runId: 'run-1',
      callId: 'c1',
      hash: 'hash-c1',
      ...want,
    })
  })

  it('is sent once: what answers is disabled afterwards', async () => {
    await asked(writes('c1'))
    const approve = page.button('Approve')
    void approve.trigger('click')
    void approve.trigger('click')
    press('a', page.heading.element, alt)
    press('r', page.heading.element, alt)
    await flushPromises()
    expect(confirm).toHaveBeenCalledTimes(1)
    for (const name of ['Approve', 'Reject', 'Edit'])
      expect(page.button(name).attributes()).toHaveProperty('disabled')
  })

  it('that was given elsewhere before is no fault', async () => {
    vi.mocked(confirm).mockRejectedValue(new Fault('NOT_FOUND', 'no question is open'))
    await asked(writes('c1'))
    await page.button('Approve').trigger('click')
    await flushPromises()
    expect(page.card.find('[role=alert]').exists()).toBe(false)
    expect(page.button('Approve').attributes()).toHaveProperty('disabled')
    page.receive(answered('c1'))
    await nextTick()
    expect(page.card.exists()).toBe(false)
  })

  it('that failed can be given again', async () => {
    vi.mocked(confirm).mockRejectedValueOnce(new Fault('NO_ANSWER', 'Confirm got no answer in 60 s'))
    await asked(writes('c1'))
    await page.button('Approve').trigger('click')
    await flushPromises()
    expect(page.card.get('[role=alert]').text()).toContain('Confirm got no answer')
    await page.button('Approve').trigger('click')
    expect(confirm).toHaveBeenCalledTimes(2)
  })
})

/** The event that asks, as it is read whole. */
function whole(request: Request): Envelope {
  const [event] = eventsOf([ask(request)])
  if (!event) throw new Error('no event')
  return event
}

/** Asks with an event that was cut. */
async function askedCut(request: Request): Promise<void> {
  page.receive(...start, call('c1', request.toolName, {}), ask(request, '/fairlead/runs/run-1/events/4'))
  await nextTick()
}

describe('EV-06 a question that was cut', () => {
  it('is approved only once it was read whole, and was there for 300 ms', async () => {
    let answer: ((event: Envelope) => void) | undefined
    vi.mocked(readWhole).mockReturnValue(
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    await askedCut(runs('c1', 'echo'))
    expect(readWhole).toHaveBeenCalledExactlyOnceWith('/fairlead/runs/run-1/events/4')
    await later(1000)
    press('a', page.heading.element, alt)
    await page.button('Approve').trigger('click')
    expect(page.button('Edit').attributes()).toHaveProperty('disabled')
    answer?.(whole(runs('c1', 'echo; rm -r x')))
    await flushPromises()
    expect(page.card.get('.command').text()).toContain('rm -r x')
    press('a', page.heading.element, alt)
    expect(confirm).not.toHaveBeenCalled()
    await later(300)
    press('a', page.heading.element, alt)
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  it('can be rejected before', async () => {
    vi.mocked(readWhole).mockReturnValue(new Promise(() => {}))
    await askedCut(runs('c1', 'echo'))
    await page.button('Reject').trigger('click')
    expect(vi.mocked(confirm).mock.lastCall?.[0].decision).toBe('reject')
  })

  it('is read again on demand, and never taken for another one', async () => {
    vi.mocked(readWhole)
      .mockRejectedValueOnce(new Fault('UNREACHABLE', 'read'))
      .mockResolvedValueOnce(whole(runs('c1', 'other', { hash: 'other' })))
    await askedCut(runs('c1', 'echo'))
    await flushPromises()
    await page.button('Try again').trigger('click')
    await flushPromises()
    expect(readWhole).toHaveBeenCalledTimes(2)
    await later(300)
    press('a', page.heading.element, alt)
    expect(confirm).not.toHaveBeenCalled()
  })
})

describe('HITL-04 the time', () => {
  it('is shown in the last minute only, and told at 60, 30 and 10 seconds', async () => {
    await asked(writes('c1', { expiresAt: Date.now() + 90_000 }))
    vi.mocked(announce).mockClear()
    expect(page.card.find('.left').exists()).toBe(false)
    await later(29_700 - 1)
    expect(page.card.find('.left').exists()).toBe(false)
    await later(1)
    expect(page.card.get('.left').text()).toContain('60 seconds left to answer')
    await later(59_000)
    expect(page.card.get('.left').text()).toContain('1 second left to answer')
    await later(5_000)
    expect(page.card.get('.left').text()).toContain('0 seconds')
    expect(vi.mocked(announce).mock.calls.map(([text]) => text)).toEqual([
      '60 seconds left to answer',
      '30 seconds left to answer',
      '10 seconds left to answer',
    ])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('Keep waiting gives the whole time again, to the same question', async () => {
    await asked(writes('c1', { expiresAt: Date.now() + 30_000 }))
    expect(page.card.find('.left').exists()).toBe(true)
    await page.button('Keep waiting').trigger('click')
    expect(extend).toHaveBeenCalledExactlyOnceWith('run-1', 'c1')
    page.receive(ask(writes('c1', { expiresAt: Date.now() + patience })))
    await nextTick()
    expect(page.card.find('.left').exists()).toBe(false)
    press('a', page.heading.element, alt)
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  it('the question goes when nobody answered', async () => {
    await asked(writes('c1'))
    page.receive(answered('c1', 'timeout'))
    await nextTick()
    expect(page.card.exists()).toBe(false)
  })
})
