import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { leaveTour } from '../../api/bridge'
import { Fault } from '../../api/fault'
import { useReview } from '../../stores/review'
import { useRuns } from '../../stores/runs'
import { useWindow } from '../../stores/window'
import { eventsOf, start } from '../../testing/events'
import { row } from '../../testing/review'
import { readState, stateWith } from '../../testing/routes'
import { stateOf } from '../../testing/workspace'
import TourEnd from './TourEnd.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<() => void>() }))
vi.mock('../../api/routes', () => import('../../testing/routes'))

let page: VueWrapper

const press = (text: string) =>
  page
    .findAll('button')
    .find((one) => one.text() === text)
    ?.trigger('click')

beforeEach(async () => {
  setActivePinia(createPinia())
  useWindow().state = stateOf({ tour: true })
  vi.mocked(leaveTour).mockReset().mockResolvedValue(null)
  page = mount(TourEnd)
  useRuns().receive(eventsOf(start))
  await flushPromises()
})
afterEach(() => page.unmount())

it('UI-06: the end of the tour tells of review, undo and what can be shown first', async () => {
  expect(page.text()).not.toContain('line by line')
  expect(page.text()).toContain('With Show first')
  useReview().rows = [row('1', 'budget.csv')]
  useWindow().state = stateOf({ tour: true, noCopy: { code: 'level' } })
  await flushPromises()
  expect(page.text()).toContain('can be looked at line by line and undone')
  expect(page.text()).not.toContain('With Show first')
  expect(page.text()).toContain(
    'Commands cannot run in a copy of the folder first. Not here: commands are not fully confined',
  )
  const show = vi.spyOn(useReview(), 'show')
  await press('Review and undo')
  expect(show).toHaveBeenCalledWith('run-1')
})

it('UI-06: from there it goes on to the first page, where folder and model are chosen', async () => {
  vi.mocked(leaveTour).mockRejectedValueOnce(new Fault('BUSY', 'x'))
  await press('Use your own folder and model')
  await flushPromises()
  expect(page.get('[role=alert]').text()).toContain('A task is running.')
  vi.mocked(readState).mockResolvedValue(stateWith())
  await press('Use your own folder and model')
  await flushPromises()
  expect(page.find('[role=alert]').exists()).toBe(false)
  expect(useWindow().welcome).toBe(true)
})
