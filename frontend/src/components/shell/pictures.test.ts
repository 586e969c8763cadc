import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { Attached } from '../../api/types'
import { useComposer } from '../../stores/composer'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { button, field, open, page, press, typed, work } from '../../testing/composer'
import { folder, readState, sendPicture, stateWith } from '../../testing/routes'
import type { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

const picture = (id: string): Attached => ({
  id,
  name: `${id}.png`,
  mediaType: 'image/png',
  size: 2048,
  ref: `/fairlead/pictures/${id}`,
})

beforeEach(async () => {
  await open()
  sendPicture.mockReset().mockImplementation(async ({ name }) => picture(name.replace('.png', '')))
  bridge.chooseFiles.mockReset()
  bridge.removePicture.mockReset().mockResolvedValue(null)
})
afterEach(() => {
  page.unmount()
})

/** A promise that the test settles. */
function later<T>() {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Pastes files beside a text; reports whether the field takes the text itself. */
async function paste(text: string, ...names: string[]): Promise<boolean> {
  const event = new Event('paste', { bubbles: true, cancelable: true })
  const files = names.map(
    (name) => new File(['x'], name, { type: name.endsWith('.png') ? 'image/png' : 'text/plain' }),
  )
  Object.defineProperty(event, 'clipboardData', { value: { files, getData: () => text } })
  const left = field().element.dispatchEvent(event)
  await flushPromises()
  return left
}

const shown = (): (string | undefined)[] => page.findAll('.pictures img').map((img) => img.attributes('src'))

describe('DOC-03 files that are chosen', () => {
  beforeEach(() => {
    useWindow().state = stateWith({ workspace: folder })
  })

  it('become what dropped ones become', async () => {
    bridge.chooseFiles.mockResolvedValueOnce([]).mockResolvedValueOnce(['/home/ada/a.pdf'])
    await button('Add files')?.trigger('click')
    await flushPromises()
    expect(page.emitted('files')).toBeUndefined()
    await button('Add files')?.trigger('click')
    await flushPromises()
    expect(page.emitted('files')).toEqual([[['/home/ada/a.pdf']]])
    expect(document.activeElement).toBe(field().element)
  })

  it('need no second dialog', async () => {
    bridge.chooseFiles.mockRejectedValue(new Fault('BUSY', 'a dialog is open'))
    await button('Add files')?.trigger('click')
    await flushPromises()
    expect(page.find('[role=alert]').exists()).toBe(true)
  })
})

describe('DOC-02 pictures', () => {
  it('are pasted, shown, and go with what is sent', async () => {
    expect(await paste('', 'a.png', 'b.png')).toBe(false)
    expect(shown()).toEqual(['/fairlead/pictures/a', '/fairlead/pictures/b'])
    await typed('Look')
    press('Enter')
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['Look', 'session-1', ['a', 'b']]])
    expect(shown()).toEqual([])
  })

  it('of a spreadsheet are left: its text is taken', async () => {
    expect(await paste('1\t2', 'sheet.png')).toBe(true)
    expect(await paste('', 'notes.txt')).toBe(true)
    expect(sendPicture).not.toHaveBeenCalled()
  })

  it('are taken back, one by itself', async () => {
    await paste('', 'a.png', 'b.png')
    await button('Remove a.png')?.trigger('click')
    expect(shown()).toEqual(['/fairlead/pictures/b'])
    expect(bridge.removePicture.mock.calls).toEqual([['a']])
    expect(document.activeElement).toBe(field().element)
  })

  it('wait with what is said while a task is running', async () => {
    await work()
    await paste('', 'a.png')
    await typed('Like this')
    press('Enter')
    await flushPromises()
    expect(bridge.queue.mock.calls).toEqual([['session-1', 'Like this', 'step', ['a']]])
    expect(shown()).toEqual([])
  })

  it('that cannot be read are said to be no pictures, and the others stay', async () => {
    await paste('', 'a.png')
    sendPicture.mockRejectedValue(new Fault('INVALID_PARAMS', 'b.png is no picture'))
    await paste('', 'b.png')
    expect(page.get('[role=alert]').text()).toContain('b.png is no picture')
    expect(shown()).toEqual(['/fairlead/pictures/a'])
  })

  it('stay where a task is refused', async () => {
    await paste('', 'a.png')
    await typed('Look')
    bridge.run.mockRejectedValue(new Fault('NO_MODEL', 'no model is chosen'))
    press('Enter')
    await flushPromises()
    expect(shown()).toEqual(['/fairlead/pictures/a'])
  })

  it('are waited for by what is sent before they are read', async () => {
    const { promise, resolve: read } = later<Attached>()
    sendPicture.mockReturnValue(promise)
    await paste('', 'a.png')
    await typed('Look')
    press('Enter')
    press('Enter')
    await flushPromises()
    expect(bridge.run).not.toHaveBeenCalled()
    read(picture('a'))
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['Look', 'session-1', ['a']]])
  })

  it('that cannot be read keep from being sent what was to go with them', async () => {
    const { promise, reject: fail } = later<Attached>()
    sendPicture.mockReturnValue(promise)
    await paste('', 'a.png')
    await typed('Look')
    press('Enter')
    fail(new Fault('INVALID_PARAMS', 'a.png is no picture'))
    await flushPromises()
    expect(bridge.run).not.toHaveBeenCalled()
    expect(page.get('[role=alert]').text()).toContain('a.png is no picture')
    expect(useComposer().text).toBe('Look')
    press('Enter')
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['Look', 'session-1', []]])
  })

  it('go with the conversation that began while they were read', async () => {
    readState.mockResolvedValue(stateWith({ sessionId: '' }))
    await useWindow().refresh()
    const { promise: reading, resolve: read } = later<Attached[]>()
    const composer = useComposer()
    const attached = composer.attach(reading)
    composer.sent('first', [], '', 'session-9')
    readState.mockResolvedValue(stateWith({ sessionId: 'session-9' }))
    await useWindow().refresh()
    read([picture('late')])
    await attached
    await flushPromises()
    expect(shown()).toEqual(['/fairlead/pictures/late'])
  })
})
