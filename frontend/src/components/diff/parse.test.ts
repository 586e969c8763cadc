// @vitest-environment node
import { describe, expect, it } from 'vitest'

import { type DiffLine, parseDiff } from './parse'

const edit = `--- a/days.go
+++ b/days.go
@@ -41,4 +41,5 @@ func days(m int) int {
   if m == 2 {
-    return 28
+    if leap(y) {
+      return 29
     }
   }
`

describe('parseDiff', () => {
  it('numbers the lines of both sides', () => {
    const { rows, added, removed } = parseDiff(edit)
    expect(rows).toEqual([
      { kind: 'gap', count: 40 },
      { kind: 'same', text: '  if m == 2 {', number: 41 },
      { kind: 'removed', text: '    return 28', number: 42 },
      { kind: 'added', text: '    if leap(y) {', number: 42 },
      { kind: 'added', text: '      return 29', number: 43 },
      { kind: 'same', text: '    }', number: 44 },
      { kind: 'same', text: '  }', number: 45 },
    ])
    expect([added, removed]).toEqual([2, 1])
  })

  it('says how many lines lie between two hunks', () => {
    const { rows } = parseDiff('@@ -1,1 +1,2 @@\n a\n+b\n@@ -10,1 +11,1 @@\n-x\n+y\n')
    expect(rows.map((row) => (row.kind === 'gap' ? row.count : row.number))).toEqual([1, 2, 8, 10, 11])
  })

  it('reads a new and an emptied file', () => {
    expect(parseDiff('--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+x\n+y\n').rows).toEqual([
      { kind: 'added', text: 'x', number: 1 },
      { kind: 'added', text: 'y', number: 2 },
    ])
    expect(parseDiff('--- a/a\n+++ b/a\n@@ -1 +0,0 @@\n-x\n').rows).toEqual([
      { kind: 'removed', text: 'x', number: 1 },
    ])
  })

  it('takes lines for what the hunk says they are, whatever they look like', () => {
    const { rows } = parseDiff('--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- a/evil\n+++ b/evil\n \n')
    expect(rows).toEqual([
      { kind: 'removed', text: '-- a/evil', number: 1, other: '++ b/evil' },
      { kind: 'added', text: '++ b/evil', number: 1, other: '-- a/evil' },
      { kind: 'same', text: '', number: 2 },
    ])
  })

  it('marks the side that ends without a line break', () => {
    const { rows } = parseDiff('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n')
    expect(rows.map((row) => (row as DiffLine).endless)).toEqual([true, undefined])
  })

  it('pairs lines only where as many were added as removed', () => {
    const paired = parseDiff('@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n').rows as DiffLine[]
    expect(paired.map((row) => row.other)).toEqual(['c', 'd', 'a', 'b'])
    const unpaired = parseDiff('@@ -1,2 +1 @@\n-a\n-b\n+c\n').rows as DiffLine[]
    expect(unpaired.every((row) => row.other === undefined)).toBe(true)
  })

  it('pairs no more lines than can be compared in time', () => {
    const texts = ['-', '+'].flatMap((sign) => Array.from({ length: 800 }, (_, i) => `${sign}${i}\n`))
    const { rows } = parseDiff(`@@ -1,800 +1,800 @@\n${texts.join('')}`)
    expect(rows.filter((row) => (row as DiffLine).other !== undefined)).toHaveLength(1000)
  })

  it('leaves out the CR of a file that has it everywhere, and only then', () => {
    const all = parseDiff('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n')
    expect(all.crlf).toBe(true)
    expect(all.rows.map((row) => (row as DiffLine).text)).toEqual(['a', 'b', 'c'])
    const some = parseDiff('@@ -1,2 +1,2 @@\n a\r\n-b\n+c\r\n')
    expect(some.crlf).toBe(false)
    expect(some.rows.map((row) => (row as DiffLine).text)).toEqual(['a\r', 'b', 'c\r'])
  })

  it('shows what is no diff, and one that was cut, as far as it goes', () => {
    expect(parseDiff('binary files differ\n').rows).toEqual([{ kind: 'note', text: 'binary files differ' }])
    expect(parseDiff('@@ -1,3 +1,9 @@\n a\n+b').rows).toEqual([
      { kind: 'same', text: 'a', number: 1 },
      { kind: 'added', text: 'b', number: 2 },
    ])
    expect(parseDiff('').rows).toEqual([])
    const after = parseDiff('@@ -1,1 +1,1 @@\n-a\n+b\n+beyond\n').rows
    expect(after.at(-1)).toEqual({ kind: 'note', text: '+beyond' })
  })
})
