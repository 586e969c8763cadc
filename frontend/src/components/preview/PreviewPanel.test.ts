import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import { readFile, readReviewText } from '../../api/routes'
import type { FilePreview } from '../../api/types'
import { usePreview } from '../../stores/preview'
import { useReview } from '../../stores/review'
import { useWindow } from '../../stores/window'
import { row, twoParts } from '../../testing/review'
import { stateOf } from '../../testing/workspace'
import { announce } from '../base/announce'
import { numbersOf, type Stretch, stretchesOf } from './lines'
import PreviewPanel from './PreviewPanel.vue'

vi.mock('../../api/events', () => ({ onEvents: vi.fn<() => void>(), onNews: vi.fn<() => void>() }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
vi.mock('../../api/routes', () => ({
  readFile: vi.fn<typeof readFile>(),
  readEvents: vi.fn<() => void>(),
  readReview: vi.fn<() => Promise<unknown>>().mockResolvedValue({ rows: [], aside: [] }),
  readReviewText: vi.fn<typeof readReviewText>(),
}))

let panel: VueWrapper

async function open(file: Partial<FilePreview>): Promise<void> {
  vi.mocked(readFile).mockResolvedValue({
    path: 'src/date/parser.go',
    text: '',
    encoding: '',
    truncated: false,
    binary: false,
    size: 2048,
    ...file,
  })
  usePreview().open('src/date/parser.go')
  await flushPromises()
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.mocked(readFile).mockReset()
  useWindow().state = stateOf()
  panel = mount(PreviewPanel, { attachTo: document.body })
})

afterEach(() => panel.unmount())

describe('the preview', () => {
  it('says what to do when no file is open', () => {
    expect(panel.text()).toBe('Choose a file to look at it here.')
  })

  it('shows the text with line numbers, and the path with its name', async () => {
    await open({ text: 'package date\n\nfunc x() {}\n', encoding: 'GBK' })
    expect(panel.get('h2 .name').text()).toBe('parser.go')
    expect(panel.get('header').text()).toContain('2.0 KB')
    expect(panel.get('header').text()).toContain('GBK')
    expect(panel.get('.numbers').element.textContent).toBe('1\n2\n3')
    expect(panel.get('.lines').element.textContent).toBe('package date\n\nfunc x() {}')
    expect(panel.get('[role=region]').attributes()).toMatchObject({
      tabindex: '0',
      'aria-label': 'Content of the file',
    })
  })

  it('DESK-09: goes to the line that is asked for, in the source, and marks it', async () => {
    const scrolled = vi.fn<() => void>()
    Element.prototype.scrollIntoView = scrolled
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i + 1}`).join('\n')
    await open({ path: 'notes.md', text: lines })
    expect(panel.find('[data-at]').exists()).toBe(false)
    const preview = usePreview()
    preview.open('src/date/parser.go', 'preview', 341)
    await flushPromises()
    const mark = panel.get('[data-at]')
    expect(mark.attributes()).toMatchObject({ 'data-line': '341', style: '--from: 140;' })
    expect(scrolled.mock.contexts).toEqual([mark.element])
    expect(announce).toHaveBeenLastCalledWith('Line 341')
    // What is read again stays where it was scrolled to; who asks again gets there again.
    vi.mocked(readFile).mockResolvedValueOnce({ ...(preview.file as FilePreview) })
    await preview.read()
    await flushPromises()
    expect(scrolled).toHaveBeenCalledOnce()
    preview.open('src/date/parser.go', 'preview', 341)
    await flushPromises()
    expect(scrolled).toHaveBeenCalledTimes(2)
    preview.open('src/date/parser.go', 'preview', 900)
    await flushPromises()
    expect(panel.find('[data-at]').exists()).toBe(false)
    expect(announce).toHaveBeenLastCalledWith('The part that is shown has no line 900')
  })

  it('shows text as text, with nothing hidden in it', async () => {
    await open({ text: '<script>alert(1)</script>\u202E' })
    expect(panel.find('script').exists()).toBe(false)
    expect(panel.get('.lines').text()).toBe('<script>alert(1)</script>‹U+202E›')
  })

  it.each([
    [{ binary: true }, 'This file is no text.'],
    [{ text: '' }, 'The file is empty.'],
    [{ text: 'a', truncated: true }, 'The file goes on; only its beginning is shown.'],
  ])('says what there is to say of %j', async (file, want) => {
    await open(file)
    expect(panel.text()).toContain(want)
  })

  it('says why there is nothing to see', async () => {
    vi.mocked(readFile).mockRejectedValue(new Fault('DENIED_FILE', '.env holds secrets'))
    usePreview().open('.env')
    await flushPromises()
    expect(panel.get('[role=alert]').text()).toContain('The file holds keys or passwords and is not shown.')
  })

  it('has the focus once a file is opened, and Esc closes it', async () => {
    await open({ text: 'a' })
    expect(document.activeElement).toBe(panel.element)
    await panel.trigger('keydown', { key: 'Escape', isComposing: true })
    expect(usePreview().path).not.toBeNull()
    await panel.get('[role=region]').trigger('keydown', { key: 'Escape' })
    expect(usePreview().path).toBeNull()
    await open({ text: 'a' })
    await panel.get('button[aria-label="Close the file"]').trigger('click')
    expect(usePreview().path).toBeNull()
  })
})

describe('DOC-04: the changed lines of a file', () => {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`)
  const far = lines.with(0, 'eins').with(41, 'weg').join('\n')
  const into: string[] = []

  /** Opens a file whose lines 1 and 42 the run wrote. */
  async function openChanged(path: string, file: Partial<FilePreview>): Promise<void> {
    into.length = 0
    Element.prototype.scrollIntoView = function (this: Element) {
      into.push(this.getAttribute('data-line') ?? this.textContent.trim())
    }
    vi.mocked(readReviewText).mockResolvedValue({ text: true, diff: twoParts, hunks: true, taken: [] })
    await open({ path, text: far, ...file })
    useReview().rows = [row('1', 'src/date/parser.go', { after: { mode: '644', size: 2048 } })]
    await flushPromises()
  }
  const next = async () => {
    await panel.get('button[title="To the next change"]').trigger('click')
    await flushPromises()
  }

  it('are gone to one after the other, however they are shown, and are told', async () => {
    await openChanged('src/date/parser.go', {})
    for (let i = 0; i < 3; i++) await next()
    expect(into).toEqual(['1', '42', '1'])
    expect(announce).toHaveBeenCalledWith('Line 42 is changed')
  })

  it('are shown in the source where what is read has no lines', async () => {
    const parts = [{ first: 1, last: 1, text: 'one\n' }]
    await openChanged('a.html', { document: { format: 'html', text: { parts } } })
    expect(panel.find('.lines').exists()).toBe(false)
    await next()
    expect(into).toEqual(['1'])
    expect(usePreview().source).toBe(true)
  })
})

/** The text of a stretch. */
const textOf = (stretch?: Stretch): string | undefined => stretch?.tokens.map(({ text }) => text).join('')

describe('stretches of lines', () => {
  it('make up the text, each with its numbers', () => {
    const lines = Array.from({ length: 450 }, (_, i) => `line ${i + 1}`)
    const stretches = stretchesOf(`${lines.join('\n')}\n`)
    expect(stretches.map(({ first, count }) => [first, count])).toEqual([
      [1, 200],
      [201, 200],
      [401, 50],
    ])
    expect(stretches.map(textOf).join('\n')).toBe(lines.join('\n'))
    expect(stretches.map(numbersOf).join('\n').split('\n')).toHaveLength(450)
  })

  it('leave out a CR only where every line has it', () => {
    expect(textOf(stretchesOf('a\r\nb\r\n')[0])).toBe('a\nb')
    expect(textOf(stretchesOf('a\r\nb\n')[0])).toBe('a\r\nb')
    expect(textOf(stretchesOf('a\rb\r\n')[0])).toBe('a\rb\r')
    expect(textOf(stretchesOf('\n\r\n')[0])).toBe('\n\r')
    expect(stretchesOf('')).toEqual([{ first: 1, count: 1, tokens: [] }])
  })
})
