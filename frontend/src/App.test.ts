import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from './api/fault'
import type { State } from './api/types'
import App from './App.vue'
import { announce } from './components/base/announce'
import { useRuns } from './stores/runs'
import { useShell } from './stores/shell'
import { useSessions } from './stores/sessions'
import { useWindow } from './stores/window'
import * as bridge from './testing/bridge'
import { call, eventsOf, start, type Step } from './testing/events'
import { press } from './testing/keys'
import { stubLayout } from './testing/layout'
import { ask, runs } from './testing/questions'
import { foreground, process } from './testing/processes'
import {
  folder,
  model,
  readEvents,
  readProcesses,
  readSessions,
  readState,
  readTree,
  stateWith,
} from './testing/routes'

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

beforeEach(() => {
  setActivePinia(createPinia())
  stubLayout()
  vi.resetAllMocks()
  state = stateWith()
  readState.mockImplementation(async () => state)
  readEvents.mockResolvedValue([])
  readSessions.mockResolvedValue({ sessions: [], more: false, archived: 0 })
  readTree.mockResolvedValue({ path: '.', entries: [], more: false })
  bridge.detect.mockResolvedValue([])
  bridge.providers.mockResolvedValue([])
  bridge.ownProviders.mockResolvedValue([])
})

afterEach(() => vi.useRealTimers())

/** What is for the eye only belongs to no name. */
const nameOf = (element: HTMLElement) => {
  const copy = element.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
  return copy.ariaLabel ?? copy.getAttribute('aria-label') ?? copy.textContent.trim()
}
const buttons = (name: string) =>
  page.findAll<HTMLElement>('button').filter((each) => nameOf(each.element) === name)
const button = (name: string) => buttons(name)[0]
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
    for (const part of ['header', 'nav', 'main', 'aside', 'form', '[role=log]'])
      expect(page.findAll(part)).toHaveLength(1)
    expect(page.findAll('h1').map((heading) => heading.text())).toEqual(['Conversation in date'])
    await page.get('.skip').trigger('click')
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('UI-05 is headed by what the conversation is called', async () => {
    await open({ ...chosen, title: 'Fix <b>days</b>\u202E', runs: [{ runId: 'run-1', ended: false }] })
    expect(page.findAll('h1').map((heading) => heading.text())).toEqual(['Fix <b>days</b>‹U+202E›'])
    state = stateWith(chosen)
    await useWindow().refresh()
    await nextTick()
    expect(page.findAll('h1').map((heading) => heading.text())).toEqual(['What is to be done in date?'])
  })

  it('has what waits above the composer, and what is to be decided at the desk', async () => {
    await open({
      ...chosen,
      queue: [{ promptId: 'q1', text: 'Use tabs.', target: 'step' }],
      suggested: [{ kind: 'instructions', all: 1, undecided: 1 }],
    })
    useRuns().receive(
      eventsOf([...start, ['guard.request', { guardId: 'g', kind: 'budget', detail: '', expiresAt: 1 }]]),
    )
    await nextTick()
    const parts = page.findAll<HTMLElement>('main section, main form').map(({ element }) => {
      const heading = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
      return heading?.textContent ?? element.getAttribute('aria-label')
    })
    expect(parts).toEqual(['What this folder suggests', 'Messages that wait', 'Task'])
    expect(page.get('main').text()).toContain('The task has paused and asks')
    expect(page.get('aside section h2').text()).toBe('The budget is used up')
    // Where there is no desk it is decided above the composer.
    useShell().desk = false
    await nextTick()
    expect(page.get('main section h2').text()).toBe('The budget is used up')
    expect(page.get('main').text()).not.toContain('The task has paused and asks')
  })

  it('UI-05 shows the conversations and hides them, always with one button for a new one', async () => {
    await open(chosen)
    expect(button('Hide the conversations')?.attributes('aria-pressed')).toBe('true')
    expect(buttons('New conversation')).toHaveLength(1)
    await button('Hide the conversations')?.trigger('click')
    expect(page.find('nav').exists()).toBe(false)
    expect(buttons('New conversation')).toHaveLength(1)
    await button('Show the conversations')?.trigger('click')
    expect(page.get('nav').attributes('aria-label')).toBe('Conversations')
  })

  it('TOOL-05 has the commands in a tab at the side, which counts those in the background', async () => {
    readProcesses.mockResolvedValue({ processes: [process('c1'), foreground('c2')] })
    await open(chosen)
    const tabs = page.findAll('aside [role=tab]')
    expect(tabs.map((tab) => tab.text())).toEqual(['Review', 'Files', 'Processes 1', 'Preview'])
    await tabs[2]?.trigger('click')
    expect(page.findAll('aside [role=option]')).toHaveLength(2)
    await tabs[1]?.trigger('click')
    expect(page.find('aside [role=option]').exists()).toBe(false)
  })

  it('shows the side and hides it', async () => {
    await open(chosen)
    await button('Hide the side panel')?.trigger('click')
    expect(page.find('aside').exists()).toBe(false)
    await button('Show the side panel')?.trigger('click')
    expect(page.get('aside').attributes('aria-label')).toBe('Side panel')
  })
})

it('UI-05 what was deleted can be brought back while the conversations are hidden', async () => {
  const session = {
    id: 's2',
    title: 'Other',
    updatedAt: Date.now(),
    mark: 'completed',
    draft: false,
    processes: 0,
    pinned: false,
    archived: false,
    folder: null,
  }
  await open(chosen)
  await useSessions().remove(session)
  await button('Hide the conversations')?.trigger('click')
  bridge.restoreSession.mockRejectedValue(new Fault('NOT_FOUND', 'it is gone for good'))
  await button('Undo')?.trigger('click')
  await flushPromises()
  expect(bridge.restoreSession.mock.calls).toEqual([['s2']])
  expect(page.get('main [role=alert]').text()).toContain('it is gone for good')
})

describe('another conversation', () => {
  it('ST-03 begins where one is shown, though it be running', async () => {
    await open(chosen)
    expect(button('New conversation')?.attributes('disabled')).toBeDefined()
    useRuns().receive(eventsOf(start))
    await nextTick()
    await button('New conversation')?.trigger('click')
    await flushPromises()
    expect(bridge.newConversation).toHaveBeenCalledOnce()
    expect(document.activeElement).toBe(page.get('textarea').element)
  })

  it('leaves the focus where the user has put it meanwhile', async () => {
    let begun = (): void => {}
    bridge.newConversation.mockReturnValueOnce(new Promise<void>((resolve) => (begun = resolve)))
    await open(chosen)
    useRuns().receive(eventsOf([...start, ended]))
    await nextTick()
    await button('New conversation')?.trigger('click')
    button('Settings')?.element.focus()
    begun()
    await flushPromises()
    expect(document.activeElement).toBe(button('Settings')?.element)
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

describe('UI-06 the models', () => {
  const active = () => document.activeElement

  /** Opens a panel with its button, and the models from there. */
  async function manage(opener: string, name: string): Promise<void> {
    button(opener)?.element.focus()
    await button(opener)?.trigger('click')
    await flushPromises()
    await button(name)?.trigger('click')
    await flushPromises()
  }

  const isHidden = () => page.get<HTMLElement>('form.composer').element.style.display === 'none'

  it.each([
    ['Settings', 'Models', '.settings input[type=search]'],
    ['Model: qwen3:8b', 'Other providers and keys…', 'h1'],
  ])(
    'are opened from %s, take the place of the conversation, and give the focus back',
    async (opener, name, focused) => {
      await open(chosen)
      useRuns().receive(eventsOf(start))
      await nextTick()
      await manage(opener, name)
      expect(page.findAll('h1').map((heading) => heading.text())).toEqual(['Models'])
      expect(active()).toBe(page.get(focused).element)
      expect([page.find('[role=dialog]').exists(), page.find('[role=log]').exists(), isHidden()]).toEqual([
        false,
        false,
        true,
      ])
      await press('Escape')
      expect(page.find('[role=log]').exists()).toBe(true)
      expect([active(), isHidden()]).toEqual([button(opener)?.element, false])
    },
  )

  it('are left with Esc from elsewhere on the page, which stops nothing', async () => {
    await open(chosen)
    useRuns().receive(eventsOf(start))
    await manage('Settings', 'Models')
    button('Settings')?.element.focus()
    await press('Escape')
    await press('Escape')
    expect(page.find('[role=log]').exists()).toBe(true)
    expect(bridge.cancel).not.toHaveBeenCalled()
  })

  it('are left when the user wants to write', async () => {
    await open(chosen)
    await manage('Settings', 'Models')
    await press('l', { ctrlKey: true })
    expect(isHidden()).toBe(false)
    expect(active()).toBe(page.get('#message').element)
  })

  it('are left for another conversation', async () => {
    await open(chosen)
    await manage('Settings', 'Models')
    state = stateWith({ ...chosen, sessionId: 'session-2' })
    await useWindow().refresh()
    await nextTick()
    expect(isHidden()).toBe(false)
  })

  it('leave what is asked in sight', async () => {
    await open(chosen)
    await manage('Settings', 'Models')
    useRuns().receive(eventsOf([...start, call('a', 'shell', {}), ask(runs('a', 'ls'))]))
    await nextTick()
    expect(page.find('section.card').exists()).toBe(true)
    expect(active()).toBe(page.get('.settings input[type=search]').element)
  })

  it('are not offered before the first run is over', async () => {
    await open()
    await button('Settings')?.trigger('click')
    await flushPromises()
    expect(button('Models…')).toBeUndefined()
  })
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

  it('INT-01 that a task is to stop after its step, and that it did', async () => {
    await open(chosen)
    const steps: Step[] = [...start, ['run.interrupt', { message: '' }]]
    useRuns().receive(eventsOf(start))
    await nextTick()
    useRuns().receive(eventsOf(steps).slice(-1))
    await nextTick()
    const last: Step = ['lifecycle.end', { reason: 'interrupted', content: '', steps: 1, durationMs: 9 }]
    useRuns().receive(eventsOf([...steps, last]).slice(-1))
    await nextTick()
    expect(said()).toEqual(['The task began.', 'Stopping after this step…', 'Stopped by you.'])
  })

  it('ST-03 nothing of a task that is running in a conversation that is turned to, but how it ends', async () => {
    await open(chosen)
    const events = eventsOf(start, 'run-2', 'session-2')
    readEvents.mockResolvedValue(events)
    state = stateWith({ ...chosen, sessionId: 'session-2', runs: [{ runId: 'run-2', ended: false }] })
    await useWindow().refresh()
    await flushPromises()
    expect(useRuns().busy).toBe(true)
    expect(said()).toEqual([])
    const last = eventsOf([...start, ended], 'run-2', 'session-2').slice(-1)
    useRuns().receive(last)
    await nextTick()
    expect(said()).toEqual(['Done after 2 steps and 12 s.'])
  })

  it('INT-01 nothing more of a stop that is over already', async () => {
    await open(chosen)
    const last: Step = ['lifecycle.end', { reason: 'interrupted', content: '', steps: 1, durationMs: 9 }]
    useRuns().receive(eventsOf(start))
    await nextTick()
    useRuns().receive(eventsOf([...start, ['run.interrupt', { message: '' }], last]).slice(2))
    await nextTick()
    expect(said()).toEqual(['The task began.', 'Stopped by you.'])
  })

  it('INT-01 nothing of a stop that was asked for before a conversation is turned to', async () => {
    await open(chosen)
    readEvents.mockResolvedValue(
      eventsOf([...start, ['run.interrupt', { message: '' }]], 'run-2', 'session-2'),
    )
    state = stateWith({ ...chosen, sessionId: 'session-2', runs: [{ runId: 'run-2', ended: false }] })
    useRuns().receive(eventsOf(start))
    await nextTick()
    vi.mocked(announce).mockClear()
    await useWindow().refresh()
    await flushPromises()
    expect(useRuns().current?.interrupted).toBe(true)
    expect(said()).toEqual([])
  })

  it('ST-03 nothing of what ended in another conversation before it is turned to', async () => {
    await open(chosen)
    let answer: () => void = () => {}
    readEvents.mockReturnValue(
      new Promise((resolve) => (answer = () => resolve(eventsOf([...start, ended], 'run-2')))),
    )
    state = stateWith({ ...chosen, sessionId: 'session-2', runs: [{ runId: 'run-2', ended: true }] })
    await useWindow().refresh()
    await flushPromises()
    answer()
    await flushPromises()
    expect(useRuns().current?.end?.reason).toBe('completed')
    expect(said()).toEqual([])
  })

  it('nothing of what was over before', async () => {
    readEvents.mockResolvedValue(eventsOf([...start, ended]))
    await open({ ...chosen, runs: [{ runId: 'run-1', ended: true }] })
    await flushPromises()
    expect(said()).toEqual([])
  })
})
