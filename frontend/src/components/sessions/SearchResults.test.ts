import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { Found, Passage } from '../../api/types'
import { useFind } from '../../stores/find'
import { useSearch } from '../../stores/search'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { findText, readEvents, readSessions, readState, stateWith } from '../../testing/routes'
import { entry } from '../../testing/sessions'
import Sidebar from './Sidebar.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let page: VueWrapper

const passage = (given: Partial<Passage> = {}): Passage => ({
  sessionId: 'a',
  runId: 'r1',
  partId: 'p1',
  callId: '',
  toolName: '',
  role: 'user',
  at: Date.now(),
  before: 'Fix the ',
  match: 'date',
  after: ' parser',
  ...given,
})
const nothing: Found = { titles: [], passages: [], sessions: [], more: false }

beforeEach(async () => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
  vi.stubGlobal('innerWidth', 1280)
  readSessions.mockResolvedValue({
    sessions: [entry('a', { updatedAt: Date.now() })],
    more: false,
    archived: 0,
  })
  readState.mockResolvedValue(stateWith({ sessionId: 'b' }))
  readEvents.mockResolvedValue([])
  findText.mockResolvedValue(nothing)
  await useWindow().refresh()
  page = mount(Sidebar, { attachTo: document.body })
  await flushPromises()
})

const field = () => page.get<HTMLInputElement>('input[type=search]')

async function type(words: string): Promise<void> {
  await field().setValue(words)
  await flushPromises()
}

const titles = () => page.findAll('h2').map((each) => each.text())

describe('FIND-01 the search in all conversations', () => {
  it('shows titles and passages in the place of the list', async () => {
    const other = entry('o', { title: 'Other', folder: { path: '/home/ada/other', name: 'other' } })
    findText.mockResolvedValue({
      titles: [entry('a', { title: 'Date parser' })],
      passages: [passage(), passage({ partId: 'p2', sessionId: 'o', role: 'assistant' })],
      sessions: [entry('a', { title: 'Date parser' }), other],
      more: true,
    })
    await type('date')
    expect(findText).toHaveBeenLastCalledWith('date', '')
    expect(titles()).toEqual(['Titles', 'Messages'])
    const words = page.findAll('.passage').map((each) => each.text().replaceAll(/\s+/g, ' '))
    expect(words[0]).toMatch(/^You · \d\d:\d\dFix the date parser$/)
    expect(words[1]).toContain('Assistant')
    expect(page.get('.passage strong').text()).toBe('date')
    expect(page.findAll('h3').map((each) => each.text())).toEqual(['Date parser', 'Otherother'])
    expect(page.get('[role=status]').text()).toContain('There are more')
  })

  it('says that nothing was found, that more must be typed, and what failed', async () => {
    await type('d')
    expect(page.get('.note').text()).toBe('Type at least two characters.')
    expect(findText).not.toHaveBeenCalled()
    await type('租赁')
    expect(page.get('[role=status]').text()).toBe('Nothing was found.')
    findText.mockRejectedValue(new Fault('INTERNAL', 'the disk is gone'))
    await type('租赁合')
    expect(page.text()).toContain('the disk is gone')
    findText.mockResolvedValue({ ...nothing, titles: [entry('a', { title: '租赁合同' })] })
    await page.get('.fault button').trigger('click')
    await flushPromises()
    expect(page.text()).toContain('租赁合同')
    expect(page.text()).not.toContain('the disk is gone')
  })

  it('takes the last answer, whichever comes first', async () => {
    const answers: ((found: Found) => void)[] = []
    findText.mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
    await type('da')
    await type('dat')
    answers[1]?.({ ...nothing, titles: [entry('a', { title: 'the last one' })] })
    await flushPromises()
    answers[0]?.({ ...nothing, titles: [entry('a', { title: 'the first one' })] })
    await flushPromises()
    expect(page.text()).toContain('the last one')
    expect(page.text()).not.toContain('the first one')
  })

  it('is left with Esc, and led into with the arrow', async () => {
    findText.mockResolvedValue({ ...nothing, titles: [entry('a')] })
    await type('date')
    field().element.focus()
    await field().trigger('keydown', { key: 'ArrowDown' })
    expect(document.activeElement?.closest('li')?.dataset.session).toBe('a')
    const esc = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    field().element.dispatchEvent(esc)
    await flushPromises()
    expect(esc.defaultPrevented).toBe(true)
    expect(field().element.value).toBe('')
    expect(titles()).toEqual(['Today'])
    const again = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    field().element.dispatchEvent(again)
    expect(again.defaultPrevented).toBe(false)
  })

  it('leads to the place in its conversation, with the words to go on from there', async () => {
    const found = { ...nothing, passages: [passage({ sessionId: 'a' })], sessions: [entry('a')] }
    findText.mockResolvedValue(found)
    bridge.showSession.mockImplementation(async () => {
      readState.mockResolvedValue(stateWith({ sessionId: 'a' }))
    })
    await type(' date ')
    await page.get('.passage').trigger('click')
    await flushPromises()
    expect(bridge.showSession).toHaveBeenCalledWith('a')
    const find = useFind()
    expect([find.open, find.text, find.sought?.partId]).toEqual([true, 'date', 'p1'])
    expect(findText).toHaveBeenLastCalledWith('date', 'a')
    expect(useSearch().text).toBe(' date ')
  })

  it('goes nowhere where the conversation is refused', async () => {
    findText.mockResolvedValue({ ...nothing, passages: [passage()], sessions: [entry('a')] })
    bridge.showSession.mockRejectedValue(new Fault('NOT_FOUND', 'it is gone'))
    await type('date')
    await page.get('.passage').trigger('click')
    await flushPromises()
    expect(useFind().open).toBe(false)
  })
})
