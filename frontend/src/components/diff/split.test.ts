// @vitest-environment node
import { expect, it } from 'vitest'

import { parseDiff } from './parse'
import { splitRows } from './split'

it('puts what was removed at the left of what was added, and the rest on both sides', () => {
  const { rows, hunks } = parseDiff('@@ -1,4 +1,4 @@\n a\n-b\n-c\n+d\n e\n+f\n')
  expect(hunks).toEqual([{ header: '@@ -1,4 +1,4 @@', from: 0, end: 6 }])
  const sides = splitRows(rows).map((row) =>
    'across' in row ? [row.across.kind] : [row.left?.text ?? null, row.right?.text ?? null],
  )
  expect(sides).toEqual([
    ['a', 'a'],
    ['b', 'd'],
    ['c', null],
    ['e', 'e'],
    [null, 'f'],
  ])
})

it('begins another block where something is removed behind what was added', () => {
  const { rows } = parseDiff('@@ -1,2 +1,1 @@\n+x\n-b\n-c\n')
  expect(splitRows(rows)).toHaveLength(3)
})
