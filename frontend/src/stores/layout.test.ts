import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { setLayout } from '../testing/bridge'
import { folder, readFile, readState, stateWith } from '../testing/routes'
import { useLayout } from './layout'
import { usePreview } from './preview'
import { useShell } from './shell'
import { useWindow } from './window'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

const wide = 1600

function resize(width: number): void {
  vi.stubGlobal('innerWidth', width)
  window.dispatchEvent(new Event('resize'))
}

beforeEach(() => {
  vi.useFakeTimers()
  setActivePinia(createPinia())
  setLayout.mockReset().mockResolvedValue(null)
  readFile.mockClear()
  vi.stubGlobal('innerWidth', wide)
})
afterEach(() => {
  useShell().scale(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(layout: object): Promise<void> {
  readState.mockResolvedValue(stateWith({ workspace: folder, layout }))
  useLayout()
  await useWindow().refresh()
  await flushPromises()
}

describe('DESK-08 what is open', () => {
  it('is as it was', async () => {
    await open({
      zoom: 1.25,
      sidebar: 'closed',
      desk: 'open',
      deskWidth: 480,
      tab: 'preview',
      file: 'a.txt',
      folder: folder.path,
    })
    const shell = useShell()
    expect([shell.zoom, shell.sidebar, shell.desk, shell.deskWidth, shell.tab]).toEqual([
      1.25,
      false,
      true,
      480,
      'preview',
    ])
    expect(usePreview().path).toBe('a.txt')
    // Nothing was changed by coming back.
    await vi.advanceTimersByTimeAsync(5000)
    expect(setLayout).not.toHaveBeenCalled()
  })

  it('is left to the window where nothing was chosen', async () => {
    await open({})
    const shell = useShell()
    expect([shell.zoom, shell.sidebar, shell.desk, shell.tab]).toEqual([1, true, true, 'files'])
    expect(readFile).not.toHaveBeenCalled()
  })

  it('is remembered a while after the last change, as a whole', async () => {
    await open({})
    const shell = useShell()
    shell.scale(1)
    shell.desk = false
    await nextTick()
    await vi.advanceTimersByTimeAsync(300)
    shell.show('processes')
    shell.drag(500)
    await nextTick()
    await vi.advanceTimersByTimeAsync(399)
    expect(setLayout).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(setLayout.mock.calls).toEqual([
      [
        {
          zoom: 1.1,
          sidebar: '',
          desk: 'open',
          deskWidth: 500,
          tab: 'processes',
          file: '',
          folder: '',
          codeSize: 0,
          wrap: false,
          tint: false,
        },
      ],
    ])
    usePreview().open('b.txt')
    await nextTick()
    await vi.advanceTimersByTimeAsync(400)
    expect(setLayout).toHaveBeenLastCalledWith(
      expect.objectContaining({ tab: 'preview', file: 'b.txt', folder: folder.path }),
    )
  })

  it('is not what only the width of the window decides', async () => {
    await open({ sidebar: 'closed' })
    const shell = useShell()
    resize(700)
    await nextTick()
    shell.sidebar = true
    shell.desk = true
    await nextTick()
    expect(shell.layout.desk).toBe('')
    resize(wide)
    await nextTick()
    expect([shell.sidebar, shell.desk]).toEqual([false, true])
    shell.desk = false
    resize(700)
    resize(wide)
    await nextTick()
    expect(shell.desk).toBe(false)
  })

  it('does not open a file of another folder, nor in the tour', async () => {
    readState.mockResolvedValue(
      stateWith({
        workspace: folder,
        tour: true,
        layout: { tab: 'files', file: 'a.txt', folder: folder.path },
      }),
    )
    useLayout()
    await useWindow().refresh()
    expect(usePreview().path).toBe(null)
    setActivePinia(createPinia())
    await open({ tab: 'files', file: 'a.txt', folder: '/home/ada/other' })
    expect(usePreview().path).toBe(null)
  })
})
