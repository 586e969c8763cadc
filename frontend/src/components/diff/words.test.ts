// @vitest-environment node
import { describe, expect, it } from 'vitest'

import { changedWords } from './words'

const marked = (line: string, other: string, kind: 'added' | 'removed') =>
  changedWords(line, other, kind)
    .map((word) => (word.changed ? `[${word.text}]` : word.text))
    .join('')

describe('changed words', () => {
  it('points out what is different on each side', () => {
    expect(marked('  return 29', '  return 28', 'added')).toBe('  return [29]')
    expect(marked('  return 28', '  return 29', 'removed')).toBe('  return [28]')
  })

  it('compares Chinese character by character', () => {
    expect(marked('打开新的文件', '打开旧的文件', 'added')).toBe('打开[新]的文件')
  })

  it('points out nothing where little is the same, or much is to compare', () => {
    expect(marked('alpha', 'omega', 'added')).toBe('alpha')
    expect(
      marked('a b c d e f g h i j k l m n o p = 1', Array.from('qrstuvwxyz0123456').join('+'), 'added'),
    ).toBe('a b c d e f g h i j k l m n o p = 1')
    const long = 'x '.repeat(300)
    expect(changedWords(`${long}y`, long, 'added')).toEqual([{ text: `${long}y`, changed: false }])
  })

  it('loses nothing of the line', () => {
    for (const [line, other] of [
      ['  a  b', 'a b '],
      ['\tif x {', '  if (x) {'],
      ['', 'a'],
      ['a\u202Eb', 'ab'],
    ] as const) {
      expect(
        changedWords(line, other, 'added')
          .map((word) => word.text)
          .join(''),
      ).toBe(line)
      expect(
        changedWords(line, other, 'removed')
          .map((word) => word.text)
          .join(''),
      ).toBe(line)
    }
  })
})
