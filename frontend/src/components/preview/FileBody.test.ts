import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import { readFile } from '../../api/routes'
import type { DocumentPart, DocumentPreview, FilePreview } from '../../api/types'
import type { MarkedView } from './changed'
import FileBody from './FileBody.vue'

vi.mock('../../api/routes', () => ({ readFile: vi.fn<typeof readFile>() }))
vi.mock('../../api/bridge', () => import('../../testing/bridge'))

/** Stands for the engine's own, which jsdom has not: a test says what is in sight. */
class PretendedObserver {
  static all: PretendedObserver[] = []
  readonly seen: Element[] = []

  constructor(readonly notify: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    PretendedObserver.all.push(this)
  }

  observe(element: Element): void {
    this.seen.push(element)
  }

  unobserve(): void {}
  disconnect(): void {}
}

let body: VueWrapper

const fileOf = (file: Partial<FilePreview>): FilePreview => ({
  path: 'a',
  text: '',
  encoding: '',
  truncated: false,
  binary: false,
  size: 1,
  ...file,
})
const documentOf = (document: DocumentPreview): FilePreview => fileOf({ binary: true, document })

function show(path: string, file: FilePreview, changed: number[] = [], source = false): void {
  body = mount(FileBody, {
    props: { path, file: { ...file, path }, source, changed: new Set(changed) },
    attachTo: document.body,
  })
}

/** Says that elements are in sight, or no longer are. */
async function see(elements: Element[], isIntersecting = true): Promise<void> {
  for (const { notify, seen } of PretendedObserver.all) {
    const entries = seen.filter((one) => elements.includes(one)).map((target) => ({ target, isIntersecting }))
    if (entries.length > 0) notify(entries)
  }
  await flushPromises()
}

beforeEach(() => {
  setActivePinia(createPinia())
  PretendedObserver.all = []
  vi.stubGlobal('IntersectionObserver', PretendedObserver)
  vi.mocked(readFile).mockReset()
  // jsdom draws nothing.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  body.unmount()
  vi.unstubAllGlobals()
})

describe('DOC-04: what a file shows', () => {
  it('is code with its words marked, and the lines that a run wrote', () => {
    show('main.go', fileOf({ text: 'package main\n\nfunc main() {}\n' }), [3])
    expect(body.get('.keyword').text()).toBe('package')
    expect(body.findAll('.mark').map((mark) => mark.attributes('style'))).toEqual(['--from: 2; --count: 1;'])
  })

  it('is Markdown as it reads, with the blocks that a run wrote, or its source', async () => {
    const file = fileOf({ text: '# Plan\n\none *thing*\n' })
    show('notes.md', file, [3])
    expect(body.get('h1').text()).toBe('Plan')
    expect(body.get('[data-changed]').text()).toBe('one thing')
    await body.setProps({ source: true })
    expect(body.get('.lines').text()).toBe('# Plan\n\none *thing*')
  })

  it('is a table, with the rows that a run wrote', () => {
    show('a.csv', fileOf({ text: 'Day,Sum\nMonday,1\nTuesday,2\n' }), [3])
    expect(body.findAll('thead th').map((cell) => cell.text())).toEqual(['Day', 'Sum'])
    expect(body.findAll('[data-changed]').map((row) => row.text())).toEqual(['Tuesday2'])
  })

  it('is only as much of a long table as was scrolled to', async () => {
    show('a.csv', fileOf({ text: 'n\n'.repeat(1000) }))
    expect(body.findAll('tbody tr')).toHaveLength(200)
    await flushPromises()
    await see([body.get('.end').element])
    expect(body.findAll('tbody tr')).toHaveLength(400)
  })

  it('is only as much of a wide table as can be laid out, until more is wanted', async () => {
    show('a.csv', fileOf({ text: `${','.repeat(999)}\n${'n\n'.repeat(999)}` }))
    expect(body.findAll('thead th')).toHaveLength(200)
    expect(body.findAll('tbody tr')).toHaveLength(50)
    expect(body.findAll('tbody td')).toHaveLength(100)
    expect(body.get('tbody td:last-child').attributes('colspan')).toBe('199')
    await body.get('button').trigger('click')
    expect(body.findAll('thead th')).toHaveLength(400)
    expect(body.get('button').text()).toBe('Show more of 600 columns')
  })

  it('is a table of what its name says', () => {
    show('a.tsv', fileOf({ text: 'a,b,c\td\n' }))
    expect(body.findAll('th').map((cell) => cell.text())).toEqual(['a,b,c', 'd'])
  })

  it.each([
    ['main.go', 'package main\n'.repeat(500)],
    ['a.md', 'one\n\n'.repeat(300)],
    ['a.csv', 'n\n'.repeat(600)],
  ])('leads to a line that was not made yet: %s', async (path, text) => {
    show(path, fileOf({ text }), [451])
    const found = await (body.vm as unknown as MarkedView).find(451)
    expect(found?.isConnected).toBe(true)
    expect(body.find('[data-changed]').element).toBe(found)
  })

  it('is a picture', () => {
    const pictures = [{ mediaType: 'image/png', data: 'iVBO' }]
    show('a.png', documentOf({ format: 'picture', text: { pictures } }))
    expect(body.get('img').attributes()).toMatchObject({ src: 'data:image/png;base64,iVBO', alt: 'a.png' })
  })

  it.each([
    [{ format: 'pdf', failure: { reason: 'password' } }, 'The file is protected by a password.'],
    [{ format: 'docx', failure: { reason: 'broken' } }, 'not what its name says.'],
    [{ format: 'docx', failure: { reason: 'too large' } }, 'too large to be shown.'],
    [{ format: 'pdf', failure: { reason: 'too slow' } }, 'takes too long'],
    [{ format: 'pdf', preparing: true }, 'Getting ready to show PDF files.'],
    [{ format: 'docx', failure: { reason: 'other format' } }, 'in another format'],
    [{ format: 'docx', failure: { reason: 'empty' } }, 'The file is empty.'],
    [{ format: 'docx', failure: { reason: 'of a version to come' } }, 'is broken'],
    [{ format: '', instead: ['JPEG', 'PNG'] }, 'Save a copy as JPEG or PNG'],
  ])('is the reason why it cannot be shown: %j', (document, want) => {
    show('a', documentOf(document))
    expect(body.text()).toContain(want)
  })

  it('is its text where the document cannot be read', () => {
    show('a.html', fileOf({ text: '<p>', document: { format: 'html', failure: { reason: 'broken' } } }))
    expect(body.get('.lines').text()).toBe('<p>')
  })
})

describe('DOC-04: the text of a document', () => {
  it('of a page of the web is Markdown, and can be shown as it is written', async () => {
    const parts = [{ first: 1, last: 1, text: '# Soup\n\nfor **forty**\n' }]
    show('a.html', fileOf({ text: '<h1>Soup</h1>', document: { format: 'html', text: { parts } } }))
    expect(body.get('h1').text()).toBe('Soup')
    expect(body.get('strong').text()).toBe('forty')
    await body.setProps({ source: true })
    expect(body.get('.lines').text()).toBe('<h1>Soup</h1>')
  })

  it('of a page of the web has the signs of its text, and says where it ends early', () => {
    const parts = [{ first: 1, last: 1, text: 'Vec&#60;T&#62; &#42;a&#42; &#91;b&#93;(c)\n' }]
    show('a.html', fileOf({ text: '<p>', document: { format: 'html', text: { parts, cut: true } } }))
    expect(body.text()).toBe('Vec<T> *a* [b](c)\nThe file goes on; only its beginning is shown.')
  })

  it('says that there is none', () => {
    const parts = [{ first: 1, last: 1, text: '\n' }]
    show('a.html', fileOf({ text: '<p>', document: { format: 'html', text: { parts } } }))
    expect(body.text()).toBe('No text.')
  })

  it('says what it hides, and what is cut', () => {
    const parts = [
      { first: 1, last: 0, sheet: 'Empty', text: '' },
      { first: 1, last: 1, sheet: 'Rates', hidden: true, text: '|  | A |\n|---|---|\n| 1 | x |\n' },
    ]
    show('a.xlsx', documentOf({ format: 'xlsx', text: { unit: 'row', parts, notes: ['cells are cut'] } }))
    expect(body.findAll('h3').map((one) => one.text())).toEqual(['Empty', 'Rates (hidden)'])
    expect(body.text()).toContain('What is very long or wide is cut.')
  })

  it('has its links, which open outside', () => {
    const parts = [{ first: 1, last: 1, text: 'See [the terms](https://a.test/).' }]
    show('a.docx', documentOf({ format: 'docx', text: { parts } }))
    expect(body.get('.text').text()).toBe('See the terms.')
    expect(body.get('a').attributes('href')).toBe('https://a.test/')
    const event = new MouseEvent('click', { bubbles: true, cancelable: true })
    expect(body.get('a').element.dispatchEvent(event)).toBe(false)
  })

  const rows = (first: number, last: number): DocumentPart => ({
    first,
    last,
    sheet: 'Orders',
    text: `|  | A |\n|---|---|\n${Array.from({ length: last - first + 1 }, (_, i) => `| ${first + i} | x |\n`).join('')}`,
  })

  it('has its headings and tables, and takes nothing else for marks', () => {
    const text = '## Title\n2 * 3 * 4\n\n| A | B |\n|---|---|\n| 1 | 2 |\n'
    show(
      'a.pptx',
      documentOf({ format: 'pptx', text: { unit: 'slide', total: 3, parts: [{ first: 1, last: 1, text }] } }),
    )
    expect(body.findAll('h3, h4').map((one) => one.text())).toEqual(['Slide 1 of 3', 'Title'])
    expect(body.get('.text').text()).toBe('2 * 3 * 4')
    expect(body.findAll('td').map((cell) => cell.text())).toEqual(['1', '2'])
  })

  it('goes on when more is wanted, below one heading for a sheet', async () => {
    show('a.xlsx', documentOf({ format: 'xlsx', text: { unit: 'row', parts: [rows(1, 2)], next: 3 } }))
    vi.mocked(readFile).mockResolvedValue(
      documentOf({ format: 'xlsx', text: { unit: 'row', parts: [rows(3, 4)] } }),
    )
    await body.get('button').trigger('click')
    await flushPromises()
    expect(readFile).toHaveBeenCalledExactlyOnceWith('a.xlsx', 3)
    expect(body.findAll('h3').map((one) => one.text())).toEqual(['Orders'])
    expect(body.findAll('th[scope=row]').map((one) => one.text())).toEqual(['1', '2', '3', '4'])
    expect(body.find('button').exists()).toBe(false)
  })

  it('says why it does not go on, and can be asked again', async () => {
    const text = { unit: 'row', parts: [rows(1, 2)], next: 3 }
    show('a.xlsx', documentOf({ format: 'xlsx', text }))
    vi.mocked(readFile).mockResolvedValue(documentOf({ format: 'xlsx', failure: { reason: 'too slow' } }))
    await body.get('button').trigger('click')
    await flushPromises()
    expect(body.get('[role=alert]').text()).toBe('Reading the file takes too long.')
    expect(body.get('button').attributes('disabled')).toBeUndefined()
    vi.mocked(readFile).mockRejectedValue(new Fault('UNREACHABLE', 'x'))
    await body.get('button').trigger('click')
    await flushPromises()
    expect(body.get('button').text()).toBe('Try again')
    await body.setProps({ file: documentOf({ format: 'xlsx', text: { ...text } }) })
    expect(body.get('button').text()).toBe('Show more')
  })
})

describe('DOC-04: the pages of a PDF file', () => {
  const word = (text: string, left: number) => ({ text, left, top: 1000, width: 500, height: 200 })
  const page = (number: number): DocumentPart => ({
    first: number,
    last: number,
    text: '',
    layout: {
      mediaType: 'image/jpeg',
      data: `page${number}`,
      lines: [[word('Page ', 1000), word(`${number}`, 1500)]],
    },
  })
  const pdf = (parts: DocumentPart[], total = 40): FilePreview =>
    documentOf({ format: 'pdf', text: { unit: 'page', total, parts, sizes: [{ width: 600, height: 800 }] } })
  const pages = () => body.findAll('[role=group]')

  it('are there with their places, and read when they are in sight', async () => {
    show('a.pdf', pdf([page(1)]))
    expect(pages()).toHaveLength(40)
    expect(pages()[0]?.attributes('aria-label')).toBe('Page 1 of 40')
    expect(pages()[0]?.get('img').attributes('src')).toBe('data:image/jpeg;base64,page1')
    expect(pages()[0]?.get('.line').text()).toBe('Page 1')
    expect(readFile).not.toHaveBeenCalled()
    vi.mocked(readFile).mockImplementation(async (_, number = 0) => pdf([page(number)]))
    await see(
      pages()
        .slice(7, 9)
        .map((one) => one.element),
    )
    expect(vi.mocked(readFile).mock.calls).toEqual([
      ['a.pdf', 8],
      ['a.pdf', 9],
    ])
    expect(pages()[8]?.get('.line').text()).toBe('Page 9')
  })

  it('are forgotten when many others were looked at since', async () => {
    vi.mocked(readFile).mockImplementation(async (_, number = 0) => pdf([page(number)]))
    show('a.pdf', pdf([page(1)]))
    for (let at = 1; at < 40; at++) {
      const element = pages()[at]?.element
      if (!element) continue
      await see([element])
      await see([element], false)
    }
    expect(pages().filter((one) => one.find('img').exists()).length).toBeLessThan(15)
  })

  it('are read anew when the file has changed, and say which cannot be shown', async () => {
    show('a.pdf', pdf([page(1)], 2))
    await see(
      pages()
        .map((one) => one.element)
        .slice(0, 1),
    )
    vi.mocked(readFile).mockImplementation(async (_, number = 0) =>
      pdf([{ first: number, last: number, text: '' }], 2),
    )
    await see(pages().map((one) => one.element))
    expect(pages()[1]?.text()).toBe('This page cannot be shown. Try again')
    vi.mocked(readFile).mockImplementation(async (_, number = 0) => pdf([page(number)], 2))
    await body.setProps({ file: pdf([page(1)], 2) })
    await flushPromises()
    expect(pages()[1]?.get('.line').text()).toBe('Page 2')
  })

  it('say why one was not read, and are read once more when that is wanted', async () => {
    show('a.pdf', pdf([page(1)], 3))
    vi.mocked(readFile)
      .mockRejectedValueOnce(new Fault('UNREACHABLE', 'x'))
      .mockResolvedValueOnce(documentOf({ format: 'pdf', failure: { reason: 'too slow' } }))
    await see(pages().map((one) => one.element))
    expect(pages()[1]?.get('[role=alert]').text()).toContain('Try again')
    expect(pages()[2]?.text()).toContain('Reading the file takes too long.')
    vi.mocked(readFile).mockImplementation(async (_, number = 0) => pdf([page(number)], 3))
    for (const at of [1, 2]) await pages()[at]?.get('button').trigger('click')
    await flushPromises()
    expect(pages().map((one) => one.get('.line').text())).toEqual(['Page 1', 'Page 2', 'Page 3'])
  })
})
