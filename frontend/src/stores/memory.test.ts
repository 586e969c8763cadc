import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../api/fault'
import MemoryPart from '../components/settings/MemoryPart.vue'
import * as bridge from '../testing/bridge'
import { folder, readMemory, readSettings, readState, stateWith } from '../testing/routes'
import { listOf, settingOf } from '../testing/settings'
import { useMemory } from './memory'
import { useSettings } from './settings'
import { useWindow } from './window'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

/** What is noted about the folder. */
let notes: string
let page: VueWrapper

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  notes = '- 2026-11-01: use tabs\n'
  readState.mockResolvedValue(stateWith({ workspace: folder }))
  readSettings.mockResolvedValue(listOf())
  readMemory.mockImplementation(async () => ({
    text: notes,
    version: notes === '' ? '' : `version of ${notes}`,
    path: '/home/ada/notes.md',
    bytes: notes.length,
    promptBytes: Math.min(notes.length, 4000),
  }))
  bridge.saveMemory.mockImplementation(async (text, version) => {
    const now = await readMemory()
    if (now.version !== version) throw new Fault('INVALID_STATE', 'changed meanwhile')
    notes = text.replace('\u200B', '‹U+200B›')
  })
})

async function open(): Promise<void> {
  await useWindow().refresh()
  page = mount(MemoryPart, { attachTo: document.body })
  await flushPromises()
}

const field = () => page.get<HTMLTextAreaElement>('textarea')
const button = (name: string) => page.findAll('button').find((each) => each.text() === name)
const press = async (name: string) => {
  await button(name)?.trigger('click')
  await flushPromises()
}

describe('EXT-06 the notes about a folder', () => {
  it('are shown, with what of them a task begins with', async () => {
    await open()
    expect(field().element.value).toBe('- 2026-11-01: use tabs\n')
    expect(page.text()).toContain('/home/ada/notes.md')
    expect(page.text()).toContain('The next task begins with all of it: 23 B of at most 4.0 KB.')
    notes = 'x'.repeat(10_000)
    await useMemory().read()
    await flushPromises()
    expect(page.text()).toContain(
      'It has 9.8 KB. The next task begins with the newest 3.9 KB of it, at most 4.0 KB.',
    )
    readSettings.mockResolvedValue(listOf([settingOf('memory', { value: 'false' })]))
    await useSettings().read()
    await flushPromises()
    expect(page.text()).toContain('No task begins with it, because the memory is off.')
    notes = ''
    await useMemory().read()
    await flushPromises()
    expect(page.text()).toContain('Nothing is noted yet.')
  })

  it('are saved as they are typed, and shown as they were kept', async () => {
    await open()
    expect(button('Save')?.attributes('disabled')).toBeDefined()
    await field().setValue('use\u200B spaces\n')
    expect(page.text()).toContain('Not saved yet: 14 B.')
    await press('Save')
    expect(bridge.saveMemory.mock.calls).toEqual([
      ['use\u200B spaces\n', 'version of - 2026-11-01: use tabs\n'],
    ])
    expect(field().element.value).toBe('use‹U+200B› spaces\n')
    expect(page.get('[role=status]').text()).toBe('Saved')
    await field().setValue('more')
    expect(page.get('[role=status]').text()).toBe('')
  })

  it('keep what is typed while they are being saved', async () => {
    await open()
    await field().setValue('one')
    const saving = press('Save')
    await field().setValue('one and two')
    await saving
    expect([field().element.value, notes, useMemory().dirty]).toEqual(['one and two', 'one', true])
  })

  it('are shown beside what was typed where others have changed them, and replaced on request', async () => {
    await open()
    await field().setValue('mine')
    notes = 'theirs\u202E'
    await press('Save')
    expect([field().element.value, notes]).toEqual(['mine', 'theirs\u202E'])
    expect(page.get('[role=region]').text()).toBe('theirs‹U+202E›')
    expect(button('Save')?.attributes('disabled')).toBeDefined()
    // Others may do so once more.
    notes = 'theirs again'
    await press('Save mine in their place')
    expect([field().element.value, notes]).toEqual(['mine', 'theirs again'])
    expect(page.get('[role=region]').text()).toBe('theirs again')
    await press('Save mine in their place')
    expect([field().element.value, notes]).toEqual(['mine', 'mine'])
    expect(page.find('[role=region]').exists()).toBe(false)
  })

  it('are taken instead of what was typed', async () => {
    await open()
    await field().setValue('mine')
    notes = 'theirs'
    await useMemory().read()
    await flushPromises()
    await press('Take these instead of mine')
    expect([field().element.value, useMemory().dirty]).toEqual(['theirs', false])
  })

  it('stay typed when the page is left, and are those of the folder that is open', async () => {
    await open()
    await field().setValue('mine')
    page.unmount()
    await open()
    expect(field().element.value).toBe('mine')
    readState.mockResolvedValue(stateWith({ workspace: { path: '/home/ada/other', name: 'other' } }))
    await useWindow().refresh()
    await flushPromises()
    expect([useMemory().typed, useMemory().base]).toEqual(['', null])
  })

  it('say what went wrong', async () => {
    readMemory.mockRejectedValueOnce(new Fault('INTERNAL', 'it is a folder'))
    await open()
    expect(page.get('[role=alert]').text()).toContain('it is a folder')
    await press('Try again')
    bridge.saveMemory.mockRejectedValueOnce(new Fault('INVALID_PARAMS', 'the text holds a key'))
    await field().setValue('mine')
    await press('Save')
    expect(page.get('[role=alert]').text()).toContain('the text holds a key')
    expect(field().element.value).toBe('mine')
  })

  it('are none without a folder', async () => {
    readState.mockResolvedValue(stateWith())
    await open()
    expect(page.text()).toBe('No folder is chosen yet.')
    expect(readMemory).not.toHaveBeenCalled()
  })
})
