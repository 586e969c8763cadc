import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { type News, onNews } from '../api/events'
import { Fault } from '../api/fault'
import type { FilePreview } from '../api/types'
import { row, twoParts } from '../testing/review'
import { call, eventsOf, start, type Step, succeeded } from '../testing/events'
import { readFile, readReview, readReviewText } from '../testing/routes'
import { changed, stateOf } from '../testing/workspace'
import { usePreview } from './preview'
import { useReview } from './review'
import { useRuns } from './runs'
import { useShell } from './shell'
import { useWindow } from './window'

vi.mock('../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<typeof onNews>() }))
vi.mock('../api/routes', () => import('../testing/routes'))

const listeners: ((news: News) => void)[] = []
const news = (one: News): void => {
  for (const listener of listeners) listener(one)
}
let text: string

/** The file is as the run left it. */
const left = { after: { mode: '644', size: 3 } }

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
  listeners.length = 0
  vi.mocked(onNews)
    .mockReset()
    .mockImplementation((listener) => {
      listeners.push(listener)
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

  it('DOC-04: asks again while the reader of a document is made ready, until another file is opened', async () => {
    const store = usePreview()
    const preparing = (path: string): FilePreview => ({
      ...preview(path),
      document: { format: 'pdf', preparing: true },
    })
    const pages = { ...preview('a.pdf'), document: { format: 'pdf', text: { parts: [] } } }
    const answers: ((file: FilePreview) => void)[] = []
    vi.mocked(readFile).mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
    store.open('a.pdf')
    answers[0]?.(preparing('a.pdf'))
    await flushPromises()
    expect([store.file?.document?.preparing, answers.length]).toEqual([true, 2])
    answers[1]?.(pages as FilePreview)
    await flushPromises()
    expect([store.file, answers.length]).toEqual([pages, 2])
    store.open('b.pdf')
    store.open('c.txt')
    answers[2]?.(preparing('b.pdf'))
    answers[3]?.(preview('c.txt'))
    await flushPromises()
    expect([store.file?.path, answers.length]).toEqual(['c.txt', 4])
  })

  it('stays beside the files where the file was chosen there', async () => {
    const [store, shell] = [usePreview(), useShell()]
    store.open('src/a.go', 'files')
    expect(shell.tab).toBe('files')
    store.close()
    expect(shell.tab).toBe('files')
  })

  it('MSG-10: opens a file as it is written where that is wanted, and the next one as it reads', () => {
    const store = usePreview()
    store.openSource('AGENTS.md')
    expect([store.path, store.source]).toEqual(['AGENTS.md', true])
    store.open('README.md')
    expect(store.source).toBe(false)
  })

  it('DOC-04: knows how the run changed the file, while it is as that left it', async () => {
    const [store, review] = [usePreview(), useReview()]
    readReviewText.mockResolvedValue({ text: true, diff: twoParts, hunks: true, taken: [] })
    store.open('src/a.go')
    await flushPromises()
    expect(store.diff).toBe('')
    for (const [one, want] of [
      [row('1', 'src/a.go', left), twoParts],
      [row('1', 'src/a.go', { after: { mode: '644', size: 4 } }), ''],
      [row('2', 'src/a.go', { ...left, state: 'changed' }), ''],
      [row('3', 'src/a.go', { ...left, op: 'create' }), ''],
      [row('4', 'src/b.go', left), ''],
    ] as const) {
      review.rows = [one]
      await flushPromises()
      expect(store.diff).toBe(want)
    }
  })

  it('DOC-04: takes the marks away once another program has changed the file, whatever its size', async () => {
    vi.useFakeTimers()
    const store = usePreview()
    const review = useReview()
    readReviewText.mockResolvedValue({ text: true, diff: twoParts, hunks: true, taken: [] })
    readReview.mockResolvedValue({ rows: [row('1', 'src/a.go', left)], aside: [] })
    useRuns().receive(eventsOf(start))
    store.open('src/a.go')
    await vi.runAllTimersAsync()
    expect(store.diff).toBe(twoParts)
    readReview.mockResolvedValue({ rows: [row('1', 'src/a.go', { ...left, state: 'changed' })], aside: [] })
    text = 'two'
    news(changed(['README.md']))
    await vi.runAllTimersAsync()
    expect(store.diff).toBe(twoParts)
    news(changed(['src/a.go']))
    await vi.runAllTimersAsync()
    expect([review.rows[0]?.state, store.diff]).toEqual(['changed', ''])
    vi.useRealTimers()
  })

  it('PRE-06 is read again when a draft is shown, when a call there ends, and when the folder is back', async () => {
    const store = usePreview()
    store.open('a')
    await flushPromises()
    const opened: Step = ['draft.opened', { draftId: 'd1', counts: { paths: 0, deleted: 0 }, conflicts: 0 }]
    const end: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 1000 }]
    const steps: Step[] = [
      ...start,
      opened,
      call('c1', 'write_file', { path: 'a' }),
      succeeded('c1', 'Wrote it.'),
    ]
    for (const [count, want] of [
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
    ] as const) {
      useRuns().receive(eventsOf(steps.slice(0, count)))
      await flushPromises()
      expect(readFile).toHaveBeenCalledTimes(want)
    }
    useRuns().receive(eventsOf([...steps, end]))
    await flushPromises()
    expect(readFile).toHaveBeenCalledTimes(4)
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
