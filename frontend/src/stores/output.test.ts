// @vitest-environment node
import { expect, test } from 'vitest'

import { appendOutput, keptCharacters, keptLines } from './output'

test('short output is kept whole', () => {
  const to = { output: '', outputDropped: 0 }
  for (const text of ['a', 'b\n', 'c']) appendOutput(to, text)
  expect(to).toEqual({ output: 'ab\nc', outputDropped: 0 })
})

test('of many lines the last ones are kept, whole', () => {
  const to = { output: '', outputDropped: 0 }
  const total = 10_000
  for (let i = 0; i < total; i++) appendOutput(to, `line ${i}\n`)
  const lines = to.output.split('\n').slice(0, -1)
  expect(lines.length).toBeGreaterThanOrEqual(keptLines)
  expect(lines.length).toBeLessThanOrEqual(keptLines * 1.5)
  expect(lines[0]).toBe(`line ${to.outputDropped}`)
  expect(lines.at(-1)).toBe(`line ${total - 1}`)
  expect(lines.length + to.outputDropped).toBe(total)
})

test('a line without end is cut at its beginning', () => {
  const to = { output: '', outputDropped: 0 }
  for (let i = 0; i < 20; i++) appendOutput(to, 'x'.repeat(keptCharacters / 8))
  expect(to.output.length).toBeLessThanOrEqual(keptCharacters)
  expect(to.outputDropped).toBe(0)
})

test('fewer lines are kept where fewer are wanted', () => {
  const to = { output: '', outputDropped: 0 }
  for (let i = 0; i < 400; i++) appendOutput(to, `line ${i}\n`, 100)
  const lines = to.output.split('\n').length - 1
  expect(lines).toBeGreaterThanOrEqual(100)
  expect(lines).toBeLessThanOrEqual(150)
  expect(lines + to.outputDropped).toBe(400)
})
