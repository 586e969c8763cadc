import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type News, onNews } from '../api/events'
import { Fault } from '../api/fault'
import { readTree } from '../api/routes'
import { call, eventsOf, start, type Step } from '../testing/events'
import { changed, list, stateOf } from '../testing/workspace'
import { collectTime, freshTime, useFolder } from './folder'
import { useRuns } from './runs'
import { useWindow } from './window'

vi.mock('../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<typeof onNews>() }))
vi.mock('../api/routes', () => ({ readTree: vi.fn<typeof readTree>(), readEvents: vi.fn<() => void>() }))

let files: string[]
let news: (news: News) => void

/** Lets what was collected be read. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(collectTime)
  await flushPromises()
}

const shown = () =>
  useFolder().rows.map((row) => `${'  '.repeat(row.depth - 1)}${row.name}${row.mark ? ` ${row.mark}` : ''}`)

async function open(): Promise<ReturnType<typeof useFolder>> {
  const folder = useFolder()
  useWindow().state = stateOf()
  await flushPromises()
  folder.show()
  await flushPromises()
  return folder
}

beforeEach(() => {
  vi.useFakeTimers()
  setActivePinia(createPinia())
  files = ['src/date/parser.go', 'src/main.go', 'README.md']
  vi.mocked(onNews)
    .mockReset()
    .mockImplementation((listener) => {
      news = listener
      return () => {}
    })
  vi.mocked(readTree)
    .mockReset()
    .mockImplementation(async (level) => list(files, level))
})

afterEach(() => {
  vi.useRealTimers()
})

it('PRE-06 while a run works in a draft the tree is read again as its calls change that, and at its end', async () => {
  await open()
  files = ['README.md', 'draft.txt']
  const opened: Step = ['draft.opened', { draftId: 'd1', counts: { paths: 0, deleted: 0 }, conflicts: 0 }]
  const written: Step = [
    'tool.result',
    {
      callId: 'c1',
      success: true,
      content: 'Wrote it.',
      durationMs: 1,
      truncated: false,
      changes: [{ path: 'draft.txt', kind: 'created', added: 1, removed: 0 }],
    },
  ]
  const end: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 1000 }]
  const steps: Step[] = [...start, opened, call('c1', 'write_file', {})]
  useRuns().receive(eventsOf(steps))
  await flushPromises()
  files = ['README.md', 'draft.txt', 'more.txt']
  useRuns().receive(eventsOf([...steps, written]).slice(-1))
  await flushPromises()
  expect(shown()).toEqual(['draft.txt created', 'more.txt', 'README.md'])
  files = ['README.md']
  useRuns().receive(eventsOf([...steps, written, end]).slice(-1))
  await flushPromises()
  expect(shown()).toEqual(['README.md'])
})

describe('WS-02 the tree', () => {
  it('reads a level when it is opened, and not before', async () => {
    const folder = await open()
    expect(shown()).toEqual(['src', 'README.md'])
    folder.expand('src')
    await flushPromises()
    expect(shown()).toEqual(['src', '  date', '  main.go', 'README.md'])
    expect(vi.mocked(readTree).mock.calls).toEqual([[''], ['src']])
    folder.collapse('src')
    expect(shown()).toEqual(['src', 'README.md'])
  })

  it('says where an entry stands among the others of its folder', async () => {
    const folder = await open()
    folder.expand('src')
    await flushPromises()
    expect(folder.rows.map((row) => [row.depth, row.position, row.siblings])).toEqual([
      [1, 1, 2],
      [2, 1, 2],
      [2, 2, 2],
      [1, 2, 2],
    ])
  })

  it('reads nothing while it is shown nowhere', async () => {
    useWindow().state = stateOf()
    const folder = useFolder()
    news(changed(['README.md']))
    await settle()
    expect(readTree).not.toHaveBeenCalled()
    const hide = folder.show()
    await flushPromises()
    expect(shown()).toEqual(['src', 'README.md touched'])
    hide()
    news(changed([], { full: true }))
    await settle()
    expect(readTree).toHaveBeenCalledTimes(1)
  })

  it('reads again only the open levels that are concerned, once for all that comes together', async () => {
    const folder = await open()
    folder.expand('src')
    await flushPromises()
    vi.mocked(readTree).mockClear()
    files.push('src/new.go', 'src/date/zone.go', 'docs/a.md')
    news(changed(['src/new.go']))
    news(changed(['src/new.go', 'src/date/zone.go']))
    await settle()
    expect(vi.mocked(readTree).mock.calls).toEqual([['src']])
    expect(shown()).toEqual(['src', '  date', '  main.go', '  new.go touched', 'README.md'])
    news(changed([], { full: true }))
    await settle()
    expect(vi.mocked(readTree).mock.calls.slice(1).toSorted()).toEqual([[''], ['src']])
    expect(shown()[0]).toBe('docs')
    expect(folder.expanded.has('src')).toBe(true)
  })

  it('reads the folder itself where secrets changed in it', async () => {
    await open()
    vi.mocked(readTree).mockClear()
    files.push('.env')
    news(changed(['.']))
    await settle()
    expect(vi.mocked(readTree).mock.calls).toEqual([['']])
    expect(shown()).toContain('.env')
  })

  it('reads a level once more when it changes while it is read', async () => {
    await open()
    vi.mocked(readTree).mockClear()
    const answers: (() => void)[] = []
    vi.mocked(readTree).mockImplementation(async (level) => {
      const then = list([...files], level)
      await new Promise<void>((resolve) => answers.push(resolve))
      return then
    })
    news(changed(['README.md']))
    await settle()
    files.push('late')
    for (let i = 0; i < 3; i++) {
      news(changed(['late']))
      await settle()
    }
    answers.shift()?.()
    await settle()
    answers.shift()?.()
    await settle()
    expect(readTree).toHaveBeenCalledTimes(2)
    expect(shown()).toContain('late touched')
  })

  it('forgets a folder that was deleted, with what was open in it', async () => {
    const folder = await open()
    folder.expand('src')
    folder.expand('src/date')
    await flushPromises()
    files = ['README.md']
    news(changed(['src', 'src/date', 'src/main.go']))
    await settle()
    expect(shown()).toEqual(['README.md'])
    files = ['src/date/a', 'README.md']
    news(changed(['src']))
    await settle()
    expect(shown()).toEqual(['src touched', 'README.md'])
  })

  it('reads what is open below a folder when that is opened again', async () => {
    const folder = await open()
    folder.expand('src')
    folder.expand('src/date')
    await flushPromises()
    folder.collapse('src')
    files.push('src/date/zone.go')
    news(changed(['src/date/zone.go']))
    await settle()
    folder.expand('src')
    await flushPromises()
    expect(shown()).toContain('    zone.go touched')
  })

  it('says why a level cannot be read, that there is more, and that there is nothing', async () => {
    const folder = await open()
    vi.mocked(readTree).mockRejectedValueOnce(new Fault('EXECUTION_ERROR', 'list src: no permission'))
    folder.expand('src')
    await flushPromises()
    expect(folder.rows.map((row) => row.kind)).toEqual(['entry', 'fault', 'entry'])
    vi.mocked(readTree).mockResolvedValueOnce({ ...list(files, 'src'), more: true })
    folder.expand('src')
    await flushPromises()
    expect(folder.rows.map((row) => row.kind)).toEqual(['entry', 'entry', 'entry', 'more', 'entry'])
    files = []
    folder.refresh()
    await flushPromises()
    expect(folder.rows.map((row) => row.kind)).toEqual(['empty'])
  })

  it('begins anew in another workspace, whatever is still on its way', async () => {
    const folder = await open()
    folder.expand('src')
    await flushPromises()
    let late: (() => void) | undefined
    vi.mocked(readTree).mockImplementationOnce(async (level) => {
      const old = list(files, level)
      await new Promise<void>((resolve) => {
        late = resolve
      })
      return old
    })
    folder.refresh()
    files = ['other.txt']
    useWindow().state = stateOf({ workspace: { path: '/home/me/other', name: 'other' } })
    await flushPromises()
    late?.()
    await flushPromises()
    expect(shown()).toEqual(['other.txt'])
    expect(folder.expanded.size).toBe(0)
  })

  it('says that the folder is gone, and no longer once it is watched again', async () => {
    const folder = await open()
    news(changed([], { gone: true }))
    expect(folder.gone).toBe(true)
    news(changed([], { full: true }))
    expect(folder.gone).toBe(false)
  })

  it('does not read a folder that is gone', async () => {
    await open()
    vi.mocked(readTree).mockClear()
    news(changed([], { full: true }))
    news(changed([], { gone: true }))
    await settle()
    expect(readTree).not.toHaveBeenCalled()
  })

  it('says that the folder is gone where only the state tells', async () => {
    const folder = useFolder()
    useWindow().state = stateOf({ gone: true })
    await flushPromises()
    expect(folder.gone).toBe(true)
  })

  it('says why not everything is watched, as the state or the last news has it', async () => {
    const folder = useFolder()
    useWindow().state = stateOf({ limited: 'too many folders' })
    await flushPromises()
    expect(folder.limited).toBe('too many folders')
    news(changed(['a']))
    expect(folder.limited).toBe('')
    news(changed(['a'], { limited: 'no more watches' }))
    expect(folder.limited).toBe('no more watches')
  })
})

describe('marks', () => {
  it('of calls go before those of others', async () => {
    const folder = await open()
    const changes = [
      { path: 'README.md', kind: 'modified', added: 1, removed: 1 },
      { path: 'NEW.md', kind: 'created', added: 1, removed: 0 },
      { path: 'OLD.md', kind: 'deleted', added: 0, removed: 1 },
      { path: 'src/date/parser.go', kind: 'modified', added: 1, removed: 1 },
    ]
    files.push('NEW.md')
    useRuns().receive(
      eventsOf([
        ['lifecycle.start', { prompt: '', model: '', maxSteps: 1 }],
        call('1', 'write_file', {}),
        [
          'tool.result',
          { callId: '1', success: true, content: '', durationMs: 1, truncated: false, changes },
        ],
      ]),
    )
    news(changed(['README.md', 'NEW.md', 'OLD.md', 'other.txt']))
    await settle()
    // DESK-09: what was deleted stands where it was.
    expect(shown()).toEqual(['src', 'NEW.md created', 'OLD.md deleted', 'README.md modified'])
    expect(folder.rows[0]?.inside).toBe(true)
    folder.expand('src')
    await flushPromises()
    expect(folder.rows[0]?.inside).toBe(false)
    expect(shown()[1]).toBe('  date')
    expect(folder.rows[1]?.inside).toBe(true)
    files.push('OLD.md')
    news(changed(['OLD.md']))
    await settle()
    expect(shown()).toContain('OLD.md touched')
  })

  it('of others go with the conversation', async () => {
    await open()
    news(changed(['README.md']))
    await settle()
    expect(shown()).toContain('README.md touched')
    useWindow().state = stateOf({ sessionId: 'session-2' })
    await flushPromises()
    expect(shown()).toContain('README.md')
  })

  it('are fresh for 2 s after the last change', async () => {
    const folder = await open()
    news(changed(['README.md']))
    const once = folder.fresh.get('README.md')
    expect(once).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(freshTime - 1)
    news(changed(['README.md']))
    expect(folder.fresh.get('README.md')).not.toBe(once)
    await vi.advanceTimersByTimeAsync(freshTime - 1)
    expect(folder.fresh.size).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(folder.fresh.size).toBe(0)
  })

  it('are kept for the latest 2,000 changes', async () => {
    files = Array.from({ length: 2500 }, (_, i) => `f${i}`)
    await open()
    for (let i = 0; i < 2500; i += 100) news(changed(files.slice(i, i + 100)))
    await settle()
    const marked = useFolder().rows.filter((row) => row.mark === 'touched')
    expect(marked).toHaveLength(2000)
    expect(marked.some((row) => row.name === 'f0')).toBe(false)
  })
})
