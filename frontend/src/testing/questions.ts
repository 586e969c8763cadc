/** Questions, and the page on which they are answered, for tests. */
import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { nextTick } from 'vue'

import type { Envelope, EventMap } from '../api/types'
import ConfirmDock from '../components/confirm/ConfirmDock.vue'
import { useRuns } from '../stores/runs'
import { call, eventsOf, type Step, start } from './events'

export type Request = EventMap['tool.confirm_request']

const diff = '--- a/days.go\n+++ b/days.go\n@@ -42,1 +42,1 @@\n-\treturn 28\n+\treturn 29\n'

/** How long the questions wait, in milliseconds. */
export const patience = 5 * 60_000

/** A question about a file change. */
export function writes(callId: string, more: Partial<Request> = {}): Request {
  return {
    callId,
    toolName: 'edit_file',
    arguments: { path: 'src/days.go', edits: [{ old: 'return 28', new: 'return 29' }] },
    preview: { effect: 'files', path: 'src/days.go', diff, added: 1, removed: 1 },
    hash: `hash-${callId}`,
    expiresAt: Date.now() + patience,
    ...more,
  }
}

/** A question about a command. */
export function runs(callId: string, command: string, more: Partial<Request> = {}): Request {
  return {
    callId,
    toolName: 'shell',
    arguments: { command },
    preview: {
      effect: 'command',
      command,
      folder: '/home/me/days',
      level: 'none',
      confinement: 'Not confined: this command runs with all your rights and can read your files and keys.',
    },
    hash: `hash-${callId}`,
    expiresAt: Date.now() + patience,
    ...more,
  }
}

/** The question whether a command that may run may have the network. */
export function wantsNetwork(callId: string, command: string): Request {
  const request = runs(callId, command)
  const preview = { ...request.preview, effect: 'network', network: true } as const
  return { ...request, arguments: { command, network: true }, preview, hash: `network-${callId}` }
}

/** A question about a page that is to be fetched. */
export function fetches(callId: string, url: string): Request {
  return {
    ...runs(callId, ''),
    toolName: 'http_get',
    arguments: { url },
    preview: { effect: 'network', url, addresses: 'checked' },
  }
}

/** The event that asks a question; with a ref it was cut. */
export const ask = (request: Request, ref?: string): Step => [
  'tool.confirm_request',
  request,
  ref === undefined ? {} : { ref },
]

/** The event that closes a question. */
export const answered = (callId: string, by: EventMap['tool.confirm_result']['by'] = 'user'): Step => [
  'tool.confirm_result',
  { callId, decision: 'reject', arguments: {}, by },
]

/** Presses a key somewhere on the page. */
export function press(
  key: string,
  on: EventTarget = document.body,
  more: KeyboardEventInit = {},
): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  on.dispatchEvent(event)
  return event
}

/** What makes a key one with Mod, on the system of the tests. */
export const mod = { ctrlKey: true } as const

/** What makes a key one with Alt. */
export const alt = { altKey: true } as const

/** A page with the place where questions are answered, and a field to write in. */
export class DockPage {
  readonly field = document.createElement('textarea')
  private dock: VueWrapper
  private readonly place = document.createElement('div')
  private seq = 0

  constructor() {
    setActivePinia(createPinia())
    document.body.append(this.field, this.place)
    this.dock = mount(ConfirmDock, { attachTo: this.place })
  }

  /** Leaves the place and comes back to it. */
  again(): void {
    this.dock.unmount()
    this.dock = mount(ConfirmDock, { attachTo: this.place })
  }

  close(): void {
    this.dock.unmount()
    document.body.replaceChildren()
  }

  get card() {
    return this.dock.find('section.card')
  }

  get heading() {
    return this.card.get('h2')
  }

  /** The button whose label begins like this. */
  button(name: string) {
    const found = this.dock
      .findAll('button')
      .find((one) => (one.attributes('aria-label') ?? one.text()).startsWith(name))
    if (!found) throw new Error(`no button ${name}`)
    return found
  }

  /** Brings events to the page, as those that follow. */
  receive(...steps: Step[]): void {
    const events = eventsOf(steps)
    for (const e of events) Object.assign(e, { seq: ++this.seq })
    useRuns().receive(events satisfies Envelope[])
  }

  /** Asks questions of a new run. */
  async ask(...requests: Request[]): Promise<void> {
    const calls = requests.map((one) => call(one.callId, one.toolName, one.arguments))
    this.receive(...start, ...calls, ...requests.map((one) => ask(one)))
    await nextTick()
  }
}
