import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it, vi } from 'vitest'

import type { onNews } from '../api/events'
import { call, eventsOf, start } from '../testing/events'
import { newsOf } from '../testing/news'
import { ask, runs, writes } from '../testing/questions'
import { useAnswers } from './answers'
import { useRuns } from './runs'

let tell: Parameters<typeof onNews>[0]

vi.mock('../api/events', () => ({
  onEvents: () => {},
  onNews: (listener: Parameters<typeof onNews>[0]) => {
    tell = listener
  },
}))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/bridge', () => import('../testing/bridge'))

beforeEach(() => setActivePinia(createPinia()))

it('HITL-02: a dialog leads to the question about its call, once that is there', () => {
  const answers = useAnswers()
  tell(newsOf({ review: 'c2' }))
  const steps = [...start, call('c1', 'edit_file', {}), ask(writes('c1'))]
  useRuns().receive(eventsOf([...steps, call('c2', 'shell', {}), ask(runs('c2', 'ls'))]))
  expect(answers.front?.callId).toBe('c2')
  answers.move(1)
  expect(answers.front?.callId).toBe('c1')
})
