import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defineComponent } from 'vue'

import { setTitle } from '../../api/bridge'
import { readSessions } from '../../api/routes'
import { language } from '../../i18n'
import { useRuns } from '../../stores/runs'
import { useWindow } from '../../stores/window'
import { call, eventsOf, start, type Step } from '../../testing/events'
import { answered, ask, runs } from '../../testing/questions'
import { entry } from '../../testing/sessions'
import { stateOf } from '../../testing/workspace'
import { useTitle } from './title'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<() => void>() }))
vi.mock('../../api/routes', () => import('../../testing/routes'))

const Titled = defineComponent({ setup: () => useTitle(), render: () => null })
let page: VueWrapper

const last = () => vi.mocked(setTitle).mock.lastCall?.[0]
const receive = async (...steps: Step[]) => {
  useRuns().receive(eventsOf(steps))
  await flushPromises()
}

beforeEach(async () => {
  vi.mocked(setTitle).mockReset()
  setActivePinia(createPinia())
  language.value = 'en'
  useWindow().state = stateOf()
  page = mount(Titled)
  await flushPromises()
})
afterEach(() => {
  page.unmount()
  language.value = 'en'
})

it('UI-12: the title says what waits for the user, and what goes on', async () => {
  expect(last()).toBe('Fairlead')
  await receive(...start)
  expect(last()).toBe('Running… — Fairlead')
  await receive(...start, call('1', 'shell', { command: 'go test' }), ask(runs('1', 'go test')))
  expect(last()).toBe('◆ Approve: Run go test — Fairlead')
  language.value = 'zh-CN'
  await flushPromises()
  expect(last()).toMatch(/^◆ 等待批准：.*go test — Fairlead$/)
  language.value = 'en'
  await receive(
    ...start,
    call('1', 'shell', { command: 'go test' }),
    ask(runs('1', 'go test')),
    answered('1'),
  )
  expect(last()).toBe('Running… — Fairlead')
})

it('UI-12: no command breaks the title, or makes it long', async () => {
  const command = `echo \u001b]0;x\u0007\u202e ${'x'.repeat(500)}\nrm -rf /`
  await receive(...start, call('1', 'shell', { command }), ask(runs('1', command)))
  // oxlint-disable-next-line no-control-regex
  expect(last()).not.toMatch(/[\u0000-\u001f\u202e]/)
  expect(last()).toContain('‹U+001B›')
  expect(last()).toMatch(/… — Fairlead$/)
  expect(last()?.length).toBeLessThan(100)
})

it('UI-12: another conversation that needs the user is said too, where no list is shown', async () => {
  vi.mocked(readSessions).mockResolvedValueOnce({
    sessions: [entry('1', { mark: 'waiting' })],
    more: false,
    archived: 0,
  })
  page.unmount()
  page = mount(Titled)
  await flushPromises()
  expect(last()).toBe('◆ A conversation needs you — Fairlead')
})
