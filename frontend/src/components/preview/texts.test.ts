// @vitest-environment node
import { describe, expect, it, test } from 'vitest'

import { tokensOf } from '../../markdown/highlight'
import { addedLines, anyOf } from './changed'
import { textBlocks, textPieces } from './documentText'
import { kindOf, languageOf } from './languages'
import { runsOf, stretchesOf } from './lines'
import { rowsOf, separatorOf } from './table'

describe('DOC-04: the rows of a table', () => {
  const cells = (text: string) => rowsOf(text).map((row) => row.cells)

  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      '"a, b",c\n"say ""no""",2\n',
      [
        ['a, b', 'c'],
        ['say "no"', '2'],
      ],
    ],
    [
      'a,"two\nlines"\n\n1,2',
      [
        ['a', 'two\nlines'],
        ['1', '2'],
      ],
    ],
    ['a,"open\nend', [['a', 'open\nend']]],
    ['"a"b,c', [['ab', 'c']]],
    [
      '日期,金额\n2025年,￥1',
      [
        ['日期', '金额'],
        ['2025年', '￥1'],
      ],
    ],
    ['', []],
  ])('of %j', (text, want) => {
    expect(cells(text)).toEqual(want)
  })

  it('know their lines', () => {
    expect(rowsOf('a,"two\nlines"\n\n1,2').map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [4, 4],
    ])
  })

  it('are separated by what stands most often in the first', () => {
    expect(separatorOf('"a,b,c";d\n1,2,3,4')).toBe(';')
    expect(separatorOf('one')).toBe(',')
  })
})

describe('DOC-04: the text of a document', () => {
  it('has headings and tables, and all else as it is', () => {
    expect(
      textBlocks('# Title\nA *b* c\n  1.1 in\n\n| A | B |\n|---|---|\n| 1\\|2 | x<br>y |\nend\n'),
    ).toEqual([
      { kind: 'heading', level: 1, text: 'Title' },
      { kind: 'text', text: 'A *b* c\n  1.1 in' },
      {
        kind: 'table',
        rows: [
          ['A', 'B'],
          ['1|2', 'x\ny'],
        ],
      },
      { kind: 'text', text: 'end' },
    ])
  })

  it('has links that lead outside', () => {
    expect(textPieces('See [the terms](https://a.test/b%281%29), [x](file:///etc) or [no](\n).')).toEqual([
      { text: 'See ' },
      { text: 'the terms', href: 'https://a.test/b%281%29' },
      { text: ', [x](file:///etc) or [no](\n).' },
    ])
  })

  it('is no table without a rule below its head', () => {
    expect(textBlocks('| A |\n| B |\n')).toEqual([{ kind: 'text', text: '| A |\n| B |' }])
    expect(textBlocks('\n\n')).toEqual([])
  })
})

describe('DOC-04: code', () => {
  it('keeps its text, with its words marked', () => {
    const code = 'if (a < "b & \'c\'") { /* d */ return `${x}` }\n'
    const tokens = tokensOf(code, 'javascript')
    expect(tokens.map(({ text }) => text).join('')).toBe(code)
    expect(tokens.find(({ text }) => text === 'if')?.kind).toBe('keyword')
    expect(tokens.find(({ text }) => text.includes('/* d */'))?.kind).toBe('comment')
    expect(tokens.find(({ text }) => text.includes('b & '))?.kind).toBe('string')
  })

  it('is plain in a language that is not known', () => {
    expect(tokensOf('a <b>', 'klingon')).toEqual([{ text: 'a <b>', kind: '' }])
  })

  it('is cut into stretches within a comment too', () => {
    const code = `/*\n${'x\n'.repeat(300)}*/\nreturn`
    const stretches = stretchesOf(code, 'go')
    expect(stretches.map(({ first, count }) => [first, count])).toEqual([
      [1, 200],
      [201, 103],
    ])
    expect(stretches.map(({ tokens }) => tokens[0]?.kind)).toEqual(['comment', 'comment'])
    expect(stretches.map(({ tokens }) => tokens.map(({ text }) => text).join('')).join('\n')).toBe(code)
  })

  it('has runs of lines that a run wrote', () => {
    const [, second] = stretchesOf('x\n'.repeat(300))
    expect(second && runsOf(second, new Set([5, 201, 202, 300]))).toEqual([
      { from: 0, count: 2 },
      { from: 99, count: 1 },
    ])
  })
})

test('DOC-04: what a diff adds is marked', () => {
  const lines = addedLines('--- a\n+++ a\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n d\n')
  expect([...lines]).toEqual([2, 3])
  expect([anyOf(lines, 1, 1), anyOf(lines, 1, 2), anyOf(lines, 3, 9), anyOf(lines, 4, 9)]).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('a name says what a file is', () => {
  expect([languageOf('src/a.TS'), languageOf('Makefile'), languageOf('a.b/c')]).toEqual([
    'typescript',
    '',
    '',
  ])
  expect(['README.md', 'a.csv', 'a.tsv', 'md'].map(kindOf)).toEqual(['markdown', 'table', 'table', 'text'])
})
