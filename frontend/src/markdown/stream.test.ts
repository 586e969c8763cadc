import { describe, expect, test, vi } from 'vitest'

import { BlockStream, placedBlocks, type Block } from './stream'

// The sanitiser has tests of its own; in jsdom it takes a hundred times as long as in an engine.
vi.mock('./sanitize', () => ({ sanitize: (html: string) => html }))

const document = `# Title

A paragraph with **bold**, *italic*, \`code\` and ~~struck~~ text,
over two lines. 中文与 English 混排，**加粗** 也可以。

1. first

2. second
   with more

   and a paragraph

3. third

- a
- b
  - nested

    text
* other bullet

> quote
> more

\`\`\`go
func main() {
	fmt.Println("hi") // a comment
}
\`\`\`
text right after
***bold italic*** after a hash #tag

| a | b |
|---|--:|
| 1 | 2 |
| [x](https://example.com/x) | \`y\` |

Setext
------

- [ ] open
- [x] done

    indented code

<div>html <b>text</b></div>

Line one  
Line two with https://example.com/auto and [ref][known].

***

- item
10 bottles
#hash at the beginning

\`\`\`
no language
\`\`\`

[known]: https://example.com/known
[used]: https://example.com/used
'title'

Then [used] and the end`

function blocksOf(text: string): readonly Block[] {
  return new BlockStream().end(text)
}

/** Feeds a text in pieces; what the reader saw before the end, and the end. */
function feed(text: string, cuts: Iterable<number>) {
  const stream = new BlockStream()
  for (const cut of cuts) stream.update(text.slice(0, cut))
  const before = stream.update(text)
  return { stream, before, after: stream.end(text) }
}

function* everyCut(text: string, step: number, first: number) {
  for (let cut = first; cut < text.length; cut += step) yield cut
}

describe('text that comes in pieces shows what whole text shows', () => {
  const early = document.replace('[ref][known]', 'a reference')
  const want = blocksOf(early)

  test.each([1, 2, 3, 5, 7, 11, 13, 29, 64, 200])('%i characters at a time', (step) => {
    for (let first = 1; first <= Math.min(step, 8); first++) {
      const { before, after } = feed(early, everyCut(early, step, first))
      expect(after).toEqual(want)
      // Nothing but what was unfinished changes at the end.
      expect(before.slice(0, -2)).toEqual(want.slice(0, before.length - 2))
    }
  })

  test.each(Array.from({ length: 40 }, (_, i) => Math.floor((document.length * (i + 1)) / 41)))(
    'in two pieces, cut at %i',
    (cut) => {
      const { before, after } = feed(early, [cut])
      expect(after).toEqual(want)
      expect(before.slice(0, -2)).toEqual(want.slice(0, before.length - 2))
    },
  )
})

test('blocks that are final keep their identity to the end', () => {
  const stream = new BlockStream()
  let cut = 0
  let before = stream.update('')
  const seen = new Map<number, Block>()
  for (; cut <= document.length; cut += 3) {
    const now = stream.update(document.slice(0, cut))
    for (const block of before.slice(0, -3)) {
      expect(block).toBe(seen.get(block.id) ?? block)
      seen.set(block.id, block)
    }
    before = now
  }
  expect(seen.size).toBeGreaterThan(10)
})

test('a link that is used before it is defined becomes one at the end', () => {
  const text = 'See [there] first.\n\nAnd then this.\n\n[there]: https://example.com/\n'
  const { before, after } = feed(text, everyCut(text, 4, 1))
  expect(htmlOf(before)).not.toContain('<a')
  expect(htmlOf(after)).toContain('<a href="https://example.com/">there</a>')
  expect(after[1]).toBe(before[1])
})

test('the first definition of a name counts, also half written', () => {
  const text = '[a]: https://one.example/\n\n[a]: https://two.example/\n\n[a]'
  const { before, after } = feed(text, everyCut(text, 1, 1))
  expect(htmlOf(before)).toContain('href="https://one.example/"')
  expect(htmlOf(after)).toContain('href="https://one.example/"')
})

test('a fence that is never closed is code to the end', () => {
  const { before, after } = feed('Look:\n\n```ts\nconst a = 1\n', [3, 12, 20])
  expect(before.at(-1)).toEqual({ kind: 'code', id: 1, language: 'ts', code: 'const a = 1', html: '' })
  expect(after.at(-1)).toMatchObject({
    code: 'const a = 1',
    html: expect.stringContaining('hljs-keyword') as string,
  })
})

test('unfinished marks look as they will', () => {
  const stream = new BlockStream()
  expect(htmlOf(stream.update('This is **bol'))).toBe('<p>This is <strong>bol</strong></p>\n')
  expect(htmlOf(stream.update('This is **bold** and `co'))).toContain('<code>co</code>')
  expect(htmlOf(stream.update('This is **bold** and `code` [lin'))).not.toContain('[')
  expect(htmlOf(stream.update('This is **bold** and `code` [link](https://exa'))).not.toContain('https')
})

test('line breaks of every system, cut anywhere', () => {
  const text = 'a\r\n\r\n- b\r- c\r\n\r\n```\r\nx\r\ny\r\n```\r\n\r\nd'
  const { before, after } = feed(text, everyCut(text, 1, 1))
  expect(before).toEqual(blocksOf('a\n\n- b\n- c\n\n```\nx\ny\n```\n\nd'))
  expect(after).toEqual(before)
})

test('a text that goes on after its end is read again', () => {
  const stream = new BlockStream()
  stream.end('One.\n\nTw')
  expect(stream.end('One.\n\nTwo.')).toEqual(blocksOf('One.\n\nTwo.'))
})

test('Chinese is kept as it is', () => {
  const text = '## 标题\n\n**加粗**：「引号」、`代码`。\n\n- 一\n- 二\n'
  const { after } = feed(text, everyCut(text, 1, 1))
  expect(htmlOf(after)).toContain('<strong>加粗</strong>：「引号」、<code>代码</code>。')
})

test('the work of a flush is that of the tail', () => {
  const stream = new BlockStream()
  let text = ''
  for (let i = 0; i < 200; i++) {
    text += `Paragraph number ${i} with some **words** in it.\n\n`
    stream.update(text)
    expect(stream.cost).toBeLessThan(200)
  }
})

test('a growing table costs its whole length, growing code nothing', () => {
  const stream = new BlockStream()
  stream.update(`| a |\n|---|\n${'| cell |\n'.repeat(2000)}`)
  expect(stream.cost).toBeGreaterThan(8192)
  const code = new BlockStream()
  code.update(`\`\`\`\n${'line\n'.repeat(4000)}`)
  expect(code.cost).toBe(0)
})

function htmlOf(blocks: readonly Block[]): string {
  return blocks.map((block) => block.html).join('')
}

test('a table that would have far more cells than text is shown as it was written', () => {
  const wide = (columns: number, rows: number) =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'x\n'.repeat(rows)}\nend`
  const html = (text: string) =>
    placedBlocks(text)
      .map(({ block }) => (block.kind === 'html' ? block.html : ''))
      .join('')
  expect(html(wide(20, 400))).toContain('<table>')
  for (const [columns, rows] of [
    [50_000, 10_000],
    [2000, 20_000],
    [300, 300],
  ] as const) {
    const shown = html(wide(columns, rows))
    expect(shown).not.toContain('<table>')
    expect(shown).toContain('|a|a|')
  }
  const honest = html(`${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${`${'|x'.repeat(300)}|\n`.repeat(300)}`)
  expect(honest.split('<td>')).toHaveLength(300 * 300 + 1)
})

test('what is nested too deep to be read is shown as it was written', () => {
  const deep = '>'.repeat(20_000)
  const stream = new BlockStream()
  expect(stream.update('Before.\n\n').map(textOf)).toEqual(['<p>Before.</p>'])
  expect(stream.update(`Before.\n\n${deep}`).map(textOf)).toContain(`Before.\n\n${deep}`)
  expect(stream.end(`Before.\n\n${deep} end`).map(textOf)).toEqual([`Before.\n\n${deep} end`])
})

function textOf(block: Block): string {
  return block.kind === 'code' ? block.code : block.html.trim()
}

test('the blocks of a whole text know their lines', () => {
  const placed = placedBlocks(
    '# One\r\n\r\ntwo\r\nmore\r\n\r\n[a]: https://go.dev\r\n\r\n```go\r\nx\r\n```\r\n',
  )
  expect(placed.map(({ block, first, last }) => [block.kind, block.id, first, last])).toEqual([
    ['html', 0, 1, 1],
    ['html', 1, 3, 4],
    ['code', 2, 8, 10],
  ])
})
