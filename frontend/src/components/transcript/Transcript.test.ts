import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { flushPromises } from '@vue/test-utils'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import { language } from '../../i18n'
import { useRuns } from '../../stores/runs'
import { call, eventsOf, scenarios, start, succeeded, type Step } from '../../testing/events'
import { readEarlier, readEvents } from '../../testing/routes'
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

const done: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 9 }]
const text = (partId: string, content = 'Text.'): Step => ['assistant.delta', { partId, content }]
const wheelUp = () => transcript.box.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }))
const pill = () => transcript.page.find('.pill')

describe('UI-08: for screen readers', () => {
  test('it is a log that does not speak by itself, of articles that say whose words they are', async () => {
    await transcript.add(...start, text('p1'))
    expect(transcript.box.getAttribute('aria-live')).toBe('off')
    expect(transcript.box.getAttribute('aria-label')).toBe('Conversation')
    const articles = transcript.page.findAll('article').map((each) => each.attributes('aria-label'))
    expect(articles[0]).toMatch(/^You, \d\d:\d\d$/)
    expect(articles[1]).toBe('Assistant')
  })

  test('J and K move between the rows', async () => {
    await transcript.add(...start, call('a', 'shell', { command: 'one' }), succeeded('a', ''), text('p1'))
    await transcript.add(call('b', 'shell', { command: 'two' }), succeeded('b', ''))
    const press = (key: string) =>
      (document.activeElement ?? transcript.box).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true }),
      )
    transcript.box.focus()
    press('j')
    expect(document.activeElement).toBe(transcript.row('one').element)
    press('j')
    expect(document.activeElement).toBe(transcript.row('two').element)
    press('j')
    expect(document.activeElement).toBe(transcript.row('two').element)
    press('k')
    expect(document.activeElement).toBe(transcript.row('one').element)
  })
})

test('the guided tour says that its words are scripted', async () => {
  expect(transcript.text()).not.toContain('Guided tour')
  transcript.close()
  transcript = await TranscriptPage.open({ tour: true })
  expect(transcript.text()).toContain('Guided tour: the words are scripted.')
})

describe('STEER-01: what the user says while it works', () => {
  const say = (promptId: string, content: string): Step => [
    'prompt.joined',
    { promptId, text: content, target: 'step' },
  ]
  const articles = () => transcript.page.findAll('article')

  test('is a block of its own, between what was done before and after', async () => {
    await transcript.add(...start, text('p1', 'Before.'), say('q1', 'Use <b>tabs</b>.'), text('p2', 'After.'))
    expect(articles().map((each) => each.text().replace('Copy', ''))).toEqual([
      'Fix the parser',
      'Before.',
      'Use <b>tabs</b>.',
      'After.',
    ])
    expect(articles()[2]?.attributes('aria-label')).toMatch(/^You, \d\d:\d\d$/)
    expect(articles()[3]?.attributes('aria-label')).toBe('Assistant')
  })

  test('is waited for at its end, and nowhere else', async () => {
    const carets = () => articles().map((each) => each.findAll('.caret').length)
    await transcript.add(...start, text('p1'), say('q1', 'Use tabs.'), say('q2', 'And tests.'))
    expect(carets()).toEqual([0, 0, 0, 0, 1])
    await transcript.add(done)
    expect(transcript.page.findAll('.end')).toHaveLength(1)
    expect(articles().at(-1)?.find('.end').exists()).toBe(true)
  })
})

describe('a quiet row says', () => {
  test.each([
    ['compact', 'Earlier messages summarised (84K → 6K)', '较早的消息已压缩为摘要（8.4万 → 6000）'],
    ['prune', 'Older outputs left out (84K → 6K)', '较早的输出已省略（8.4万 → 6000）'],
  ])('CTX that the model is shown less: %s', async (mode, english, chinese) => {
    await transcript.add(...start, text('p1'), ['context.compacted', { before: 84_000, after: 6_000, mode }])
    expect(transcript.page.get('.dashed').text()).toBe(english)
    expect(transcript.page.findAll('.caret')).toHaveLength(1)
    language.value = 'zh-CN'
    await nextTick()
    expect(transcript.page.get('.dashed').text()).toBe(chinese)
  })

  test('that most of the budget is used', async () => {
    await transcript.add(...start, ['guard.warning', { kind: 'budget', detail: '80 of 100 tokens' }])
    expect(transcript.page.get('.guard').text()).toBe('80 % of the budget is used.')
  })

  test('what a later guard has to say, in its words', async () => {
    await transcript.add(...start, ['guard.warning', { kind: 'weather', detail: 'it rains' }])
    expect(transcript.page.get('.guard').text()).toBe('it rains')
  })

  test.each([
    [
      'effort',
      'max',
      'high',
      'Level of reasoning: “High” in place of “Maximum”, which the model does not take here.',
    ],
    [
      'effort',
      '',
      'off',
      'Level of reasoning: “Off” in place of “As the model does by itself”, which the model does not take here.',
    ],
    [
      'protocol',
      'chat',
      'responses',
      'Asked over Responses in place of chat completions, as the provider wants it.',
    ],
    ['schema', '', '', 'The tools are described more simply, because the provider refused their schemas.'],
    ['colour', 'red', 'grey', 'The request is weaker than asked: grey in place of red.'],
  ])('MOD-05 that a request is weaker than asked: %s %s', async (what, asked, sent, said) => {
    await transcript.add(...start, ['request.weakened', { what, asked, sent }])
    expect(transcript.page.get('.guard').text()).toBe(said)
  })

  test.each([
    [
      '7',
      'ollama',
      'is offered 7 of 10 tools.\nTo widen this window, start Ollama with OLLAMA_CONTEXT_LENGTH=32768',
    ],
    ['10', 'lmstudio', 'sees little of long files.\nTo widen this window, choose a larger context length'],
    ['10', 'lab', 'sees little of long files.\nChoose another model, or set context_window'],
  ])('MOD-05 that the window is small, and what to do: %s of 10 tools, %s', async (sent, server, said) => {
    const weaker = { what: 'tools', asked: '10', sent, window: 4096, server }
    await transcript.add(...start, ['request.weakened', weaker])
    expect(transcript.page.get('.guard').text()).toContain('takes only 4,096 tokens at once')
    expect(transcript.page.get('.guard').text()).toContain(said)
  })

  test('nothing more while a guard asks', async () => {
    await transcript.add(...start, [
      'guard.request',
      { guardId: 'g', kind: 'budget', detail: '', expiresAt: 1 },
    ])
    expect(transcript.page.findAll('.caret')).toHaveLength(0)
  })
})

describe.each(['en', 'zh-CN'] as const)('every scenario of the loop is shown in %s', (chosen) => {
  test.each(scenarios)('%s', async (_, events) => {
    language.value = chosen
    const failed = vi.spyOn(console, 'warn')
    useRuns().receive(events)
    await nextTick()
    expect(transcript.text()).toContain(useRuns().current?.prompt)
    // No word is missing: what is in braces was not filled in, what has dots is a key.
    expect(transcript.text()).not.toMatch(/\{(n|time|code|why|name)\}|(transcript|ends)\.\w/)
    expect(failed).not.toHaveBeenCalled()
  })
})

describe('UI-05: earlier runs', () => {
  /** What the engine would say of the button: it came into view, or left it. */
  let appear: (inSight?: boolean) => void
  const named = [{ runId: 'run-1', ended: false }]

  beforeEach(async () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(readonly notify: (seen: { isIntersecting: boolean }[]) => void) {}
        observe(element: Element): void {
          // The turns are looked at too.
          if (element.matches('[data-turn]')) return
          appear = (isIntersecting = true) => this.notify([{ isIntersecting }])
        }
        unobserve(): void {}
        disconnect(): void {}
      },
    )
    readEvents
      .mockReset()
      .mockImplementation(async (runId) => eventsOf(runId === 'run-0' ? [...start, done] : start, runId))
    readEarlier.mockReset().mockResolvedValue({ runs: [{ runId: 'run-0', ended: true }], earlier: false })
    transcript.close()
    transcript = await TranscriptPage.open({ runs: named, earlier: true })
    await flushPromises()
    transcript.resize({ box: 400, content: 1000 })
  })

  const order = () => useRuns().runs.map((run) => run.runId)

  test('come when somebody asks for them', async () => {
    transcript.button('Show earlier').element.focus()
    await transcript.button('Show earlier').trigger('click')
    await flushPromises()
    expect(order()).toEqual(['run-0', 'run-1'])
    expect(() => transcript.button('Show earlier')).toThrow('no button')
    expect(document.activeElement).toBe(transcript.box)
  })

  test('come by themselves when somebody scrolls up to them, and not before', async () => {
    appear()
    appear(false)
    await nextTick()
    wheelUp()
    await nextTick()
    expect(readEarlier).not.toHaveBeenCalled()
    appear()
    await flushPromises()
    expect(readEarlier.mock.calls).toEqual([['session-1', 'run-1', '']])
    expect(order()).toEqual(['run-0', 'run-1'])
    // They are no news.
    expect(pill().text()).toBe('')
  })

  test('come when somebody scrolls up and the button was in sight before', async () => {
    appear()
    await flushPromises()
    expect(readEarlier).not.toHaveBeenCalled()
    wheelUp()
    await flushPromises()
    expect(order()).toEqual(['run-0', 'run-1'])
  })

  test('that do not come are asked for again', async () => {
    readEarlier.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    await transcript.button('Show earlier').trigger('click')
    await flushPromises()
    expect(transcript.text()).toContain('The page got no answer from the program.')
    await transcript.button('Try again').trigger('click')
    await flushPromises()
    expect(order()).toEqual(['run-0', 'run-1'])
  })

  test('push down what is looked at, and it stays where it was seen', async () => {
    let top = 40
    const look = () => {
      for (const { element } of transcript.page.findAll<HTMLElement>('[data-turn], [data-anchor]')) {
        const mine = element.closest<HTMLElement>('[data-turn]')?.dataset.turn === 'run-1'
        element.getBoundingClientRect = () => {
          const y = (mine ? top : 290) - (transcript.box.scrollTop - 100)
          return { top: y, bottom: y + 100 } as DOMRect
        }
      }
    }
    look()
    wheelUp()
    transcript.scroll(100)
    await transcript.button('Show earlier').trigger('click')
    await flushPromises()
    top += 300
    look()
    transcript.resize({ box: 400, content: 1300 })
    expect(transcript.box.scrollTop).toBe(400)
    // What came above is laid out now, and is higher than it was taken for.
    top += 200
    look()
    transcript.resize({ box: 400, content: 1500 })
    expect(transcript.box.scrollTop).toBe(600)
  })
})

describe('UI-05: coming back to a conversation', () => {
  const named = [
    { runId: 'run-1', ended: false },
    { runId: 'run-2', ended: false },
  ]

  /** Each turn is 500 pixels high. */
  function lay(): void {
    transcript.page.findAll<HTMLElement>('[data-turn]').forEach(({ element }, i) => {
      element.getBoundingClientRect = () => {
        const top = i * 500 - transcript.box.scrollTop
        return { top, bottom: top + 500 } as DOMRect
      }
    })
    transcript.resize({ box: 400, content: 1000 })
  }

  beforeEach(async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400)
    readEvents.mockReset().mockImplementation(async (runId) => eventsOf(start, runId))
    transcript.close()
    transcript = await TranscriptPage.open({ runs: named })
    await flushPromises()
    lay()
  })

  test('shows at once what was looked at', async () => {
    wheelUp()
    transcript.scroll(120)
    transcript = await TranscriptPage.again(transcript)
    lay()
    await nextTick()
    expect([transcript.box.scrollTop, pill().exists()]).toEqual([120, true])
  })

  test('follows the end again where it did', async () => {
    transcript = await TranscriptPage.again(transcript)
    lay()
    expect(transcript.box.scrollTop).toBe(600)
  })
})
