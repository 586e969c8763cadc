// @vitest-environment node
import { describe, expect, it } from 'vitest'

import type { Row } from '../../stores/folder'
import { moveFor, TypeAhead } from './treeKeys'

function row(path: string, more: Partial<Row> = {}): Row {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const entry = { name, path, folder: path.endsWith('s'), link: false, secret: false, size: 0 }
  const depth = path.split('/').length
  return {
    kind: 'entry',
    path,
    name,
    depth,
    position: 1,
    siblings: 1,
    entry,
    mark: null,
    inside: false,
    fault: null,
    ...more,
  }
}

// docs is closed, srcs is open.
const rows = [
  row('docs'),
  row('srcs'),
  row('srcs/alpha'),
  row('srcs/beta'),
  row('srcs', { kind: 'more', entry: null, name: '' }),
  row('Beach'),
  row('bin'),
]
const expanded = new Set(['srcs'])
const move = (key: string, at: number) => moveFor(key, rows, at, expanded)

describe('the keys of a tree', () => {
  it.each([
    ['ArrowDown', 0, { to: 1 }],
    ['ArrowDown', 6, { to: 6 }],
    ['ArrowUp', 0, { to: 0 }],
    ['ArrowUp', 2, { to: 1 }],
    ['Home', 4, { to: 0 }],
    ['End', 4, { to: 6 }],
    ['PageDown', 0, { to: 6 }],
    ['PageUp', 6, { to: 0 }],
    ['ArrowRight', 0, 'open'],
    ['ArrowRight', 1, { to: 2 }],
    ['ArrowRight', 2, undefined],
    ['ArrowLeft', 0, undefined],
    ['ArrowLeft', 1, 'close'],
    ['ArrowLeft', 3, { to: 1 }],
    ['ArrowLeft', 4, { to: 1 }],
    ['Enter', 2, 'act'],
    [' ', 2, 'act'],
    ['Tab', 2, undefined],
    ['Escape', 2, undefined],
  ] as const)('%s on row %i', (key, at, want) => {
    expect(move(key, at)).toEqual(want)
  })

  it('mean nothing in an empty tree', () => {
    expect(moveFor('ArrowDown', [], -1, expanded)).toBeUndefined()
  })
})

describe('type-ahead', () => {
  it('goes to the next name that begins with what was typed', () => {
    const typed = new TypeAhead()
    expect(typed.find('b', 0, rows, 0)).toBe(3)
    expect(typed.find('i', 400, rows, 3)).toBe(6)
  })

  it('goes on with the same letter, and around the end', () => {
    const typed = new TypeAhead()
    expect(typed.find('b', 0, rows, 3)).toBe(5)
    expect(typed.find('b', 100, rows, 5)).toBe(6)
    expect(typed.find('b', 200, rows, 6)).toBe(3)
  })

  it('begins anew after a pause, and leaves other keys alone', () => {
    const typed = new TypeAhead()
    typed.find('x', 0, rows, 0)
    expect(typed.find('d', 501, rows, 0)).toBe(0)
    expect(typed.find('ArrowDown', 502, rows, 0)).toBeUndefined()
    expect(new TypeAhead().find(' ', 0, rows, 0)).toBeUndefined()
  })
})
