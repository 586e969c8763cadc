import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from './api/fault'
import type { State } from './api/types'
import App from './App.vue'
import { announce } from './components/base/announce'
import { useRuns } from './stores/runs'
import { useWindow } from './stores/window'
import * as bridge from './testing/bridge'
import { eventsOf, start, type Step } from './testing/events'
import { folder, model, readEvents, readState, readTree, stateWith } from './testing/routes'

vi.mock('./api/bridge', () => import('./testing/bridge'))
vi.mock('./api/routes', () => import('./testing/routes'))
vi.mock('./api/events', () => ({ onEvents: () => () => {}, onNews: () => () => {} }))
vi.mock('./components/base/announce', async (original) => ({
  ...(await original<object>()),
  announce: vi.fn<typeof announce>(),
}))
enableAutoUnmount(afterEach)

let page: VueWrapper
let state: State

async function open(given: Partial<State> = {}): Promise<void> {
  state = stateWith({ sessionId: 'session-1', ...given })
  await useWindow().refresh()
  page = mount(App, { attachTo: document.body })
  await flushPromises()
}

/** jsdom lays nothing out, so nothing is ever resized. */
class NoResize implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.stubGlobal('ResizeObserver', NoResize)
  vi.stubGlobal('innerWidth', 1280)
  vi.resetAllMocks()
  state = stateWith()
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  readTree.mockResolvedValue({ path: '.', entries: [], more: false })
  bridge.detect.mockResolvedValue([])
  bridge.providers.mockResolvedValue([])
})

afterEach(() => vi.useRealTimers())

const button = (name: string) =>
  page.findAll('button').find((each) => (each.attributes('aria-label') ?? each.text()) === name)
const chosen = { workspace: folder, model }
const ended: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 2, durationMs: 12_000 }]
const failure = { code: 'NETWORK', message: 'no route', steps: 1, durationMs: 300 }

describe('the page', () => {
  it('begins with the first run, then shows the conversation', async () => {
    await open()
    expect(page.get('h1').text()).toBe('Welcome to Fairlead')
    state = stateWith(chosen)
    await useWindow().refresh()
    useWindow().begin()
    await nextTick()
    expect(page.get('h1').text()).toBe('What is to be done in date?')
  })

  it('says that it is starting, and why it cannot', async () => {
    // The second try is left out: it would come in the midst of another test.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    readState.mockRejectedValue(new Fault('UNREACHABLE', 'read /fairlead/state'))
    await open()
    expect(page.get('.starting').text()).toBe('Starting…')
    expect(page.get('[role=alert]').text()).toContain('The page got no answer from the program.')
  })

  it('UI-08 has landmarks, one heading of the first level, and a way past the rest', async () => {
    await open(chosen)
    useRuns().receive(eventsOf(start))
    await nextTick()
    for (const part of ['header', 'main', 'aside', 'form', '[role=log]'])
      expect(page.findAll(part)).toHaveLength(1)
    expect(page.findAll('h1').map((heading) => heading.text())).toEqual(['Conversation in date'])
    await page.get('.skip').trigger('click')
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('shows the side and hides it', async () => {
    await open(chosen)
    await button('Hide the folder')?.trigger('click')
    expect(page.find('aside').exists()).toBe(false)
    await button('Show the folder')?.trigger('click')
    expect(page.get('aside').attributes('aria-label')).toBe('Folder')
  })
})

describe('another conversation', () => {
  it('begins when no task is at work', async () => {
    await open(chosen)
    expect(button('New conversation')?.attributes('disabled')).toBeDefined()
    useRuns().receive(eventsOf(start))
    await nextTick()
    expect(button('New conversation')?.attributes('disabled')).toBeDefined()
    useRuns().receive(eventsOf([...start, ended]))
    await nextTick()
    await button('New conversation')?.trigger('click')
    await flushPromises()
    expect(bridge.newConversation).toHaveBeenCalledOnce()
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('that cannot begin says why', async () => {
    bridge.newConversation.mockRejectedValue(new Fault('INTERNAL', 'close the conversation: disk full'))
    await open(chosen)
    useRuns().receive(eventsOf([...start, ended]))
    await nextTick()
    await button('New conversation')?.trigger('click')
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('disk full')
  })
})

it('UI-06 a dropped folder is opened; what is refused is said', async () => {
  await open(chosen)
  bridge.openFolder.mockRejectedValue(new Fault('FOLDER_REFUSED', '/etc holds the system'))
  bridge.onDrop.mock.calls[0]?.[0]('/etc')
  await flushPromises()
  expect(bridge.openFolder.mock.calls).toEqual([['/etc']])
  expect(page.get('[role=alert]').text()).toContain('/etc holds the system')
})

describe('UI-08 a screen reader hears', () => {
  const said = () => vi.mocked(announce).mock.calls.map(([text]) => text)

  it.each<[string, Step, string]>([
    ['that it is done', ended, 'Done after 2 steps and 12 s.'],
    ['that it was stopped', ['lifecycle.error', { ...failure, reason: 'cancelled' }], 'Stopped by you.'],
    [
      'that it failed',
      ['lifecycle.error', { ...failure, reason: 'error' }],
      'The task ended without success.',
    ],
  ])('that a task began, and %s', async (_, last, words) => {
    await open(chosen)
    useRuns().receive(eventsOf(start))
    await nextTick()
    useRuns().receive(eventsOf([...start, last]))
    await nextTick()
    expect(said()).toEqual(['The task began.', words])
  })

  it('nothing of what was over before', async () => {
    readEvents.mockResolvedValue(eventsOf([...start, ended]))
    await open({ ...chosen, runs: [{ runId: 'run-1', ended: true }] })
    await flushPromises()
    expect(said()).toEqual([])
  })
})
