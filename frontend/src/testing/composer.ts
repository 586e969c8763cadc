/** The composer of a test, in a conversation that is shown. */
import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { vi } from 'vitest'
import { nextTick } from 'vue'

import { announce } from '../components/base/announce'
import { useActions } from '../components/shell/actions'
import Composer from '../components/shell/Composer.vue'
import { actionsKey } from '../components/shell/slash'
import { useRuns } from '../stores/runs'
import { useWindow } from '../stores/window'
import * as bridge from './bridge'
import { eventsOf, start } from './events'
import { readEvents, readState, stateWith } from './routes'

export let page: VueWrapper

/** Shows the composer, where all that is asked for succeeds. */
export async function open(): Promise<void> {
  setActivePinia(createPinia())
  bridge.run.mockReset().mockResolvedValue({ runId: 'run-1', sessionId: 'session-1' })
  bridge.cancel.mockReset().mockResolvedValue({ runId: 'run-1', cancelled: true, message: '' })
  bridge.queue.mockReset().mockResolvedValue({ promptId: 'q1', runId: '' })
  bridge.sendNow.mockReset().mockResolvedValue(null)
  bridge.interrupt.mockReset().mockResolvedValue(null)
  vi.mocked(announce).mockReset()
  bridge.detect.mockResolvedValue([])
  bridge.providers.mockResolvedValue([])
  readState.mockReset().mockResolvedValue(stateWith({ sessionId: 'session-1' }))
  readEvents.mockReset().mockResolvedValue([])
  await useWindow().refresh()
  const actions = useActions({ stop: () => {}, conversation: () => {} })
  page = mount(Composer, {
    attachTo: document.body,
    global: { provide: { [actionsKey as symbol]: actions } },
  })
}

export const field = () => page.get('textarea')
export const button = (name: string) =>
  page.findAll('button').find((each) => (each.attributes('aria-label') ?? each.text()) === name)
export const typed = (text: string) => field().setValue(text)

/** Presses a key in the field; reports whether the field keeps what the key does by itself. */
export function press(key: string, more: KeyboardEventInit & { keyCode?: number } = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  if (more.keyCode !== undefined) Object.defineProperty(event, 'keyCode', { value: more.keyCode })
  return field().element.dispatchEvent(event)
}

/** A run is active. */
export async function work(): Promise<void> {
  useRuns().receive(eventsOf(start))
  await nextTick()
}
