import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { copyText, openFile, revealFile } from '../../api/bridge'
import { onNews } from '../../api/events'
import { Fault } from '../../api/fault'
import { readTree } from '../../api/routes'
import { useOutside } from './outside'
import { usePreview } from '../../stores/preview'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { list, stateOf } from '../../testing/workspace'
import Desk from '../shell/Desk.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<typeof onNews>() }))
vi.mock('../../api/routes', () => import('../../testing/routes'))

let desk: VueWrapper

const tree = () => desk.get('[role=tree]')
const menu = () => document.querySelector('[role=menu]')
const items = () => [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
const spoken = () => document.activeElement?.querySelector('span')?.textContent
const press = (on: Element | null, key: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  on?.dispatchEvent(event)
  return flushPromises()
}

beforeEach(async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(280)
  for (const call of [openFile, revealFile, copyText]) vi.mocked(call).mockClear()
  setActivePinia(createPinia())
  useWindow().state = stateOf()
  vi.mocked(readTree).mockImplementation(async (level) => list(['src/main.go', 'README.md'], level))
  desk = mount(Desk, { attachTo: document.body })
  useShell().show('files')
  await flushPromises()
  tree().element.dispatchEvent(new FocusEvent('focus'))
  ;(tree().element as HTMLElement).focus()
})
afterEach(() => {
  desk.unmount()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the menu of a file', () => {
  it.each([
    ['ContextMenu', {}],
    ['F10', { shiftKey: true }],
  ])('DESK-09: %s opens it on the row at hand, and Esc gives the focus back', async (key, more) => {
    await press(tree().element, key, more)
    expect(menu(), 'a folder has none').toBeNull()
    await press(tree().element, 'End')
    await press(tree().element, key, more)
    expect(menu()?.getAttribute('aria-label')).toBe('README.md')
    expect(items().map((item) => item.querySelector('span')?.textContent)).toEqual([
      'Open in default app',
      'Show in folder',
      'Copy path',
      'Copy full path',
    ])
    expect(items()[0]?.textContent).toContain('Ctrl+Shift+O')
    expect(spoken()).toBe('Open in default app')
    await press(document.activeElement, 'ArrowUp')
    expect(spoken()).toBe('Copy full path')
    await press(document.activeElement, 'ArrowDown')
    await press(document.activeElement, 'ArrowDown')
    expect(spoken()).toBe('Show in folder')
    await press(document.activeElement, 'Escape')
    expect(menu()).toBeNull()
    expect(document.activeElement).toBe(tree().element)
  })

  it('DESK-09: a right click opens it, a press elsewhere closes it, and each item does what it says', async () => {
    const row = () => desk.findAll('[role=treeitem]').find((one) => one.text().startsWith('README.md'))
    for (const at of [0, 1, 2, 3]) {
      await row()?.trigger('contextmenu', { clientX: 5, clientY: 5 })
      await flushPromises()
      items()[at]?.click()
      await flushPromises()
      expect(menu()).toBeNull()
    }
    expect(openFile).toHaveBeenCalledWith('README.md')
    expect(revealFile).toHaveBeenCalledWith('README.md')
    expect(vi.mocked(copyText).mock.calls).toEqual([
      ['README.md'],
      [`${useWindow().state?.workspace?.path}/README.md`],
    ])
    await row()?.trigger('contextmenu')
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await flushPromises()
    expect(menu()).toBeNull()
  })

  it('DESK-09: in the tree its keys are for the row at hand, elsewhere for the file that is looked at', async () => {
    await press(tree().element, 'End')
    const listener = vi.fn<() => void>()
    window.addEventListener('keydown', listener)
    await press(tree().element, 'o', { ctrlKey: true, shiftKey: true })
    window.removeEventListener('keydown', listener)
    expect(openFile).toHaveBeenCalledWith('README.md')
    expect(listener, 'the page does it once more').not.toHaveBeenCalled()
    const outside = useOutside()
    await outside.act('showInFolder')
    expect(revealFile, 'no file is looked at').not.toHaveBeenCalled()
    usePreview().open('src/main.go', 'files')
    await outside.act('showInFolder')
    expect(revealFile).toHaveBeenCalledWith('src/main.go')
    useWindow().state = stateOf({ system: 'windows', workspace: { path: 'C:\\work', name: 'work' } })
    await outside.act('copyFullPath', 'src/main.go')
    expect(copyText).toHaveBeenCalledWith('C:\\work\\src\\main.go')
  })

  it('DESK-09: what is not opened is said above the files, with the way on', async () => {
    vi.mocked(openFile).mockRejectedValueOnce(new Fault('RUNNABLE', 'open README.md: …'))
    await useOutside().act('openFile', 'README.md')
    await flushPromises()
    const alert = desk.get('[role=alert]')
    expect(alert.text()).toContain(
      'README.md: It could be run as a program, so open it from your file manager.',
    )
    await alert.get('button').trigger('click')
    expect(desk.find('[role=alert]').exists()).toBe(false)
  })
})
