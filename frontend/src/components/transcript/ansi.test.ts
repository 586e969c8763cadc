// @vitest-environment node
import { describe, expect, test } from 'vitest'

import { AnsiText, spansOf } from './ansi'

const escape = '\u001b'
const text = (raw: string) =>
  spansOf(raw)
    .map((span) => span.text)
    .join('')

test('weight and lines are followed, color is not', () => {
  expect(spansOf(`${escape}[1mFAIL${escape}[0m ${escape}[31mred${escape}[39m`)).toEqual([
    { text: 'FAIL', style: 'sgr-bold' },
    { text: ' red', style: '' },
  ])
})

test('styles add up and end one by one', () => {
  expect(spansOf(`${escape}[1;4ma${escape}[22mb${escape}[mc`)).toEqual([
    { text: 'a', style: 'sgr-bold sgr-underline' },
    { text: 'b', style: 'sgr-underline' },
    { text: 'c', style: '' },
  ])
})

test('numbers of a color are no styles', () => {
  expect(spansOf(`${escape}[38;5;1mx${escape}[48;2;1;3;4my`)).toEqual([{ text: 'xy', style: '' }])
})

test.each([
  ['moves of the cursor', `a${escape}[2K${escape}[1;1Hb`, 'ab'],
  ['titles', `a${escape}]0;title\u0007b`, 'ab'],
  ['links', `${escape}]8;;https://away.example\u001b\\text${escape}]8;;\u001b\\`, 'text'],
  ['sets of signs', `a${escape}(Bb`, 'ab'],
  ['bells and backspaces', 'a\u0007\u0008b\u007f', 'ab'],
  ['tabs stay', 'a\tb', 'a\tb'],
  ['a lone escape at the end', `a${escape}`, 'a'],
  ['Chinese and emoji', '中文 👍', '中文 👍'],
])('%s', (_, raw, want) => expect(text(raw)).toBe(want))

describe('a return', () => {
  test('begins the line anew', () => expect(text('10%\r50%\r100%\ndone')).toBe('100%\ndone'))
  test('before a line break is none', () => expect(text('a\r\nb\r\n')).toBe('a\nb\n'))
})

test('cut anywhere, it is the same', () => {
  const raw = `one${escape}[1mtwo${escape}[0m\r\n${escape}]0;t\u0007three\r4\n${escape}[7mfive`
  for (let cut = 1; cut < raw.length; cut++) {
    const reader = new AnsiText()
    reader.push(raw.slice(0, cut))
    reader.push(raw.slice(cut))
    expect(reader.chunks().flatMap((chunk) => chunk.spans)).toEqual(spansOf(raw))
  }
})

test('what was shown is not made again', () => {
  const reader = new AnsiText()
  reader.push('line\n'.repeat(250))
  const before = reader.chunks()
  reader.push('line\n')
  const after = reader.chunks()
  expect(before).toHaveLength(3)
  expect(after[0]).toBe(before[0])
  expect(after[1]).toBe(before[1])
  expect(after[2]?.spans[0]?.text).toHaveLength(5 * 51)
})

test('a sequence that never ends hides no more than itself', () => {
  const reader = new AnsiText()
  reader.push(`a${escape}]0;${'x'.repeat(5000)}`)
  reader.push('b')
  expect(reader.chunks().flatMap((chunk) => chunk.spans)).toEqual([{ text: 'ab', style: '' }])
})
