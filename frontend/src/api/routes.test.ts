// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import * as routes from './routes'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => vi.unstubAllGlobals())

describe('a read', () => {
  it.each([
    ['state', () => routes.readState(), '/fairlead/state'],
    ['a folder', () => routes.readTree('a b/ä&c'), '/fairlead/tree?path=a%20b%2F%C3%A4%26c'],
    ['the conversations', () => routes.readSessions(100), '/fairlead/sessions?limit=100'],
    ['earlier runs', () => routes.readEarlier('s/1', 'r&1'), '/fairlead/sessions/s%2F1/runs?before=r%261'],
    ['a file', () => routes.readFile('x#y'), '/fairlead/file?path=x%23y'],
    [
      'a suggestion',
      () => routes.readSuggestion('instructions', 'a&b/ä.md'),
      '/fairlead/suggestion?kind=instructions&path=a%26b%2F%C3%A4.md',
    ],
    [
      'a file of a skill',
      () => routes.readSuggestion('skill', 'a', 'b/c.sh'),
      '/fairlead/suggestion?kind=skill&path=a&file=b%2Fc.sh',
    ],
    ['the memory', () => routes.readMemory(), '/fairlead/memory'],
    ['the commands', () => routes.readProcesses(), '/fairlead/processes'],
    ['an output', () => routes.readOutput('c/1', 7), '/fairlead/processes/c%2F1/output?from=7'],
    ['events', () => routes.readEvents('r/1', 7), '/fairlead/runs/r%2F1/events?after=7'],
    ['a whole event', () => routes.readWhole('/fairlead/runs/r/events/3'), '/fairlead/runs/r/events/3'],
  ])('of %s asks for its address', async (_, read, address) => {
    fetched.mockResolvedValue(new Response('{"a":1}'))
    await expect(read()).resolves.toEqual({ a: 1 })
    expect(fetched.mock.calls[0]?.[0]).toBe(address)
  })

  it('rejects with the fault that the program answers', async () => {
    fetched.mockResolvedValue(
      new Response('{"code":"FILE_NOT_FOUND","message":"a is not there"}', { status: 422 }),
    )
    await expect(routes.readFile('a')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('rejects with a fault of its own for any other answer', async () => {
    fetched.mockResolvedValue(new Response('<html>', { status: 500 }))
    await expect(routes.readState()).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('says when nobody answers', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(routes.readState()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })
})
