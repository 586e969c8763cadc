import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { Envelope } from '../../api/types'
import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import * as bridge from '../../testing/bridge'
import { begin, call, eventsOf, failed, start, succeeded, type Step } from '../../testing/events'
import { model, readWhole } from '../../testing/routes'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let transcript: TranscriptPage

beforeEach(async () => {
  bridge.continueRun.mockReset().mockResolvedValue({ runId: 'run-2', sessionId: 'session-1' })
  bridge.newConversation.mockReset().mockResolvedValue(null)
  bridge.copyText.mockReset().mockResolvedValue()
  transcript = await TranscriptPage.open({ model })
  await transcript.add(...start)
})
afterEach(() => {
  transcript.close()
  language.value = 'en'
  vi.useRealTimers()
})

const broken = (code: string, reason = 'error'): Step => [
  'lifecycle.error',
  { reason, code, message: 'the provider said\u202E no', steps: 2, durationMs: 72_000 },
]
const done: Step = [
  'lifecycle.end',
  { reason: 'completed', content: 'All done.', steps: 6, durationMs: 72_000 },
]

describe('UI-03: the end of a run', () => {
  test('says how many steps, how long, and how many files', async () => {
    await transcript.add(done)
    expect(transcript.text()).toContain('Done · 6 steps · 1:12')
    language.value = 'zh-CN'
    await flushPromises()
    expect(transcript.text()).toContain('完成 · 6 步 · 1:12')
  })

  test('has the reply to copy', async () => {
    await transcript.add(done)
    await transcript.button('Copy the reply').trigger('click')
    expect(bridge.copyText).toHaveBeenCalledWith('All done.')
  })

  test('EV-06: copies the whole of a reply that was cut', async () => {
    const [type, data] = done
    const ref = '/fairlead/runs/run-1/events/3'
    await transcript.add([type, data, { ref }] as Step)
    const whole = { ...data, content: 'All done, at length.' }
    readWhole.mockReset().mockResolvedValue(eventsOf([[type, whole] as Step])[0] as Envelope)
    await transcript.button('Copy the reply').trigger('click')
    await flushPromises()
    expect(readWhole).toHaveBeenCalledWith(ref)
    expect(bridge.copyText).toHaveBeenCalledWith('All done, at length.')
  })

  describe('UI-03: of which everything was refused', () => {
    const decided = (
      id: string,
      decision: 'approve' | 'reject',
      by: 'user' | 'mode' | 'timeout' = 'user',
    ): Step[] => [
      call(id, 'write_file', { path: id }),
      ['tool.confirm_result', { callId: id, decision, arguments: {}, by }],
      decision === 'approve' ? succeeded(id, 'ok') : failed(id, 'REJECTED', 'no'),
    ]
    const icon = () => transcript.page.get('.end .line svg path').attributes('d')

    test('is not shown as done', async () => {
      await transcript.add(done)
      const check = icon()
      transcript.close()
      transcript = await TranscriptPage.open({ model })
      await transcript.add(...start, call('r', 'read_file', { path: 'a' }), succeeded('r', 'x'))
      await transcript.add(...decided('a', 'reject'), ...decided('b', 'reject', 'timeout'), done)
      expect(transcript.text()).toContain('Ended: nothing it asked for was approved')
      expect(transcript.text()).not.toContain('Done')
      expect(icon()).not.toBe(check)
      language.value = 'zh-CN'
      await flushPromises()
      expect(transcript.text()).toContain('均未获批准')
    })

    test('but for one call is done', async () => {
      await transcript.add(...decided('a', 'reject'), ...decided('b', 'approve'), done)
      expect(transcript.text()).toContain('Done · 6 steps')
    })
  })

  test('by the user asks for nothing', async () => {
    await transcript.add(broken('CANCELLED', 'cancelled'))
    expect(transcript.text()).toContain('Stopped by you')
    expect(() => transcript.button('Try again')).toThrow('no button')
  })
})

describe('after a failure', () => {
  test('LOOP-14 the run can be gone on with, without its prompt again', async () => {
    await transcript.add(broken('NETWORK'))
    expect(transcript.text()).toContain('Ollama isn’t running at localhost:11434.')
    await transcript.button('Try again').trigger('click')
    expect(bridge.continueRun.mock.calls).toEqual([['session-1']])
    expect(bridge.run).not.toHaveBeenCalled()
  })

  test('what keeps it from being tried again is said', async () => {
    bridge.continueRun.mockRejectedValue(new Fault('NO_KEY', 'no key is known'))
    await transcript.add(broken('TIMEOUT', 'timeout'))
    await transcript.button('Try again').trigger('click')
    await flushPromises()
    await transcript.button('Open model settings').trigger('click')
    await flushPromises()
    expect(useShell().settings).toBe('models')
  })

  test('LOOP-14 what failed for now is tried again where it stopped', async () => {
    bridge.continueRun.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await transcript.add(broken('AUTH'))
    await transcript.button('Continue').trigger('click')
    await flushPromises()
    expect(transcript.text()).toContain('disk full')
    await transcript.button('Try again').trigger('click')
    expect(bridge.continueRun.mock.calls).toEqual([['session-1'], ['session-1']])
  })

  test.each([
    ['AUTH', 'Open model settings', 'models'],
    ['MODEL_NOT_FOUND', 'Choose model', 'model'],
  ])('%s leads to the model', async (code, name, wanted) => {
    await transcript.add(broken(code))
    await transcript.button(name).trigger('click')
    await flushPromises()
    const shell = useShell()
    expect(shell.settings ?? shell.panel).toBe(wanted)
    expect(bridge.continueRun).not.toHaveBeenCalled()
  })

  test('a conversation that is too long leads to a new one', async () => {
    await transcript.add(broken('CONTEXT_OVERFLOW', 'context_overflow'))
    await transcript.button('New conversation').trigger('click')
    expect(bridge.newConversation).toHaveBeenCalledTimes(1)
  })

  test('details tell what the provider said, and are copied without it', async () => {
    await transcript.add(broken('AUTH'))
    expect(transcript.text()).not.toContain('the provider said')
    await transcript.button('Details').trigger('click')
    expect(transcript.text()).toContain('the provider said‹U+202E› no')
    await transcript.button('Copy details').trigger('click')
    const [copied] = bridge.copyText.mock.calls[0] ?? []
    expect(copied).toContain('Code: AUTH')
    expect(copied).toContain('Provider: localhost:11434')
    expect(copied).not.toContain('said')
  })

  test('an earlier run has no next action', async () => {
    await transcript.add(broken('NETWORK'))
    useRuns().receive(eventsOf(start, 'run-2'))
    await flushPromises()
    expect(() => transcript.button('Try again')).toThrow('no button')
  })
})

describe('a run that was stopped', () => {
  test.each([
    ['budget', 'BUDGET', 'Stopped: the budget is used up'],
    ['doom_loop', 'DOOM_LOOP', 'Stopped: it was going in circles'],
  ])('LOOP-14 by the guard %s is no failure and can be gone on with', async (reason, code, words) => {
    await transcript.add(broken(code, reason))
    expect(transcript.text()).toContain(words)
    expect(transcript.page.get('.end svg').classes()).toContain('cancelled')
    expect(transcript.page.find('.end .bad').exists()).toBe(false)
    await transcript.button('Continue').trigger('click')
    expect(bridge.continueRun.mock.calls).toEqual([['session-1']])
  })

  test('INT-01 by the user after its step says so, has the reply to copy and leads on', async () => {
    await transcript.add(
      ['run.interrupt', { message: 'Enough.' }],
      ['assistant.final', { partId: 'p1', content: 'Enough.' }],
      ['lifecycle.end', { reason: 'interrupted', content: 'Enough.', steps: 2, durationMs: 72_000 }],
    )
    expect(transcript.text()).toContain('Stopped by you, after its step')
    expect(transcript.page.get('.message').text()).toBe('Enough.')
    await transcript.button('Copy the reply').trigger('click')
    expect(bridge.copyText).toHaveBeenCalledWith('Enough.')
    await transcript.button('Continue').trigger('click')
    expect(bridge.continueRun).toHaveBeenCalledOnce()
  })
})

describe('LOOP-14: what was cut off', () => {
  const cut: Step = [
    'lifecycle.end',
    { reason: 'interrupted', content: 'Half', steps: 2, durationMs: 72_000 },
  ]

  test.each([
    ['by a crash', cut, 'Interrupted'],
    ['by the step limit', ['lifecycle.end', { ...cut[1], reason: 'max_steps' }] as Step, 'step limit 50'],
  ])('%s is no failure and can be gone on with', async (_, end, words) => {
    await transcript.add(end)
    expect(transcript.text()).toContain(words)
    expect(transcript.page.get('.end svg').classes()).toContain('cancelled')
    await transcript.button('Continue').trigger('click')
    expect(bridge.continueRun.mock.calls).toEqual([['session-1']])
  })

  test('is gone on with after it was summed up too, not while it is', async () => {
    await transcript.add(cut)
    const summing: Step[] = [['lifecycle.start', { prompt: '', model: 'm', maxSteps: 50, compacts: true }]]
    useRuns().receive(eventsOf(summing, 'run-2'))
    await flushPromises()
    expect(() => transcript.button('Continue')).toThrow('no button')
    useRuns().receive(eventsOf([...summing, done], 'run-2'))
    await flushPromises()
    await transcript.button('Continue').trigger('click')
    expect(bridge.continueRun.mock.calls).toEqual([['session-1']])
  })

  test('goes on without words that no user wrote', async () => {
    await transcript.add(cut)
    useRuns().receive(
      eventsOf(
        [
          [
            'lifecycle.start',
            { prompt: 'Go on where you stopped.', model: 'm', maxSteps: 50, continues: 'run-1' },
          ],
        ],
        'run-2',
      ),
    )
    await flushPromises()
    expect(transcript.text()).not.toContain('Go on where you stopped.')
    const [, , third] = transcript.page.findAll('article')
    expect(third?.attributes('aria-label')).toMatch(/^Continued, \d\d:\d\d$/)
    expect(third?.text()).toBe('Continued')
    expect(() => transcript.button('Continue')).toThrow('no button')
  })
})

describe('RET-02: a failed attempt', () => {
  const retry = (code: string, attempt = 2): Step => [
    'llm.retry',
    { attempt, maxAttempts: 5, delayMs: 12_000, code, message: 'what went wrong', discard: [] },
  ]

  test.each([
    ['RATE_LIMITED', 'Busy — retrying in 0:12 (2 of 5)', '服务商繁忙，0:12 后重试（2/5）'],
    ['NETWORK', 'No connection — retrying in 0:12 (2 of 5)', '无法连接，0:12 后重试（2/5）'],
    ['OVERLOADED', 'The provider failed — retrying in 0:12 (2 of 5)', '服务商出错，0:12 后重试（2/5）'],
  ])('%s', async (code, english, chinese) => {
    vi.useFakeTimers()
    vi.setSystemTime(begin + 2000)
    await transcript.add(retry(code))
    expect(transcript.text()).toContain(english)
    language.value = 'zh-CN'
    await flushPromises()
    expect(transcript.text()).toContain(chinese)
  })

  test('says all that is known of it on one line', async () => {
    const data = { cause: 'provider', httpStatus: 429, said: 'Slow\u202Edown' } as const
    await transcript.add([
      'llm.retry',
      { attempt: 2, maxAttempts: 5, delayMs: 12_000, code: 'RATE_LIMITED', data, message: '', discard: [] },
    ])
    expect(transcript.text()).toContain('The provider answered with HTTP 429. “Slow‹U+202E›down”')
  })

  test('counts down to the next one', async () => {
    vi.useFakeTimers()
    vi.setSystemTime(begin + 2000)
    await transcript.add(retry('RATE_LIMITED'))
    await vi.advanceTimersByTimeAsync(3000)
    expect(transcript.text()).toContain('retrying in 0:09')
    await vi.advanceTimersByTimeAsync(9000)
    expect(transcript.text()).toContain('Retrying now (2 of 5)')
    await transcript.add(['assistant.delta', { partId: 'p1', content: 'Hi' }])
    expect(transcript.text()).not.toContain('etrying')
  })

  describe('is not waited for', () => {
    beforeEach(async () => {
      vi.useFakeTimers()
      vi.setSystemTime(begin + 2000)
      bridge.retryNow.mockReset().mockResolvedValue(null)
      await transcript.add(retry('RATE_LIMITED'))
    })

    test('by who does not want to', async () => {
      const { wanted } = useComposer()
      await transcript.button('Retry now').trigger('click')
      await flushPromises()
      expect(bridge.retryNow.mock.calls).toEqual([['run-1']])
      expect(transcript.text()).toContain('Retrying now (2 of 5)')
      expect(() => transcript.button('Retry now')).toThrow('no button')
      expect(useComposer().wanted).toBe(wanted + 1)
    })

    test('though the next one may fail as well, and be waited for again', async () => {
      await transcript.button('Retry now').trigger('click')
      await transcript.add(retry('RATE_LIMITED', 3))
      expect(transcript.text()).toContain('(3 of 5)')
      await transcript.button('Retry now').trigger('click')
      expect(bridge.retryNow).toHaveBeenCalledTimes(2)
    })

    test.each(['NOT_FOUND', 'INVALID_STATE'])('%s: the wait was over by itself', async (code) => {
      bridge.retryNow.mockRejectedValueOnce(new Fault(code, 'nothing waits'))
      await transcript.button('Retry now').trigger('click')
      await flushPromises()
      expect(transcript.page.find('[role=alert]').exists()).toBe(false)
      expect(transcript.text()).toContain('Retrying now')
    })

    test('another fault is said, and the wait goes on', async () => {
      bridge.retryNow.mockRejectedValueOnce(new Fault('NO_ANSWER', 'late'))
      await transcript.button('Retry now').trigger('click')
      await flushPromises()
      expect(transcript.page.get('[role=alert]').text()).toContain('The program took too long to answer.')
      expect(transcript.text()).toContain('retrying in 0:12')
      await transcript.button('Try again').trigger('click')
      expect(bridge.retryNow).toHaveBeenCalledTimes(2)
    })

    test('any more once it is due', async () => {
      await vi.advanceTimersByTimeAsync(12_000)
      expect(() => transcript.button('Retry now')).toThrow('no button')
    })
  })
})

describe('reasoning', () => {
  const thinks: Step = ['reasoning.delta', { partId: 'r1', content: 'First <b>this</b>' }]

  test('is one line while it lasts, and after', async () => {
    vi.useFakeTimers()
    vi.setSystemTime(begin + 14_000)
    await transcript.add(thinks)
    expect(transcript.row('Thinking').text()).toBe('Thinking · 12 s')
    expect(transcript.text()).not.toContain('First')
    await transcript.add(['assistant.delta', { partId: 'p1', content: 'Yes' }])
    expect(transcript.row('Thought').text()).toBe('Thought for 1.0 s')
  })

  test('that is watched makes space for the answer', async () => {
    await transcript.add(thinks)
    await transcript.row('Thinking').trigger('click')
    expect(transcript.text()).toContain('First <b>this</b>')
    await transcript.add(['assistant.delta', { partId: 'p1', content: 'Yes' }])
    await flushPromises()
    expect(transcript.text()).not.toContain('First')
    await transcript.row('Thought').trigger('click')
    expect(transcript.text()).toContain('First')
  })
})
