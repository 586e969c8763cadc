import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { Fault } from '../../api/fault'
import { type readEvents, readWhole } from '../../api/routes'
import type { Envelope } from '../../api/types'
import { language } from '../../i18n'
import { en } from '../../i18n/en'
import { useWindow } from '../../stores/window'
import { call, eventsOf, start } from '../../testing/events'
import {
  answered,
  ask,
  DockPage,
  fetches,
  mod,
  patience,
  press,
  type Request,
  runs,
  wantsNetwork,
  writes,
} from '../../testing/questions'
import { stateWith } from '../../testing/routes'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => ({ confirm: vi.fn<typeof confirm>(), extend: vi.fn<typeof extend>() }))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../../api/routes', () => ({
  readWhole: vi.fn<typeof readWhole>(),
  readEvents: vi.fn<typeof readEvents>(),
}))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

const programs: Record<string, string> = import.meta.glob('../../../../backend/tool/web/web.go', {
  query: '?raw',
  import: 'default',
  eager: true,
})

let page: DockPage

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Asks, and lets the question be there for long enough. */
async function asked(...requests: Request[]): Promise<void> {
  await page.ask(...requests)
  await later(300)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(confirm)
    .mockReset()
    .mockImplementation(async ({ callId }) => ({ callId }))
  vi.mocked(extend).mockReset().mockResolvedValue(null)
  vi.mocked(readWhole).mockReset()
  vi.mocked(announce).mockReset()
  page = new DockPage()
  vi.advanceTimersByTime(10_000)
})

afterEach(() => {
  page.close()
  language.value = 'en'
  vi.useRealTimers()
})

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
    expect(page.card.text()).toContain('runs a command · 2 commands · in /home/me/days')
    expect(page.card.text()).toContain('Not confined: this command runs with all your rights')
  })

  it('takes no approval of a change that is shown in part', async () => {
    const line = 'x'.repeat(300_000)
    const preview = { ...writes('c1').preview, diff: `--- a/a\n+++ b/a\n@@ -0,0 +1,1 @@\n+${line}\n` }
    await asked(writes('c1', { preview }))
    expect(page.button('Approve').attributes('disabled')).toBeDefined()
    press('Enter', document.body, mod)
    expect(confirm).not.toHaveBeenCalled()
    expect(page.card.text()).toContain('Show all of the change to approve it.')
    await page.button('Show all').trigger('click')
    expect(page.card.text()).not.toContain('Show all')
    press('Enter', document.body, mod)
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
    expect((page.card.get('details').element as HTMLDetailsElement).open).toBe(true)
  })

  it.each([
    ['en', 'It may have been meant as an example.'],
    ['zh-CN', '它可能只是一个例子。'],
  ] as const)('MSG-08 says in %s why it asks about a call in the text', async (chosen, words) => {
    language.value = chosen
    await asked(
      writes('c1', {
        toolName: 'read_file',
        arguments: { path: 'a.txt' },
        preview: { effect: 'none' },
        reason: 'the model wrote this call into its text',
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
    await asked(writes('c1', { reason: 'edited by you' }))
    expect(page.card.get('.again').text()).toBe('Edited by you. This is what would happen now.')
    page.receive(ask(writes('c1', { reason: 'the file changed since it was shown', hash: 'h2' })))
    await nextTick()
    expect(page.card.get('.again').text()).toContain('The file changed')
    page.receive(ask(writes('c1', { reason: 'edited, but the arguments do not fit', hash: 'h3' })))
    await nextTick()
    expect(page.card.get('.again').text()).toBe('Your edit cannot be used: the arguments do not fit')
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
    ['Reject Ctrl', { decision: 'reject' }],
    ['Reject and stop', { decision: 'reject', stop: true }],
  ])('%s rejects', async (name, want) => {
    await asked(writes('c1'))
    const found = page.card
      .findAll('button')
      .find((one) => one.text().replace('Ctrl', ' Ctrl').startsWith(name))
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
    press('Enter', document.body, mod)
    press('Backspace', document.body, mod)
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
    press('Enter', document.body, mod)
    await page.button('Approve').trigger('click')
    expect(page.button('Edit').attributes()).toHaveProperty('disabled')
    answer?.(whole(runs('c1', 'echo; rm -r x')))
    await flushPromises()
    expect(page.card.get('.command').text()).toContain('rm -r x')
    press('Enter', document.body, mod)
    expect(confirm).not.toHaveBeenCalled()
    await later(300)
    press('Enter', document.body, mod)
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
    press('Enter', document.body, mod)
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
    press('Enter', document.body, mod)
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  it('the question goes when nobody answered', async () => {
    await asked(writes('c1'))
    page.receive(answered('c1', 'timeout'))
    await nextTick()
    expect(page.card.exists()).toBe(false)
  })
})

describe('SEC-02 how far a command is confined', () => {
  const gaps = 'Partly confined: it can end your other programs\u202E. It has no network.'
  const of = (level: 'full' | 'limited' | 'none', network = false) => {
    const { preview } = runs('c1', 'ls')
    return runs('c1', 'ls', { preview: { ...preview, level, network, confinement: gaps } })
  }

  it.each([
    ['full', 2, 'Confined: this command can change only this folder', '已隔离：该命令只能修改此文件夹'],
    [
      'limited',
      2,
      'Partly confined: this command can write only in this folder',
      '部分隔离：该命令只能写入此文件夹',
    ],
    ['none', 1, 'Not confined: this command runs with all your rights', '未隔离：该命令以你的全部权限运行'],
  ] as const)('%s has a shield and words', async (level, strokes, english, chinese) => {
    await asked(of(level))
    const line = page.card.get('.level')
    expect(line.text()).toContain(english)
    expect(line.get('svg').classes()).toContain(level)
    expect(line.findAll('svg path')).toHaveLength(strokes)
    expect(page.card.get('.facts').text().includes('without network')).toBe(level !== 'none')
    language.value = 'zh-CN'
    await nextTick()
    expect(page.card.get('.level').text()).toContain(chinese)
  })

  it('names the gaps in the details, with nothing hidden, where there are some', async () => {
    await asked(of('limited'))
    expect(page.card.get('details').text()).toContain('it can end your other programs‹U+202E›.')
    expect(page.card.get('.level').attributes('title')).toBe(gaps)
    page.receive(ask({ ...of('full'), hash: 'h2' }))
    await nextTick()
    expect(page.card.get('details').text()).not.toContain('your other programs')
  })

  it('says when it also asks for the network', async () => {
    await asked(of('full'))
    expect(page.card.text()).not.toContain('asks for the network')
    page.receive(ask({ ...of('full', true), hash: 'h2' }))
    await nextTick()
    expect(page.card.get('.again').text()).toBe(
      'It also asks for the network. Whether it may have that is asked next.',
    )
    expect(page.card.text()).not.toContain('without network')
    expect(page.button('Approve').exists()).toBe(true)
  })
})

describe('SEC-02 the network for a command', () => {
  const labels = () => page.card.findAll('button').map((each) => each.text().replace(/Ctrl.*/, ''))
  const verdicts = () => vi.mocked(confirm).mock.calls.map(([{ decision, hash }]) => [decision, hash])

  async function next(nativeDialogs: boolean): Promise<void> {
    useWindow().state = stateWith({ nativeDialogs })
    await asked(runs('c1', 'npm install && npm test'))
    await page.button('Approve').trigger('click')
    page.receive(ask(wantsNetwork('c1', 'npm install && npm test')))
    await flushPromises()
    vi.mocked(confirm).mockClear()
    await later(300)
  }

  it('is a second question, which only the dialog of the system can allow', async () => {
    await next(true)
    expect(page.heading.text()).toBe('Allow this command the network, once?')
    expect(page.card.get('.facts').text()).toContain('what it can read, it can send anywhere')
    expect(page.card.findAll('.command .part').map((part) => part.text())).toEqual([
      'npm install &&',
      'npm test',
    ])
    expect(page.card.text()).toContain('Only the system’s own dialog can allow this. Answer there.')
    expect(page.card.text()).not.toContain('It also asks for the network')
    expect(labels()).toEqual(['Do not allow'])
    press('Enter', document.body, mod)
    for (const key of ['e', 'r', 'd', 'f']) press(key, page.heading.element)
    await nextTick()
    expect(page.card.find('textarea, input').exists()).toBe(false)
    expect(confirm).not.toHaveBeenCalled()
    await page.button('Do not allow').trigger('click')
    expect(verdicts()).toEqual([['reject', 'network-c1']])
  })

  it('is not allowed here while it is not known whether there are dialogs', async () => {
    await next(true)
    useWindow().state = null
    await nextTick()
    expect(labels()).toEqual(['Do not allow'])
  })

  it('is allowed once here where there is no dialog, after 300 ms', async () => {
    await next(false)
    expect(labels()).toEqual(['Allow once', 'Do not allow'])
    page.receive(ask({ ...wantsNetwork('c1', 'npm install && npm test'), hash: 'other' }))
    await nextTick()
    press('Enter', document.body, mod)
    expect(confirm).not.toHaveBeenCalled()
    await later(300)
    await page.button('Allow once').trigger('click')
    expect(verdicts()).toEqual([['approve', 'other']])
  })

  it('can be refused by key', async () => {
    await next(false)
    press('Backspace', document.body, mod)
    expect(verdicts()).toEqual([['reject', 'network-c1']])
  })

  it('is announced as what it is, in both languages', async () => {
    await next(true)
    expect(vi.mocked(announce).mock.lastCall?.[0]).toBe(
      'May this command have the network, once? npm install && npm test',
    )
    language.value = 'zh-CN'
    await nextTick()
    expect(page.heading.text()).toBe('允许该命令使用一次网络？')
    expect(page.card.text()).toContain('只有系统自己的对话框可以允许，请在那里回答。')
  })
})

describe('HITL-02 a page that is to be fetched', () => {
  const url = `https://docs.example.org:8443/a?q=\u202E${'x'.repeat(1900)}`

  it('is shown with its whole address, its host, and what that learns', async () => {
    await asked(fetches('c1', url))
    expect(page.heading.text()).toMatch(/^Fetch https:\/\/docs\.example\.org:8443\/a\?q=‹U\+202E›x+…$/)
    expect(page.card.get('.facts').text()).toBe('docs.example.org:8443 learns what is asked for')
    const address = page.card.get('[role=region][aria-label="The whole address"]')
    expect(address.element.textContent).toBe(url.replace('\u202E', '‹U+202E›'))
    expect(address.get('strong').text()).toBe('docs.example.org:8443')
    expect(address.attributes('tabindex')).toBe('0')
    expect(page.card.text()).toContain('Addresses of this computer and of private networks are refused.')
    expect((page.card.get('details').element as HTMLDetailsElement).open).toBe(false)
  })

  it('is approved, rejected and edited like any other call', async () => {
    useWindow().state = stateWith({ nativeDialogs: true })
    await asked(fetches('c1', 'https://a.test/'))
    await page.button('Edit').trigger('click')
    await page.card.get('textarea').setValue('https://b.test/')
    await page.card.get('form').trigger('submit')
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toMatchObject({
      decision: 'modify',
      arguments: '{"url":"https://b.test/"}',
    })
    page.receive(ask({ ...fetches('c1', 'https://b.test/'), hash: 'h2' }))
    await flushPromises()
    await later(300)
    await page.button('Approve').trigger('click')
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toMatchObject({ decision: 'approve', hash: 'h2' })
  })

  it('speaks Chinese, also about a proxy', async () => {
    language.value = 'zh-CN'
    const request = fetches('c1', 'https://a.test/')
    const confinement = en.confirm.addresses.unchecked
    await asked({ ...request, preview: { ...request.preview, confinement } })
    expect(page.heading.text()).toBe('获取 https://a.test/')
    expect(page.card.text()).toContain('a.test 会知道请求的内容')
    expect(page.card.text()).toContain('名称由你设置的代理解析')
  })

  it('says what the program says of addresses, word for word', () => {
    const [source = ''] = Object.values(programs)
    for (const sentence of Object.values(en.confirm.addresses))
      expect(source).toContain(JSON.stringify(sentence))
  })
})
