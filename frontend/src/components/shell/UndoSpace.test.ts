import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import { freeUndo, undoSpace } from '../../testing/bridge'
import { useReview } from '../../stores/review'
import UndoSpace from './UndoSpace.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

const open = async () => {
  const panel = mount(UndoSpace)
  await flushPromises()
  const press = async (words: string) => {
    await panel
      .findAll('button')
      .find((one) => one.text() === words)
      ?.trigger('click')
    await flushPromises()
  }
  return { panel, press }
}

beforeEach(() => {
  setActivePinia(createPinia())
  freeUndo.mockClear()
  undoSpace.mockReset().mockResolvedValue({ bytes: 1_500_000_000, limit: 2 ** 31 })
})

it('CHG-08 says how much is kept, and frees it once the user is sure', async () => {
  const { panel, press } = await open()
  expect(panel.text()).toContain('Kept to undo changes: 1.4 GB of 2.0 GB')
  await press('Free…')
  expect(panel.text()).toContain('can no longer be undone')
  await press('Back')
  expect(freeUndo).not.toHaveBeenCalled()
  await press('Free…')
  freeUndo.mockResolvedValueOnce({ bytes: 0, limit: 2 ** 31 })
  const refresh = vi.spyOn(useReview(), 'refresh')
  await press('Free it')
  expect(refresh).toHaveBeenCalledOnce()
  expect(panel.text()).toBe('Kept to undo changes: 0 B of 2.0 GB')
})

it('CHG-08 says why it could not be read, or freed', async () => {
  undoSpace.mockRejectedValueOnce(new Fault('INTERNAL', 'the disk is gone'))
  const { panel, press } = await open()
  expect(panel.get('[role=alert]').text()).toContain('the disk is gone')
  await press('Try again')
  await press('Free…')
  freeUndo.mockRejectedValueOnce(new Fault('INTERNAL', 'it is read-only'))
  await press('Free it')
  expect(panel.get('[role=alert]').text()).toContain('it is read-only')
  expect(panel.text()).toContain('1.4 GB')
})
