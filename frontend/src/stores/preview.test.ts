import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { type News, onNews } from '../api/events'
import { Fault } from '../api/fault'
import { readFile } from '../api/routes'
import type { FilePreview } from '../api/types'
import { changed, stateOf } from '../testing/workspace'
import { usePreview } from './preview'
import { useShell } from './shell'
import { useWindow } from './window'

vi.mock('../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<typeof onNews>() }))
vi.mock('../api/routes', () => ({ readFile: vi.fn<typeof readFile>(), readEvents: vi.fn<() => void>() }))

let news: (news: News) => void
let text: string

const preview = (path: string): FilePreview => ({
  path,
  text,
  encoding: '',
  truncated: false,
  binary: false,
  size: text.length,
})

beforeEach(() => {
  setActivePinia(createPinia())
  text = 'one'
  vi.mocked(onNews)
    .mockReset()
    .mockImplementation((listener) => {
      news = listener
      return () => {}
    })
  vi.mocked(readFile)
    .mockReset()
    .mockImplementation(async (path) => preview(path))
  useWindow().state = stateOf()
})

describe('a preview', () => {
  it('shows the file at the side, and the tree when it is closed', async () => {
    const [store, shell] = [usePreview(), useShell()]
    store.open('src/a.go')
    await flushPromises()
    expect(store.file?.text).toBe('one')
    expect([shell.tab, shell.desk]).toEqual(['preview', true])
    store.close()
    expect([store.path, store.file, shell.tab]).toEqual([null, null, 'files'])
  })

  it.each([
    ['the file', changed(['src/a.go']), 2],
    ['a folder above it', changed(['src']), 2],
    ['everything', changed([], { full: true }), 2],
    ['another file', changed(['src/a.go.bak', 'sr']), 1],
  ])('follows a change of %s', async (_, change, reads) => {
    const store = usePreview()
    store.open('src/a.go')
    await flushPromises()
    text = 'two'
    news(change)
    await flushPromises()
    expect(readFile).toHaveBeenCalledTimes(reads)
    expect(store.file?.text).toBe(reads === 2 ? 'two' : 'one')
  })

  it('reads nothing when no file is open', () => {
    usePreview()
    news(changed([], { full: true }))
    expect(readFile).not.toHaveBeenCalled()
  })

  it('shows the fault of a file that went away, and the file when it is back', async () => {
    const store = usePreview()
    store.open('a')
    await flushPromises()
    vi.mocked(readFile).mockRejectedValueOnce(new Fault('FILE_NOT_FOUND', 'there is no a'))
    news(changed(['a']))
    await flushPromises()
    expect([store.file, store.fault?.code]).toEqual([null, 'FILE_NOT_FOUND'])
    news(changed(['a']))
    await flushPromises()
    expect([store.file?.text, store.fault]).toEqual(['one', null])
  })

  it('shows the last file that was opened, whichever answer comes last', async () => {
    const store = usePreview()
    let late: ((file: FilePreview) => void) | undefined
    vi.mocked(readFile).mockReturnValueOnce(
      new Promise((resolve) => {
        late = resolve
      }),
    )
    store.open('slow')
    store.open('fast')
    await flushPromises()
    expect(store.file?.path).toBe('fast')
    late?.(preview('slow'))
    await flushPromises()
    expect(store.file?.path).toBe('fast')
  })

  it('reads once more, and only once, what changes while it is read', async () => {
    const store = usePreview()
    const answers: (() => void)[] = []
    vi.mocked(readFile).mockImplementation(async (path) => {
      const then = preview(path)
      await new Promise<void>((resolve) => answers.push(resolve))
      return then
    })
    store.open('a')
    text = 'two'
    for (let i = 0; i < 5; i++) news(changed(['a']))
    answers.shift()?.()
    await flushPromises()
    answers.shift()?.()
    await flushPromises()
    expect(readFile).toHaveBeenCalledTimes(2)
    expect(store.file?.text).toBe('two')
  })

  it('is closed with its workspace', async () => {
    const store = usePreview()
    store.open('a')
    await flushPromises()
    useWindow().state = stateOf({ limited: 'x' })
    await flushPromises()
    expect(store.path).toBe('a')
    useWindow().state = stateOf({ workspace: { path: '/other', name: 'other' } })
    await flushPromises()
    expect(store.path).toBeNull()
  })
})
