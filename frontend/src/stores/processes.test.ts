// @vitest-environment node
import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { News } from '../api/events'
import { Fault } from '../api/fault'
import type { Process, ProcessList } from '../api/processes'
import { newsOf } from '../testing/news'
import { exited, foreground, process } from '../testing/processes'
import { readProcesses, stateWith } from '../testing/routes'
import { useProcesses } from './processes'
import { useWindow } from './window'

let tell: (news: News) => void

vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({
  onEvents: () => {},
  onNews: (listener: typeof tell) => {
    tell = listener
  },
}))

const news = newsOf({ processes: true })
const answer = (...processes: Process[]) => readProcesses.mockResolvedValue({ processes })
const shown = () => useProcesses().processes.map(({ callId }) => callId)

/** Shows a conversation. */
async function show(sessionId: string): Promise<void> {
  useWindow().state = stateWith({ sessionId })
  await flushPromises()
}

/** An answer that comes when it is told to. */
function late(): (list: ProcessList) => void {
  let give: (list: ProcessList) => void = () => {}
  readProcesses.mockReturnValueOnce(new Promise((resolve) => (give = resolve)))
  return (list) => give(list)
}

beforeEach(async () => {
  setActivePinia(createPinia())
  readProcesses.mockReset()
  answer()
  await show('s1')
})

describe('TOOL-05 the commands of a conversation', () => {
  it('are listed with those that are running first, then the newest', async () => {
    answer(exited('c4', 0), process('c3'), exited('c2', 1), foreground('c1'))
    useProcesses()
    await flushPromises()
    expect(shown()).toEqual(['c3', 'c1', 'c4', 'c2'])
    expect(useProcesses().background).toBe(1)
  })

  it('are read again on news of them, and on no other', async () => {
    useProcesses()
    await flushPromises()
    tell({ ...news, processes: false, sessions: true })
    expect(readProcesses).toHaveBeenCalledTimes(1)
    answer(process('c1'))
    tell(news)
    await flushPromises()
    expect(shown()).toEqual(['c1'])
  })

  it('are read once more, and only once, for what changes meanwhile', async () => {
    const give = late()
    useProcesses()
    answer(process('c2'))
    for (let i = 0; i < 5; i++) tell(news)
    give({ processes: [process('c1')] })
    await flushPromises()
    expect(readProcesses).toHaveBeenCalledTimes(2)
    expect(shown()).toEqual(['c2'])
  })

  it('are those of the conversation that is shown, whatever comes too late', async () => {
    const store = useProcesses()
    await flushPromises()
    answer(process('c1'))
    tell(news)
    await flushPromises()
    store.chosen = 'c1'
    expect(store.current?.id).toBe('p1')
    const give = late()
    tell(news)
    useWindow().state = stateWith({ sessionId: 's2' })
    expect([shown(), store.chosen]).toEqual([[], ''])
    let now: (list: ProcessList) => void = () => {}
    readProcesses.mockReturnValueOnce(new Promise((resolve) => (now = resolve)))
    give({ processes: [process('c1')] })
    await flushPromises()
    expect(shown()).toEqual([])
    now({ processes: [process('c9')] })
    await flushPromises()
    expect(shown()).toEqual(['c9'])
  })

  it('stay, with the fault, where they cannot be read', async () => {
    answer(process('c1'))
    const store = useProcesses()
    await flushPromises()
    readProcesses.mockRejectedValueOnce(new Fault('UNREACHABLE', 'no answer'))
    tell(news)
    await flushPromises()
    expect([store.fault?.code, shown()]).toEqual(['UNREACHABLE', ['c1']])
    await store.refresh()
    expect(store.fault).toBeNull()
  })

  it('nothing is looked at once it is gone', async () => {
    answer(foreground('c1'))
    const store = useProcesses()
    await flushPromises()
    store.chosen = 'c1'
    expect(store.current?.callId).toBe('c1')
    answer()
    tell(news)
    await flushPromises()
    expect(store.current).toBeNull()
  })
})

it('nothing is read before the state is known', () => {
  setActivePinia(createPinia())
  readProcesses.mockClear()
  useProcesses()
  expect(readProcesses).not.toHaveBeenCalled()
})
