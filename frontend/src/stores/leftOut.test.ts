import { expect, test } from 'vitest'

import type { PendingChange } from '../api/types'
import { isApplied, nothing, type PendingRow, rowsOf, withRow } from './leftOut'

const changes: PendingChange[] = [
  { path: 'a', kind: 'modified' },
  { path: '.git/index', kind: 'modified', unit: '.git' },
  { path: 'from', kind: 'deleted', to: 'to' },
  { path: '.git/hooks/x', kind: 'created', unit: '.git', held: { code: 'autorun' } },
  { path: 'to', kind: 'created', from: 'from' },
]

test('CHG-07 a repository is one row, which is applied or left out as a whole', () => {
  const rows = rowsOf(changes)
  expect(rows.map(({ path, paths, held }) => [path, paths, held?.code])).toEqual([
    ['a', ['a'], undefined],
    ['.git', ['.git/index', '.git/hooks/x'], 'autorun'],
    ['to', ['to', 'from'], undefined],
  ])
  const git = rows[1] as PendingRow
  const left = withRow(nothing, git, false)
  expect([...left.paths]).toEqual(['.git/index', '.git/hooks/x'])
  expect(rows.map((row) => isApplied(left, row))).toEqual([true, false, true])
  expect(withRow(left, git, true).paths.size).toBe(0)
})
