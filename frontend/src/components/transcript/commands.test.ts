import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import { language } from '../../i18n'
import { moveToBackground } from '../../testing/bridge'
import { call, start, started, type Step, succeeded } from '../../testing/events'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

const listing = call('c1', 'shell', { command: 'ls -l' })
const running: Step = ['tool.running', { callId: 'c1' }]
const says = (content: string): Step => ['tool.progress', { callId: 'c1', content }]

let transcript: TranscriptPage

beforeEach(async () => {
  vi.useFakeTimers()
  moveToBackground.mockReset().mockResolvedValue({ processId: 'p1' })
  transcript = await TranscriptPage.open()
  await transcript.add(...start)
})
afterEach(() => {
  transcript.close()
  language.value = 'en'
  vi.useRealTimers()
})

const isOpen = () => transcript.row('ls').attributes('aria-expanded') === 'true'

describe('SEC-02: a command', () => {
  const ran = (more: object): Step => {
    const [type, data] = succeeded('c1', 'a.txt\n')
    return [type, { ...data, ...more }] as Step
  }
  const details = () => transcript.page.get('.details')

  test.each([
    ['full', 'Confined', '已隔离'],
    ['limited', 'Partly confined', '部分隔离'],
    ['none', 'Not confined', '未隔离'],
  ])('says that it was %s', async (level, english, chinese) => {
    await transcript.add(listing, running, ran({ level }))
    expect(isOpen()).toBe(false)
    await transcript.row('ls').trigger('click')
    expect(details().get('.level').text()).toBe(english)
    expect(details().get('.level svg').classes()).toContain(level)
    language.value = 'zh-CN'
    await nextTick()
    expect(details().get('.level').text()).toBe(chinese)
  })

  test('says nothing of a level that it has none of', async () => {
    await transcript.add(listing, running, ran({}))
    await transcript.row('ls').trigger('click')
    expect(details().find('.level').exists()).toBe(false)
    expect(details().find('.noticed').exists()).toBe(false)
  })

  test('opens itself for what was noticed, in which nothing hides', async () => {
    await transcript.add(
      listing,
      running,
      ran({
        notices: [
          { code: 'autorun_new', data: { path: 'a\u202Eb/.git', autorun: 'git' } },
          { code: 'autorun_changed', data: { path: '.vscode/tasks.json', autorun: 'editor' } },
          { code: 'autorun_more', data: { autorun: 'task', count: 3 } },
          { code: 'autorun_incomplete', data: { gap: 'entries', path: '.' } },
        ],
      }),
    )
    expect(isOpen()).toBe(true)
    const block = details().get('section.noticed')
    expect(block.attributes('aria-label')).toBe('Fairlead noticed')
    expect(block.findAll('li').map((each) => each.text())).toEqual([
      'a‹U+202E›b/.git is new: git runs what it says',
      '.vscode/tasks.json was changed: editors can run what it says when the folder is opened',
      '3 more like that: task runners and git hooks run what it says',
      'Not everything was looked at: . has too many entries.',
    ])
    language.value = 'zh-CN'
    await nextTick()
    expect(details().get('section.noticed strong').text()).toBe('Fairlead 提示')
    expect(details().findAll('li')[1]?.text()).toBe(
      '.vscode/tasks.json 有改动：打开文件夹时，编辑器可能运行其中的内容',
    )
  })
})

describe('TOOL-05: a command that runs', () => {
  const move = () => transcript.page.findAll('button').find((each) => each.text() === 'Move to background')

  test('can be moved to the background, once', async () => {
    await transcript.add(listing, running, says('a\n'))
    await move()?.trigger('click')
    await move()?.trigger('click')
    await flushPromises()
    expect(moveToBackground.mock.calls).toEqual([['c1']])
  })

  test('cannot before it runs, once it has ended, or where it is none', async () => {
    await transcript.add(listing)
    await transcript.row('ls').trigger('click')
    expect(move()).toBeUndefined()
    await transcript.add(running)
    expect(move()).toBeDefined()
    await transcript.add(succeeded('c1', 'a'))
    expect(move()).toBeUndefined()
    await transcript.add(call('c2', 'shell_start', { command: 'x' }), ['tool.running', { callId: 'c2' }])
    await transcript.row('Start').trigger('click')
    expect(move()).toBeUndefined()
  })

  test('that cannot be moved says why; one that ended meanwhile does not', async () => {
    moveToBackground.mockRejectedValueOnce(new Fault('INVALID_STATE', 'it is ending'))
    await transcript.add(listing, running, says('a\n'))
    await move()?.trigger('click')
    await flushPromises()
    expect(transcript.text()).toContain('it is ending')
    moveToBackground.mockRejectedValueOnce(new Fault('NOT_FOUND', 'no command runs'))
    await move()?.trigger('click')
    await flushPromises()
    expect(transcript.page.find('[role=alert]').exists()).toBe(false)
  })

  test('UI-08: gives the focus to its row when it ends', async () => {
    await transcript.add(listing, running, says('a\n'))
    move()?.element.focus()
    await transcript.add(succeeded('c1', 'a\n'))
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(transcript.row('ls').element)
  })

  test.each([
    ['started in', 'shell_start', 'processId p1, running\n'],
    ['moved to', 'shell', 'processId p1, running: the user moved this command to the background\n'],
  ])('that was %s the background says so', async (_, tool, content) => {
    await transcript.add(call('c1', tool, { command: 'npm run dev' }), running, started('c1', content, 'p1'))
    expect(transcript.row('Started').text()).toMatch(
      /^Started\s*npm run dev\s*in the background\s*0\.3 s\s*p1$/,
    )
  })
})
