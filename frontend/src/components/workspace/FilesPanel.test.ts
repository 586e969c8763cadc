import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type News, onNews } from '../../api/events'
import { collectTime, useFolder } from '../../stores/folder'
import { usePreview } from '../../stores/preview'
import { useReview } from '../../stores/review'
import { useRuns } from '../../stores/runs'
import { useWindow } from '../../stores/window'
import { readFile, readTree } from '../../testing/routes'
import { call, eventsOf, start } from '../../testing/events'
import { changed, list, stateOf } from '../../testing/workspace'
import FilesPanel from './FilesPanel.vue'

vi.mock('../../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<typeof onNews>() }))
vi.mock('../../api/routes', () => import('../../testing/routes'))

const seen = 280
let files: string[]
let news: ((news: News) => void)[]
let panel: VueWrapper

const tree = () => panel.get('[role=tree]')
const items = () => panel.findAll('[role=treeitem]')
const item = (name: string) => {
  const found = items().find((one) => one.text().startsWith(name))
  if (!found) throw new Error(`no item ${name}`)
  return found
}
/** The item that readers are told of. */
const active = () => {
  const id = tree().attributes('aria-activedescendant')
  return id === undefined ? undefined : panel.find(`[id="${id}"]`).text()
}
const press = (key: string) => tree().trigger('keydown', { key })

async function tell(what: News): Promise<void> {
  for (const each of news) each(what)
  await vi.advanceTimersByTimeAsync(collectTime)
  await flushPromises()
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(seen)
  setActivePinia(createPinia())
  files = ['src/date/parser.go', 'src/main.go', '.env', 'README.md']
  news = []
  vi.mocked(onNews)
    .mockReset()
    .mockImplementation((listener) => {
      news.push(listener)
      return () => {}
    })
  vi.mocked(readTree)
    .mockReset()
    .mockImplementation(async (level) => list(files, level))
  vi.mocked(readFile)
    .mockReset()
    .mockReturnValue(new Promise(() => {}))
  useWindow().state = stateOf()
  panel = mount(FilesPanel, { attachTo: document.body })
  await flushPromises()
})

afterEach(() => {
  panel.unmount()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the tree', () => {
  it('has roles and names for readers', async () => {
    expect(tree().attributes('aria-label')).toBe('Files')
    await item('src').trigger('click')
    await flushPromises()
    expect(items().map((one) => one.text())).toEqual([
      'src',
      'date',
      'main.go',
      '.env, holds keys or passwords, tools do not read it',
      'README.md',
    ])
    expect(item('src').attributes()).toMatchObject({ 'aria-level': '1', 'aria-expanded': 'true' })
    expect(item('main.go').attributes()).toMatchObject({
      'aria-level': '2',
      'aria-posinset': '2',
      'aria-setsize': '2',
      'aria-selected': 'false',
    })
    expect(item('main.go').attributes()).not.toHaveProperty('aria-expanded')
  })

  it('DESK-09: a deleted file is struck through in its place, and leads to the review of that run', async () => {
    files.push('Zoo.md')
    const changes = [{ path: 'old.md', kind: 'deleted', added: 0, removed: 1 }]
    useRuns().receive(
      eventsOf([
        ...start,
        call('1', 'delete_file', {}),
        [
          'tool.result',
          { callId: '1', success: true, content: '', durationMs: 1, truncated: false, changes },
        ],
      ]),
    )
    await tell(changed(['old.md', 'Zoo.md']))
    expect(items().map((one) => one.text())).toEqual([
      'src',
      '.env, holds keys or passwords, tools do not read it',
      'old.md, deleted',
      'README.md',
      'Zoo.md, changed',
    ])
    expect(item('old.md').classes()).toContain('deleted')
    expect(item('old.md').attributes()).not.toHaveProperty('aria-disabled')
    const show = vi.spyOn(useReview(), 'show')
    await item('old.md').trigger('click')
    expect(show).toHaveBeenCalledWith('run-1', 'old.md')
    expect(usePreview().path).toBeNull()
    files.push('old.md')
    await tell(changed(['old.md']))
    expect(item('old.md').text()).toBe('old.md, changed')
  })

  it('is worked with the keyboard', async () => {
    ;(tree().element as HTMLElement).focus()
    await flushPromises()
    expect(active()).toBe('src')
    await press('ArrowRight')
    await flushPromises()
    await press('ArrowRight')
    expect(active()).toBe('date')
    await press('ArrowDown')
    expect(active()).toBe('main.go')
    await press('Enter')
    expect(usePreview().path).toBe('src/main.go')
    expect(item('main.go').attributes('aria-selected')).toBe('true')
    await press('ArrowLeft')
    expect(active()).toBe('src')
    await press('ArrowLeft')
    expect(items().map((one) => one.text())).toHaveLength(3)
    await press('r')
    expect(active()).toBe('README.md')
    await press('Home')
    expect(active()).toBe('src')
    await press(' ')
    expect(useFolder().expanded.has('src')).toBe(true)
  })

  it('leaves keys with Mod and those of the input method alone', async () => {
    ;(tree().element as HTMLElement).focus()
    await tree().trigger('keydown', { key: 'End', ctrlKey: true })
    await tree().trigger('keydown', { key: 'End', isComposing: true })
    expect(active()).toBe('src')
  })

  it('keeps what is open and the row at hand when files change', async () => {
    ;(tree().element as HTMLElement).focus()
    await press('ArrowRight')
    await flushPromises()
    await press('End')
    expect(active()).toBe('README.md')
    files.push('ALPHA.md', 'src/zone.go')
    await tell(changed(['ALPHA.md', 'src/zone.go']))
    expect(active()).toBe('README.md')
    expect(item('zone.go').text()).toBe('zone.go, changed')
    expect(item('zone.go').find('.sign').exists()).toBe(true)
    expect(item('main.go').find('.sign').exists()).toBe(false)
    expect(item('zone.go').find('.fresh-0, .fresh-1').exists()).toBe(true)
    files = files.filter((file) => file !== 'README.md')
    await tell(changed(['README.md']))
    expect(active()).toMatch(/^ALPHA\.md/)
  })

  it('goes on where a file was deleted', async () => {
    files = ['a', 'b', 'c', 'd']
    await tell(changed([], { full: true }))
    ;(tree().element as HTMLElement).focus()
    await press('c')
    expect(active()).toBe('c')
    files = ['a', 'b', 'd']
    await tell(changed([], { full: true }))
    expect(active()).toBe('d')
  })

  it('shows names as text, with nothing hidden in them', async () => {
    files = ['<img src=x>', 'a\u202Egpj.exe']
    await tell(changed([], { full: true }))
    expect(panel.find('img').exists()).toBe(false)
    expect(items().map((one) => one.text())).toContain('a‹U+202E›gpj.exe')
  })

  it('lays out of 5,000 files only those in sight', async () => {
    files = Array.from({ length: 5000 }, (_, i) => `file-${String(i).padStart(4, '0')}`)
    await tell(changed([], { full: true }))
    expect(items().length).toBeLessThan(40)
    ;(tree().element as HTMLElement).focus()
    await press('End')
    expect(active()).toBe('file-4999')
    expect(tree().element.scrollTop).toBe(5000 * 28 - seen)
    expect(items().length).toBeLessThan(40)
    await press('Home')
    expect(active()).toBe('file-0000')
  })
})

describe('the panel', () => {
  it('reads the folder again on demand', async () => {
    files.push('new')
    await panel.get('button[aria-label="Read the folder again"]').trigger('click')
    await flushPromises()
    expect(items().map((one) => one.text())).toContain('new')
  })

  it('says why not everything is watched', async () => {
    await tell(changed(['README.md'], { limited: 'the system allows no more watches' }))
    expect(panel.get('[role=status]').text()).toBe(
      'Not everything is watched: the system allows no more watches',
    )
  })

  it('offers another folder when this one is gone', async () => {
    await tell(changed([], { gone: true }))
    expect(panel.get('[role=status]').text()).toBe('The folder moved or was deleted.')
    expect(panel.find('[role=tree]').exists()).toBe(false)
    await panel.get('button').trigger('click')
    expect(panel.emitted('choose-folder')).toHaveLength(1)
  })

  it('DOC-04: has the file that was chosen in it beside it, and keeps the focus', async () => {
    ;(tree().element as HTMLElement).focus()
    await item('README.md').trigger('click')
    expect(panel.get('[data-preview] h2').text()).toBe('README.md')
    expect(document.activeElement).toBe(tree().element)
    await panel.get('[data-preview]').trigger('keydown', { key: 'Escape' })
    expect(panel.find('[data-preview]').exists()).toBe(false)
  })

  it('takes the focus when a file is closed that had it', async () => {
    usePreview().open('README.md')
    const other = document.createElement('section')
    other.dataset.preview = ''
    other.tabIndex = -1
    document.body.append(other)
    other.focus()
    usePreview().close()
    await flushPromises()
    expect(document.activeElement).toBe(tree().element)
    other.remove()
  })

  it('reads nothing any more when it is not shown', async () => {
    panel.unmount()
    vi.mocked(readTree).mockClear()
    await tell(changed(['README.md']))
    expect(readTree).not.toHaveBeenCalled()
  })
})
