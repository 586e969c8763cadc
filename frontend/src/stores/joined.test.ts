import { expect, test, vi } from 'vitest'

import { joined } from './joined'

test('calls while something is read are joined into one more read', async () => {
  const ends: (() => void)[] = []
  const read = vi.fn<() => Promise<void>>(() => new Promise((resolve) => ends.push(resolve)))
  const refresh = joined(read)
  const first = refresh()
  expect(refresh()).toBe(first)
  void refresh()
  expect(read).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  ends[1]?.()
  await first
  expect(read).toHaveBeenCalledTimes(2)
})

test('a read that came too late is done again, and one that fails does not keep others from it', async () => {
  const read = vi.fn<() => Promise<boolean>>()
  read
    .mockResolvedValueOnce(false)
    .mockResolvedValueOnce(true)
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValue(true)
  const refresh = joined(read)
  await refresh()
  expect(read).toHaveBeenCalledTimes(2)
  await expect(refresh()).rejects.toThrow('no')
  await refresh()
  expect(read).toHaveBeenCalledTimes(4)
})
