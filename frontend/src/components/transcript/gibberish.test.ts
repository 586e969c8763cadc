/**
 * EV-10: no view of a run depends on what a sentence of the program says. Each scenario of
 * the loop is shown twice, the second time with all its sentences in gibberish: nothing but
 * these is another then.
 */
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Envelope } from '../../api/types'
import type { ToolView } from '../../stores/view'
import { subjectOf, verbOf } from '../../text/calls'
import { guardOf } from '../../text/failures'
import { noticeOf } from '../../text/notices'
import { scenarios, viewOf } from '../../testing/events'
import { causeOf, confinementOf, factsOf, spoken } from '../confirm/words'
import { badgeOf, exploredParts } from './describe'
import { endedBadly, endedWell, nextActions, wordsOf } from './endings'
import { passagesOf } from './layout'
import RunTurn from './RunTurn.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

/** What stands for every sentence. */
const gibberish = 'Zxq vwrk'
/** Where the program puts sentences of its own, those of tools among them. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  'tool.confirm_request': ['reason'],
  'tool.result': ['content'],
  'llm.retry': ['message'],
  'guard.warning': ['detail'],
  'guard.request': ['detail'],
  'lifecycle.end': ['warning'],
  'lifecycle.error': ['message'],
}

/** The same event without a sentence that can be read. */
function garble(e: Envelope): Envelope {
  const data = { ...e.data } as Record<string, unknown>
  for (const field of sentences[e.type] ?? []) if (data[field]) data[field] = gibberish
  const { preview, cause } = data as { preview?: { confinement?: string }; cause?: { data: object } }
  if (preview?.confinement) data.preview = { ...preview, confinement: gibberish }
  if (cause && 'error' in cause.data) {
    data.cause = { ...cause, data: { error: { ...(cause.data.error as object), message: gibberish } } }
  }
  return { ...e, data } as unknown as Envelope
}

/** A view with gibberish for its sentences, whatever they are. */
const without = (view: unknown): unknown =>
  JSON.parse(
    JSON.stringify(view, (key, value: unknown) => {
      if (value instanceof Map) return [...(value as Map<string, unknown>)]
      const said = key === 'detail' || key === 'message' || key === 'reason'
      return said && typeof value === 'string' && value.includes(' ') ? gibberish : value
    }),
  )

/** What the rows of a run say, but for the texts of results. */
function wordsOfRun(events: readonly Envelope[]): unknown {
  const run = viewOf(events)
  const row = (tool: ToolView) => [tool.state, verbOf(tool), subjectOf(tool, tool.arguments), badgeOf(tool)]
  return [
    [...run.tools.values()].map(row),
    exploredParts([...run.tools.values()]),
    passagesOf(run).map(({ rows }) => rows.map(({ kind }) => kind)),
    run.notices.map(noticeOf),
    run.items.map((item) => (item.kind === 'guard' ? guardOf(item.guardKind, item.data, '') : item.kind)),
    run.end && [
      wordsOf(run, run.end, null),
      nextActions(run.end),
      endedBadly(run.end),
      endedWell(run, run.end),
    ],
  ]
}

/** What each question says, as it stands when it is asked. */
function questionsOf(events: readonly Envelope[]): unknown[] {
  return events.flatMap((e, i) => {
    if (e.type !== 'tool.confirm_request') return []
    const question = viewOf(events.slice(0, i + 1)).tools.get(e.data.callId)?.question
    if (!question) return []
    const { kind, cause, askedSeq } = question
    return [
      [kind, cause?.code, askedSeq, spoken(question), factsOf(question, []), confinementOf(question.preview)],
      causeOf(question).split(':')[0],
    ]
  })
}

beforeEach(() => {
  setActivePinia(createPinia())
})

describe('EV-10: a run in gibberish is the same but for its texts', () => {
  test('there are sentences to replace', () => {
    const events = scenarios.flatMap(([, all]) => all)
    for (const type of Object.keys(sentences)) {
      const garbled = events.filter((e) => e.type === type && JSON.stringify(garble(e)).includes(gibberish))
      expect({ type, garbled: garbled.length > 0 }).toEqual({ type, garbled: true })
    }
  })

  test.each(scenarios)('%s', (_, events) => {
    const garbled = events.map(garble)
    expect(wordsOfRun(garbled)).toEqual(wordsOfRun(events))
    expect(questionsOf(garbled)).toEqual(questionsOf(events))
    const [plain, other] = [viewOf(events), viewOf(garbled)]
    for (const run of [plain, other]) {
      for (const tool of run.tools.values()) if (tool.result) tool.result.content = ''
    }
    expect(without(other)).toEqual(without(plain))
  })

  test.each(scenarios.filter((_, i) => i % 10 === 0))('%s on the page', (_, events) => {
    const text = (all: readonly Envelope[]) => {
      const page = mount(RunTurn, { props: { run: viewOf(all), last: true, following: true } })
      const shown = page
        .findAll('[data-row], [data-anchor]')
        .map((row) => [...row.element.classList].join(' '))
      page.unmount()
      return shown
    }
    expect(text(events.map(garble))).toEqual(text(events))
  })
})
