import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { h } from 'vue'

import PathText from './PathText.vue'
import VisibleText from './VisibleText.vue'
import { hasHidden, inline, pieces, visible } from './visible'

describe('HITL-10 hidden characters', () => {
  it.each([
    ['a control character', 'a\u0007b', 'a‹U+0007›b'],
    ['a carriage return', 'safe\rrm', 'safe‹U+000D›rm'],
    ['an escape sequence', '\u001B[2Jx', '‹U+001B›[2Jx'],
    ['delete and C1', '\u007F\u0085', '‹U+007F›‹U+0085›'],
    ['a right-to-left override', 'gpj\u202Eexe', 'gpj‹U+202E›exe'],
    ['isolates', '\u2066a\u2069', '‹U+2066›a‹U+2069›'],
    ['zero widths', 'a\u200Bb\u200Dc\uFEFF', 'a‹U+200B›b‹U+200D›c‹U+FEFF›'],
    ['a soft hyphen', 'a\u00ADb', 'a‹U+00AD›b'],
    ['tags beyond the first plane', 'a\u{E0041}\u{E0100}', 'a‹U+E0041›‹U+E0100›'],
    ['fillers', '\u3164\u115F\uFFA0\u2800', '‹U+3164›‹U+115F›‹U+FFA0›‹U+2800›'],
    ['separators', '\u2028\u2029', '‹U+2028›‹U+2029›'],
    ['a long run of wide spaces', `a${'\u3000'.repeat(40)}b`, 'a‹␣ × 40›b'],
    ['a long run of mixed spaces', `a${' \u00A0'.repeat(20)}b`, 'a‹␣ × 40›b'],
    ['variation selectors', 'x\uFE0E\u180B\u034F', 'x‹U+FE0E›‹U+180B›‹U+034F›'],
  ])('%s is named', (_, text, want) => {
    expect(visible(text)).toBe(want)
    expect(inline(text)).toBe(want)
    expect(hasHidden(text)).toBe(true)
  })

  it.each([' '.repeat(100), '\u3000'.repeat(19), `a${' '.repeat(30)}\u00e9`])('spaces stay: %j', (text) => {
    expect(visible(text)).toBe(text)
    expect(hasHidden(text)).toBe(false)
    expect(pieces(text)).toEqual([{ text, hidden: false }])
  })

  it('are the ones of message.Visible', () => {
    const found: string[] = []
    let first = -1
    for (let code = 0; code <= 0x10ffff + 1; code++) {
      const surrogate = code >= 0xd800 && code <= 0xdfff
      const character = code > 0x10ffff || surrogate ? '' : String.fromCodePoint(code)
      const hidden = visible(character) !== character
      if (hidden && first < 0) first = code
      if (hidden || first < 0) continue
      const [from, to] = [first, code - 1].map((one) => one.toString(16).toUpperCase())
      found.push(from === to ? `${from}` : `${from}-${to}`)
      first = -1
    }
    expect(found.join(' ')).toBe(
      '0-8 B-1F 7F-9F AD 34F 600-605 61C 6DD 70F 890-891 8E2 115F-1160 17B4-17B5 180B-180F 200B-200F 2028-202E 2060-2064 2066-206F 2800 3164 FE00-FE0E FEFF FFA0 FFF9-FFFB 110BD 110CD 13430-1343F 1BCA0-1BCA3 1D173-1D17A E0001 E0020-E007F E0100-E01EF',
    )
  })

  it('leaves what can be seen as it is', () => {
    const text = 'Grüße, 你好 — ❤️ שלום e\u0301 \u00A0x\n\ty'
    expect(visible(text)).toBe(text)
    expect(hasHidden(text)).toBe(false)
    expect(inline(text)).toBe(text.replace('\n', '‹U+000A›'))
  })

  it('cuts into stretches that make up the visible text', () => {
    const text = 'a\u202Eb\n\u0000'
    expect(pieces(text)).toEqual([
      { text: 'a', hidden: false },
      { text: '‹U+202E›', hidden: true },
      { text: 'b\n', hidden: false },
      { text: '‹U+0000›', hidden: true },
    ])
    expect(pieces(text, true).map((piece) => piece.text)).toEqual([
      'a',
      '‹U+202E›',
      'b',
      '‹U+000A›',
      '‹U+0000›',
    ])
    expect(pieces('')).toEqual([])
  })

  it('marks a hidden character, and not the same signs written out', () => {
    const shown = mount(() => h('p', h(VisibleText, { text: '‹U+202E› \u202E<b>' })))
    expect(shown.text()).toBe('‹U+202E› ‹U+202E›<b>')
    expect(shown.findAll('mark')).toHaveLength(1)
  })
})

describe('a path', () => {
  it.each([
    ['src/date/parser.go', ['src/date/', 'parser.go']],
    ['parser.go', ['parser.go']],
    ['src/date/', ['src/', 'date/']],
    ['/', ['/']],
    ['', ['']],
  ])('%s keeps its name', (path, want) => {
    const shown = mount(PathText, { props: { path } })
    expect(shown.findAll('.folders, .name').map((part) => part.text())).toEqual(want)
    expect(shown.attributes('title')).toBe(path)
  })

  it('shows what hides in it, in the title too', () => {
    const shown = mount(PathText, { props: { path: 'a\nb/\u202Egpj.exe' } })
    expect(shown.text()).toBe('a‹U+000A›b/‹U+202E›gpj.exe')
    expect(shown.attributes('title')).toBe('a‹U+000A›b/‹U+202E›gpj.exe')
  })
})
