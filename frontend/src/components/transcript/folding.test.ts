import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'

import { language } from '../../i18n'
import { call, start, succeeded, type Step } from '../../testing/events'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let transcript: TranscriptPage

beforeEach(async () => {
  transcript = await TranscriptPage.open()
})
afterEach(() => {
  transcript.close()
  language.value = 'en'
})

const step = (n: number): Step => ['step.started', { step: n, maxSteps: 50 }]
const say = (partId: string, content: string): Step => ['assistant.delta', { partId, content }]
const run = (id: string) => [call(id, 'shell', { command: `make ${id}` }), succeeded(id, '')]
const done: Step = ['lifecycle.end', { reason: 'completed', content: 'Done.', steps: 3, durationMs: 9000 }]
const answered = [step(4), say('p3', 'Done.'), done]
const rows = () => transcript.page.findAll('[data-row]').map((row) => row.text())

describe('DESK-06: finished rounds fold', () => {
  test('as the run goes on, and open again to what they were', async () => {
    await transcript.add(...start, say('p1', 'I look.'), ...run('one'), step(2), ...run('two'))
    expect(rows()).toEqual([expect.stringContaining('Worked'), expect.stringContaining('make two')])
    await transcript.add(...answered)
    const line = transcript.row('Worked')
    expect(rows()).toHaveLength(1)
    expect(line.text()).toContain('2 commands')
    expect(transcript.page.text()).not.toContain('I look.')
    expect(transcript.page.text()).toContain('Done.')
    await line.trigger('click')
    expect(line.attributes('aria-expanded')).toBe('true')
    expect(transcript.page.get(`#${line.attributes('aria-controls')}`).text()).toContain('I look.')
    expect(rows()).toHaveLength(3)
  })

  test('in both languages with what was done', async () => {
    const read = [call('a', 'read_file', { path: 'a.txt' }), succeeded('a', '')]
    const wrote: Step[] = [
      call('b', 'write_file', { path: 'b.txt', content: '' }),
      [
        'tool.result',
        {
          callId: 'b',
          success: true,
          content: '',
          durationMs: 300,
          truncated: false,
          changes: [{ path: 'b.txt', kind: 'modified', added: 1, removed: 0 }],
        },
      ],
    ]
    await transcript.add(...start, ...read, step(2), ...wrote, step(3), ...run('one'), ...answered)
    expect(rows()[0]).toMatch(/^Worked 0\.0 s ?read 1 file · changed 1 file · 1 command$/)
    language.value = 'zh-CN'
    await nextTick()
    expect(rows()[0]).toMatch(/^用时 0\.0 秒 ?读取 1 个文件 · 更改 1 个文件 · 1 条命令$/)
  })

  test('not while somebody reads further up, but once the end is followed again', async () => {
    await transcript.add(...start, ...run('one'))
    transcript.resize({ box: 100, content: 400 })
    transcript.box.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }))
    await transcript.add(step(2), ...run('two'), ...answered)
    expect(rows()).toHaveLength(2)
    await transcript.page.get('.pill').trigger('click')
    expect(rows()).toEqual([expect.stringContaining('2 commands')])
  })

  test('not while a row has the focus', async () => {
    await transcript.add(...start, ...run('one'))
    const row = transcript.page.get<HTMLElement>('[data-row]').element
    row.focus()
    await transcript.add(step(2), ...run('two'), ...answered)
    transcript.page.findAll<HTMLElement>('[data-row]')[1]?.element.focus()
    await nextTick()
    expect(rows()).toHaveLength(2)
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    await nextTick()
    expect(rows()).toHaveLength(1)
    field.remove()
  })

  test('not while text of it is selected', async () => {
    await transcript.add(...start, say('p1', 'I look.'), ...run('one'))
    document.getSelection()?.selectAllChildren(transcript.page.element)
    await transcript.add(step(2), ...run('two'), ...answered)
    expect(rows()).toHaveLength(2)
    document.getSelection()?.removeAllRanges()
  })

  test('a row that is opened in a line stays in it', async () => {
    await transcript.add(...start, ...run('one'), step(2), ...run('two'), step(3), ...run('three'))
    await transcript.row('Worked').trigger('click')
    await transcript.row('make two').trigger('click')
    await transcript.add(step(4), ...run('four'), ...answered)
    expect(rows()[0]).toContain('4 commands')
    expect(transcript.row('make two').attributes('aria-expanded')).toBe('true')
  })

  test('not what was read when another conversation was shown meanwhile', async () => {
    await transcript.add(...start, ...run('one'))
    transcript.resize({ box: 100, content: 400 })
    transcript.box.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }))
    await transcript.add(step(2), ...run('two'), ...answered)
    // Something of the turn is in sight.
    const seen = vi.spyOn(Element.prototype, 'getBoundingClientRect')
    seen.mockReturnValue(new DOMRect(0, 0, 100, 100))
    transcript = await TranscriptPage.again(transcript)
    seen.mockRestore()
    expect(rows()).toHaveLength(2)
  })

  test('not in the guided tour, whose words are there to be read', async () => {
    transcript.close()
    transcript = await TranscriptPage.open({ tour: true })
    await transcript.add(...start, say('p1', 'I look.'), ...run('one'), step(2), ...run('two'), ...answered)
    expect(transcript.page.text()).toContain('I look.')
    expect(rows()).toHaveLength(2)
  })

  test('not where a row was opened', async () => {
    await transcript.add(...start, ...run('one'))
    await transcript.row('make one').trigger('click')
    await transcript.add(step(2), ...run('two'), step(3), ...run('three'), ...answered)
    expect(rows().slice(0, 2)).toEqual([
      expect.stringContaining('make one'),
      expect.stringContaining('2 commands'),
    ])
  })
})
