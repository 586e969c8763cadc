import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'

import { seconds, useNow } from './now'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('time passes while somebody wants to see it, and no longer', async () => {
  const wanted = ref(false)
  const scope = effectScope()
  const now = scope.run(() => useNow(() => wanted.value))
  const other = effectScope()
  other.run(() => useNow(() => true))
  expect(vi.getTimerCount()).toBe(1)
  wanted.value = true
  await nextTick()
  const before = now?.value ?? 0
  vi.advanceTimersByTime(3000)
  expect((now?.value ?? 0) - before).toBe(3000)
  other.stop()
  expect(vi.getTimerCount()).toBe(1)
  wanted.value = false
  await nextTick()
  expect(vi.getTimerCount()).toBe(0)
  wanted.value = true
  await nextTick()
  expect(vi.getTimerCount()).toBe(1)
  scope.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  [-5, '0 s'],
  [999, '0 s'],
  [12_345, '12 s'],
  [61_000, '1:01'],
])('%i ms is shown as %s', (ms, want) => expect(seconds(ms)).toBe(want))
