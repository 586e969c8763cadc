import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { type News, onNews } from '../../api/events'
import { readKnown } from '../../api/routes'
import { usePreview } from '../../stores/preview'
import { useWindow } from '../../stores/window'
import { changed, stateOf } from '../../testing/workspace'
import MessageText from './MessageText.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<typeof onNews>() }))
vi.mock('../../api/routes', () => import('../../testing/routes'))

let page: VueWrapper
let news: ((news: News) => void)[]

const text =
  'See `src/x.go:41`, `src/x.go`, `gone.go` and [the notes](./notes.md).\n\n```\nsrc/x.go\n```\n\n[docs/a.md](docs/a.md) `go test`'
const links = () => page.findAll('[role=link]')
const settle = async () => {
  await vi.advanceTimersByTimeAsync(100)
  await flushPromises()
}

beforeEach(() => {
  news = []
  vi.useFakeTimers()
  setActivePinia(createPinia())
  useWindow().state = stateOf()
  vi.mocked(onNews).mockImplementation((listener) => {
    news.push(listener)
    return () => {}
  })
  vi.mocked(readKnown)
    .mockReset()
    .mockImplementation(async (names) => ({
      files: names
        .filter((name) => name !== 'gone.go')
        .map((name) => ({ name, path: name.replace(/^\.\//, '') })),
    }))
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

it('DESK-09: what an answer names of the folder leads to the preview, at its line', async () => {
  page = mount(MessageText, { props: { text, live: false }, attachTo: document.body })
  await settle()
  expect(readKnown).toHaveBeenCalledExactlyOnceWith(['src/x.go', 'gone.go', 'docs/a.md'])
  expect(links().map((link) => link.text())).toEqual(['src/x.go:41', 'src/x.go', 'docs/a.md'])
  const [first, second] = links()
  expect(first?.attributes()).toMatchObject({
    tabindex: '0',
    'aria-label': 'Open src/x.go:41',
    title: 'Open src/x.go at line 41',
  })
  const open = vi.spyOn(usePreview(), 'open')
  await first?.trigger('keydown', { key: 'Enter', isComposing: true })
  await first?.trigger('keydown', { key: 'a' })
  expect(open).not.toHaveBeenCalled()
  await first?.trigger('keydown', { key: 'Enter' })
  await second?.trigger('click')
  expect(open.mock.calls).toEqual([
    ['src/x.go', 'preview', 41],
    ['src/x.go', 'preview', 0],
  ])
})

it('DESK-09: nothing is looked up while an answer is written', async () => {
  page = mount(MessageText, { props: { text: '`src/x.go` and', live: true }, attachTo: document.body })
  await settle()
  await page.setProps({ text: '`src/x.go` and more' })
  await settle()
  expect(readKnown).not.toHaveBeenCalled()
  await page.setProps({ live: false })
  await settle()
  expect(links().map((link) => link.text())).toEqual(['src/x.go'])
})

it('DESK-09: many names are asked about together, once, until something changes', async () => {
  const many = Array.from({ length: 130 }, (_, i) => `\`a/${i}.go\``).join(' ')
  const one = () => mount(MessageText, { props: { text: many, live: false } })
  page = one()
  await settle()
  expect(vi.mocked(readKnown).mock.calls.map(([names]) => names.length)).toEqual([100])
  page.unmount()
  page = one()
  await settle()
  expect(readKnown).toHaveBeenCalledOnce()
  expect(links()).toHaveLength(100)
  page.unmount()
  for (const each of news) each(changed(['a/1.go']))
  page = one()
  await settle()
  expect(readKnown).toHaveBeenCalledTimes(2)
})

it('DESK-09: a model cannot make a link of its own', async () => {
  page = mount(MessageText, {
    props: { text: '<code data-path="/etc/passwd" role="link">x</code>', live: false },
    attachTo: document.body,
  })
  await settle()
  expect(page.html()).not.toContain('data-path')
})
