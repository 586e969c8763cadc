import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { Instructions, State } from '../../api/types'
import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { usePreview } from '../../stores/preview'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { folder, readFile, readState, stateWith } from '../../testing/routes'
import FolderPanel from './FolderPanel.vue'
import InstructionsBar from './InstructionsBar.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let state: State
let page: VueWrapper

/** A page of a folder with such instructions. */
async function open(
  component: typeof InstructionsBar | typeof FolderPanel,
  decision: Instructions['decision'] | null,
): Promise<void> {
  state = stateWith({
    workspace: folder,
    instructions: decision === null ? null : { path: 'docs/AGENTS.md', bytes: 2150, decision },
  })
  await useWindow().refresh()
  page = mount(component, { attachTo: document.body })
}

const button = (name: string) => page.findAll<HTMLElement>('button').find((each) => each.text() === name)

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  readState.mockImplementation(async () => state)
  readFile.mockReturnValue(new Promise(() => {}))
  bridge.setInstructions.mockImplementation(async (use) => {
    if (state.instructions)
      state = { ...state, instructions: { ...state.instructions, decision: use ? 'use' : 'skip' } }
  })
})
afterEach(() => {
  language.value = 'en'
})

describe('the instructions of a folder', () => {
  it('are told of, in both languages, and not used before somebody says so', async () => {
    await open(InstructionsBar, '')
    const words = () => page.get('p').text()
    expect(words()).toBe('This folder has instructions for the model (docs/AGENTS.md, 2.1 KB).')
    language.value = 'zh-CN'
    await flushPromises()
    expect(words()).toBe('此文件夹包含给模型的说明（docs/AGENTS.md，2.1 KB）。')
    expect(bridge.setInstructions).not.toHaveBeenCalled()
  })

  it.each(['use', 'skip', null] as const)(
    'take no space above the composer when it is %j',
    async (decision) => {
      await open(InstructionsBar, decision)
      expect(page.find('section').exists()).toBe(false)
    },
  )

  it('are shown at the side', async () => {
    await open(InstructionsBar, '')
    await button('Show')?.trigger('click')
    expect([usePreview().path, useShell().tab]).toEqual(['docs/AGENTS.md', 'preview'])
    expect(button('Use')).toBeDefined()
  })

  it.each([
    ['Use', true],
    ['Leave out', false],
  ])('%s decides, once, and the focus goes to the composer', async (name, use) => {
    await open(InstructionsBar, '')
    const { wanted } = useComposer()
    button(name)?.element.focus()
    void button(name)?.trigger('click')
    void button(name)?.trigger('click')
    await flushPromises()
    expect(bridge.setInstructions.mock.calls).toEqual([[use]])
    expect(page.find('section').exists()).toBe(false)
    expect(useComposer().wanted).toBe(wanted + 1)
  })

  it('are asked about again where the decision could not be kept', async () => {
    bridge.setInstructions.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await open(InstructionsBar, '')
    await button('Use')?.trigger('click')
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('disk full')
    await button('Use')?.trigger('click')
    await flushPromises()
    expect(page.find('section').exists()).toBe(false)
  })
})

describe('in the panel of the folder they', () => {
  const checked = () => page.find<HTMLInputElement>('input:checked')

  it('say what was decided, and can be decided about anew', async () => {
    await open(FolderPanel, 'use')
    expect(page.get('legend').text()).toBe('Instructions for the model (docs/AGENTS.md, 2.1 KB)')
    expect(checked().element.value).toBe('use')
    await page.get('input[value=skip]').setValue()
    await flushPromises()
    expect(bridge.setInstructions.mock.calls).toEqual([[false]])
    expect(checked().element.value).toBe('skip')
  })

  it('say that nothing is decided yet', async () => {
    await open(FolderPanel, '')
    expect(checked().exists()).toBe(false)
    expect(page.findAll('input[type=radio]')).toHaveLength(2)
  })

  it('go back to what holds where the decision could not be kept', async () => {
    bridge.setInstructions.mockRejectedValueOnce(new Fault('INTERNAL', 'disk full'))
    await open(FolderPanel, 'use')
    await page.get('input[value=skip]').setValue()
    await flushPromises()
    expect(page.get('[role=alert]').text()).toContain('disk full')
    expect(checked().element.value).toBe('use')
  })

  it('are not there where there are none', async () => {
    await open(FolderPanel, null)
    expect(page.find('legend').exists()).toBe(false)
  })
})
