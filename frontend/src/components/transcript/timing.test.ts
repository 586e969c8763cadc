// @vitest-environment node
import { expect, test } from 'vitest'

import type { ToolView } from '../../stores/view'
import { overlap, ranFrom, ranTogether } from './timing'

const tool = (startedAt?: number, durationMs?: number): ToolView => ({
  callId: 'c',
  toolName: 'shell',
  display: null,
  arguments: {},
  state: 'done',
  output: '',
  outputDropped: 0,
  question: null,
  decision: null,
  startedAt,
  result:
    durationMs === undefined
      ? null
      : {
          success: true,
          content: '',
          blocks: [],
          errorCode: '',
          durationMs,
          truncated: false,
          changes: [],
          data: {},
          notices: [],
        },
})

test('a call runs until its result, or until now', () => {
  expect(ranFrom(tool(100, 50), 999)).toEqual({ from: 100, to: 150 })
  expect(ranFrom(tool(100), 999)).toEqual({ from: 100, to: 999 })
  expect(ranFrom(tool(100), 50)).toEqual({ from: 100, to: 100 })
  expect(ranFrom(tool(), 999)).toBeNull()
})

test('together from the first beginning to the last end', () => {
  expect(ranTogether([tool(100, 50), tool(), tool(120, 10)], 0)).toEqual({ from: 100, to: 150 })
  expect(ranTogether([tool()], 0)).toBeNull()
})

test('one after the other is not at once', () => {
  expect(overlap([tool(150, 10), tool(100, 50)])).toBe(false)
  expect(overlap([tool(100, 50), tool(149, 10)])).toBe(true)
  expect(overlap([tool(100, 500), tool(110, 10), tool(300, 10)])).toBe(true)
  expect(overlap([tool(100), tool(100)])).toBe(true)
})
