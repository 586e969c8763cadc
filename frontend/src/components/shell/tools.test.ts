import { enableAutoUnmount, flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { State, ToolGroup } from '../../api/types'
import { language } from '../../i18n'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { readState, stateWith } from '../../testing/routes'
import Chips from './Chips.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

const group = (name: string, on = true): ToolGroup => ({ name, tools: [`${name}_a`, `${name}_b`], on })
let state: State

async function open(groups: ToolGroup[]) {
  state = stateWith({ sessionId: 'session-1', groups })
  await useWindow().refresh()
  const page = mount(Chips, { attachTo: document.body })
  useShell().open('approve')
  await nextTick()
  return page
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  readState.mockImplementation(async () => state)
})
afterEach(() => {
  language.value = 'en'
})

describe('GRP-01 the tools of a conversation', () => {
  it('are switches with plain names, a later one with its own', async () => {
    const page = await open([group('file'), group('search'), group('shell', false), group('web\u202E')])
    const switches = page.findAll('[role=dialog] label.switch')
    expect(switches.map((each) => each.text())).toEqual(['Files', 'Search', 'Commands', 'web‹U+202E›'])
    expect(switches[0]?.attributes('title')).toBe('file_a, file_b')
    const boxes = page.findAll<HTMLInputElement>('[role=switch]')
    expect(boxes.map(({ element }) => element.checked)).toEqual([true, true, false, true])
    expect(page.get('[role=dialog]').text()).toContain(
      'Holds in this conversation: approval from the next call on, tools from the next task on.',
    )
  })

  it('are switched at once', async () => {
    const page = await open([group('shell')])
    bridge.setGroup.mockImplementation(async (_, name, on) => {
      state = { ...state, groups: [group(name, on)] }
    })
    await page.get('[role=switch]').setValue(false)
    await flushPromises()
    expect(bridge.setGroup.mock.calls).toEqual([['session-1', 'shell', false]])
    expect(page.get<HTMLInputElement>('[role=switch]').element.checked).toBe(false)
  })

  it('go back to what holds where that cannot be saved', async () => {
    const page = await open([group('shell')])
    bridge.setGroup.mockRejectedValue(new Fault('INTERNAL', 'disk full'))
    await page.get('[role=switch]').setValue(false)
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('disk full')
    expect(page.get<HTMLInputElement>('[role=switch]').element.checked).toBe(true)
  })

  it('that are off are named where they are switched', async () => {
    const page = await open([group('file', false), group('search'), group('shell', false)])
    const chip = () => page.findAll('.opener')[1]
    expect(chip()?.text()).toBe('Ask first · without Files, Commands')
    expect(chip()?.attributes('aria-label')).toContain('without Files, Commands')
    language.value = 'zh-CN'
    await nextTick()
    expect(chip()?.text()).toBe('先询问 · 不含文件、命令')
  })

  it('are not there where there is nothing to switch', async () => {
    const page = await open([])
    expect(page.find('[role=switch]').exists()).toBe(false)
    expect(page.get('[role=dialog]').text()).not.toContain('Tools')
  })
})
