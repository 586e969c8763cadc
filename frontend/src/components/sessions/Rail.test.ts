import { enableAutoUnmount, flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { readEvents, readSessions, readState, stateWith } from '../../testing/routes'
import { entry } from '../../testing/sessions'
import Rail from './Rail.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  const sessions = [entry('a', { mark: 'running' }), entry('b', { mark: 'waiting' }), entry('c', {})]
  readSessions.mockResolvedValue({ sessions, more: false, archived: 0 })
  readState.mockResolvedValue(stateWith({ sessionId: 'b' }))
  readEvents.mockResolvedValue([])
})

async function open() {
  await useWindow().refresh()
  const page = mount(Rail, { attachTo: document.body })
  await flushPromises()
  return page
}

describe('UI-15: where the list of conversations has no space', () => {
  it('each is its sign, with its title and state in words', async () => {
    const page = await open()
    const signs = page.findAll('.sign')
    expect(signs.map((sign) => sign.attributes('aria-label'))).toEqual([
      expect.stringMatching(/b, needs you$/i),
      expect.stringMatching(/a, running$/i),
      expect.stringMatching(/c, done$/i),
    ])
    expect(signs.map((sign) => sign.attributes('aria-current'))).toEqual(['true', undefined, undefined])
  })

  it('one is shown by a click, and another by the arrows and Enter', async () => {
    const page = await open()
    const signs = page.findAll<HTMLElement>('.sign')
    await signs[1]?.trigger('click')
    expect(bridge.showSession).toHaveBeenLastCalledWith('a')
    expect(signs.map((sign) => sign.attributes('tabindex'))).toEqual(['0', '-1', '-1'])
    signs[0]?.element.focus()
    await signs[0]?.trigger('keydown', { key: 'ArrowDown' })
    expect(document.activeElement).toBe(signs[1]?.element)
  })
})
