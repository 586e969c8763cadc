import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { Dropped } from '../../api/types'
import App from '../../App.vue'
import { useComposer } from '../../stores/composer'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { stubLayout } from '../../testing/layout'
import { folder, model, readEvents, readSessions, readState, readTree, stateWith } from '../../testing/routes'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => () => {}, onNews: () => () => {} }))
enableAutoUnmount(afterEach)

let page: VueWrapper

beforeEach(() => {
  setActivePinia(createPinia())
  stubLayout()
  vi.resetAllMocks()
  readState.mockResolvedValue(stateWith({ sessionId: 'session-1', workspace: folder, model }))
  readEvents.mockResolvedValue([])
  readSessions.mockResolvedValue({ sessions: [], more: false, archived: 0 })
  readTree.mockResolvedValue({ path: '.', entries: [], more: false })
})

/** Shows the window with a folder. */
async function open(): Promise<void> {
  await useWindow().refresh()
  page = mount(App, { attachTo: document.body })
  await flushPromises()
}

const button = (name: string) => page.findAll('button').find((each) => each.text() === name)

/** Drops files on the window, of which this is known. */
async function drop(...located: Dropped[]): Promise<void> {
  bridge.locate.mockResolvedValue(located)
  bridge.onDrop.mock.calls[0]?.[0](located.map(({ path }) => path))
  await flushPromises()
}

describe('DOC-03 what is dropped on the window', () => {
  it('is opened if it is a folder from elsewhere; what is refused is said', async () => {
    await open()
    bridge.openFolder.mockRejectedValue(new Fault('FOLDER_REFUSED', '/etc holds the system'))
    await drop({ path: '/etc', local: '', folder: true })
    expect(bridge.openFolder.mock.calls).toEqual([['/etc']])
    expect(page.get('[role=alert]').text()).toContain('/etc holds the system')
  })

  it('is named in the field if it lies in the folder', async () => {
    await open()
    useComposer().text = 'Compare'
    await drop(
      { path: '/home/ada/date/a.txt', local: 'a.txt', folder: false },
      { path: '/home/ada/date/my notes', local: 'my notes', folder: true },
    )
    expect(useComposer().text).toBe('Compare a.txt "my notes/" ')
    expect(bridge.openFolder).not.toHaveBeenCalled()
  })

  it('goes with what is said if it is a picture from elsewhere', async () => {
    await open()
    const shot = { id: 'p1', name: 'shot.png', mediaType: 'image/png', size: 9, ref: '/fairlead/pictures/p1' }
    bridge.addPictures.mockReset().mockResolvedValue([shot])
    await drop({ path: '/home/ada/shot.PNG', local: '', folder: false })
    expect(bridge.addPictures.mock.calls).toEqual([[['/home/ada/shot.PNG']]])
    expect(useComposer().pictures).toEqual([shot])
  })

  it('is copied in after one question if it is another file from elsewhere', async () => {
    await open()
    bridge.copyIn.mockReset().mockResolvedValue([{ path: 'report (2).pdf' }])
    await drop({ path: '/home/ada/report.pdf', local: '', folder: false })
    expect(page.get('section[aria-label="Files from elsewhere"]').text()).toContain('/home/ada/report.pdf')
    expect(document.activeElement?.textContent).not.toBe('Copy')
    expect(bridge.copyIn).not.toHaveBeenCalled()
    await button('Copy')?.trigger('click')
    await flushPromises()
    expect(bridge.copyIn.mock.calls).toEqual([[['/home/ada/report.pdf']]])
    expect(useComposer().text).toBe('"report (2).pdf" ')
    expect(page.find('section[aria-label="Files from elsewhere"]').exists()).toBe(false)
  })

  it('stays where it is if the user says no', async () => {
    await open()
    bridge.copyIn.mockReset()
    await drop({ path: '/home/ada/report.pdf', local: '', folder: false })
    await button('Cancel')?.trigger('click')
    expect(bridge.copyIn).not.toHaveBeenCalled()
    expect(page.find('section[aria-label="Files from elsewhere"]').exists()).toBe(false)
  })
})
