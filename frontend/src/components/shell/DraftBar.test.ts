import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { PendingChange, State } from '../../api/types'
import { useRuns } from '../../stores/runs'
import { useWindow } from '../../stores/window'
import { applyDraft, dropDraft, restoreDraft } from '../../testing/bridge'
import { eventsOf, start, type Step } from '../../testing/events'
import { readDraft, readState, stateWith } from '../../testing/routes'
import DraftChanges from '../review/DraftChanges.vue'
import DraftBar from './DraftBar.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

const row = (path: string, more: Partial<PendingChange> = {}): PendingChange => ({
  path,
  kind: 'modified',
  op: 'modify',
  added: 1,
  removed: 0,
  diff: `--- a/${path}\n+++ b/${path}\n@@ -1,0 +1,1 @@\n+x\n`,
  ...more,
})
const theirs = row('b.txt', { held: { code: 'meanwhile' } })
const gone = row('c.txt', { kind: 'deleted', op: 'delete' })

/** Five past nine, today. */
const began = new Date().setHours(9, 5, 0, 0)

let page: VueWrapper
const texts = (): string[] => page.findAll('button').map((one) => one.text())
const press = async (words: string): Promise<void> => {
  await page
    .findAll('button')
    .find((one) => one.text().startsWith(words))
    ?.trigger('click')
  await flushPromises()
}

async function open(
  component: typeof DraftBar | typeof DraftChanges,
  state: Partial<State> = {},
): Promise<void> {
  readState
    .mockReset()
    .mockResolvedValue(
      stateWith({ sessionId: 's1', approve: 'draft', draft: { id: 'd1', began, past: null }, ...state }),
    )
  await useWindow().refresh()
  page = mount(component, { attachTo: document.body })
  await flushPromises()
}

beforeEach(() => {
  setActivePinia(createPinia())
  readDraft.mockReset().mockResolvedValue({
    id: 'd1',
    hash: 'h1',
    runs: false,
    changes: [row('a.txt', { size: 1536 }), theirs, gone],
  })
  for (const one of [applyDraft, dropDraft, restoreDraft]) one.mockReset().mockResolvedValue(null)
})
afterEach(() => page.unmount())

test('PRE-06: the strip counts what is in the draft, and applies what nothing is in the way of', async () => {
  await open(DraftBar)
  expect(page.text()).toContain(
    'Draft since 09:05: 2 changed · 1 deleted · 1.5 KB · 1 changed in the folder too',
  )
  expect(texts()).toEqual(['Review', 'Apply', 'Drop'])
  await press('Apply')
  expect(applyDraft.mock.calls).toEqual([['s1', 'h1', { paths: [] }]])
})

test('PRE-06: the user who leaves the mode is asked what becomes of the draft, and can keep it', async () => {
  await open(DraftBar, { approve: 'ask' })
  expect(page.text()).toContain('What becomes of the draft since 09:05')
  expect(texts()).toEqual(['Review', 'Apply', 'Drop', 'Keep for later'])
  await press('Keep for later')
  expect(page.text()).toContain('Draft since 09:05')
  expect(texts()).toEqual(['Review', 'Apply', 'Drop'])
})

test('PRE-07: what still runs in it is said to end with the decision', async () => {
  readDraft.mockResolvedValue({ id: 'd1', hash: 'h1', runs: true, changes: [row('a.txt')] })
  await open(DraftBar)
  expect(page.text()).toContain('1 changed. What still runs in it is ended when you apply or drop it.')
})

test('PRE-06: a draft of another day says which', async () => {
  await open(DraftBar, { draft: { id: 'd1', began: new Date(2026, 0, 3, 9, 5).getTime(), past: null } })
  expect(page.text()).toContain('Draft since Jan 3, 2026 09:05')
})

test('PRE-09: a draft that began with the folder of an earlier time says so, and what is missing', async () => {
  const at = new Date().setHours(8, 2, 0, 0)
  const missing = [{ path: 'd.txt', why: 'others' }]
  const past = { at, missing, more: 0, ignored: 3, inDraft: 0 }
  await open(DraftBar, { draft: { id: 'd1', began, past } })
  expect(page.text()).toContain('Draft since 09:05, from the folder as it was at 08:02: 2 changed')
  expect(page.text()).toContain('4 paths are not as they were.')
  page.unmount()
  setActivePinia(createPinia())
  readDraft.mockResolvedValue({ id: 'd1', hash: 'h1', runs: false, changes: [] })
  await open(DraftBar, { draft: { id: 'd1', began, past: { ...past, missing: [], ignored: 0 } } })
  expect(page.text()).toContain('as it was at 08:02: nothing differs from the folder.')
})

test('PRE-06: where somebody else has changed all of it nothing is applied without a choice', async () => {
  readDraft.mockResolvedValue({ id: 'd1', hash: 'h1', runs: false, changes: [theirs] })
  await open(DraftBar)
  expect(page.findAll('button')[1]?.attributes('disabled')).toBeDefined()
})

test('PRE-06: what was dropped can be taken back', async () => {
  await open(DraftBar)
  readState.mockResolvedValue(stateWith({ sessionId: 's1', draft: null }))
  await press('Drop')
  expect(page.text()).toContain('The draft was dropped.')
  await press('Take back')
  expect(restoreDraft.mock.calls).toEqual([['s1', 'd1']])
  readState.mockResolvedValue(stateWith({ sessionId: 's2', draft: null }))
  await useWindow().refresh()
  await flushPromises()
  expect(page.find('section').exists()).toBe(false)
})

test('PRE-06: a fault is said, and the draft stays', async () => {
  applyDraft.mockRejectedValue(new Fault('INVALID_STATE', 'the draft has changed since it was shown'))
  await open(DraftBar)
  await press('Apply')
  expect(page.find('[role="alert"]').text()).toContain('the draft has changed')
  expect(texts()).toContain('Review')
})

test('PRE-06: while a run works in the draft nothing is decided', async () => {
  await open(DraftBar)
  const steps: Step[] = [
    start[0] as Step,
    ['draft.opened', { draftId: 'd1', counts: { paths: 0, deleted: 0 }, conflicts: 0 }],
  ]
  useRuns().receive(eventsOf(steps, 'run-1', 's1'))
  await flushPromises()
  expect(useRuns().busy).toBe(true)
  expect(page.text()).toContain('Nothing in the folder changes')
  expect(texts()).toEqual([])
})

test('PRE-06: in the review what others changed too is left out until it is chosen', async () => {
  await open(DraftChanges)
  await press('Apply')
  expect(applyDraft.mock.calls).toEqual([['s1', 'h1', { paths: ['a.txt', 'c.txt'] }]])
  const boxes = page.findAll<HTMLInputElement>('input[type="checkbox"]')
  expect(boxes.map(({ element }) => element.checked)).toEqual([true, false, true])
  await boxes[1]?.setValue(true)
  await press('Apply')
  expect(applyDraft.mock.calls[1]).toEqual(['s1', 'h1', { paths: ['a.txt', 'b.txt', 'c.txt'] }])
})
