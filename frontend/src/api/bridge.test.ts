import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ModelChoice } from './types'
import * as bridge from './bridge'

const call = vi.fn<(...args: unknown[]) => Promise<unknown>>()
const drops: ((x: number, y: number, paths: string[]) => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  call.mockReset()
  drops.length = 0
  vi.stubGlobal('go', {
    main: { App: { Run: call } },
    desktop: { Folders: { Choose: call }, Models: { Use: call, ForgetKey: call } },
  })
  vi.stubGlobal('runtime', {
    ClipboardSetText: call,
    OnFileDrop: (dropped: (typeof drops)[number], useDropTarget: boolean) => {
      if (useDropTarget) drops.push(dropped)
    },
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const choice: ModelChoice = {
  provider: 'openai',
  baseUrl: '',
  model: 'm',
  key: 'sk-canary-1',
  keep: 'keyring',
  effort: '',
}

describe('a call', () => {
  it('returns what the program returns', async () => {
    call.mockResolvedValue({ runId: 'r1', sessionId: 's1' })
    await expect(bridge.run('hello', 's1', ['p1'])).resolves.toEqual({ runId: 'r1', sessionId: 's1' })
    expect(call).toHaveBeenCalledWith({ prompt: 'hello', sessionId: 's1', pictures: ['p1'] })
  })

  it('LOOP-14 goes on with a run without a prompt', async () => {
    call.mockResolvedValue({ runId: 'r2', sessionId: 's1' })
    await bridge.continueRun('s1')
    expect(call).toHaveBeenCalledWith({ prompt: '', sessionId: 's1', continue: true })
  })

  it('rejects with the fault of the program', async () => {
    call.mockRejectedValue(new Error('{"code":"NO_FOLDER","message":"no folder is chosen"}'))
    await expect(bridge.run('hello', 's1', ['p1'])).rejects.toMatchObject({
      name: 'Fault',
      code: 'NO_FOLDER',
    })
  })

  it.each([
    ['Run', 60_000, () => bridge.run('hello', 's1', ['p1'])],
    ['ForgetKey', 75_000, () => bridge.forgetKey(choice)],
  ])('%s gives up after %i ms', async (_, limit, start) => {
    call.mockReturnValue(new Promise(() => {}))
    let fault: unknown
    start().catch((reason: unknown) => (fault = reason))
    await vi.advanceTimersByTimeAsync(limit - 1)
    expect(fault).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(fault).toMatchObject({ code: 'NO_ANSWER' })
    expect(String(fault)).not.toContain('sk-canary')
  })

  it('waits for the user with a native dialog as long as it takes', async () => {
    let opened: unknown
    call.mockReturnValue(new Promise((resolve) => setTimeout(resolve, 3_600_000, { path: '/a', name: 'a' })))
    void bridge.chooseFolder().then((folder) => (opened = folder))
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(opened).toEqual({ path: '/a', name: 'a' })
  })

  it('leaves no timer behind', async () => {
    call.mockResolvedValue({})
    await bridge.run('hello', 's1', ['p1'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is a fault where there is no program', async () => {
    vi.stubGlobal('go', undefined)
    await expect(bridge.run('hello', 's1', ['p1'])).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('says when the clipboard took nothing', async () => {
    call.mockResolvedValue(false)
    await expect(bridge.copyText('a')).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})

describe('each order', () => {
  /** Stands for a service: whatever is called says so. */
  const service = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...given: unknown[]) =>
            call(`${name}.${method}`, ...given),
      },
    )

  it.each<[string, unknown[], () => Promise<unknown>]>([
    ['App.Interrupt', ['r1', ''], () => bridge.interrupt('r1')],
    [
      'App.Decide',
      [{ runId: 'r1', guardId: 'g1', decision: 'stop' }],
      () => bridge.decide({ runId: 'r1', guardId: 'g1', decision: 'stop' }),
    ],
    ['Sessions.Extend', ['r1', 'g1'], () => bridge.extend('r1', 'g1')],
    ['Sessions.RetryNow', ['r1'], () => bridge.retryNow('r1')],
    [
      'Sessions.Queue',
      ['s1', 'Use tabs.', 'step', ['p1']],
      () => bridge.queue('s1', 'Use tabs.', 'step', ['p1']),
    ],
    [
      'Sessions.ChangePrompt',
      ['s1', 'q1', 'Use tabs.', 'run'],
      () => bridge.changePrompt('s1', 'q1', 'Use tabs.', 'run'),
    ],
    ['Sessions.RemovePrompt', ['s1', 'q1'], () => bridge.removePrompt('s1', 'q1')],
    ['Sessions.SendNow', ['s1', 'q1'], () => bridge.sendNow('s1', 'q1')],
    ['Sessions.SetGroup', ['s1', 'shell', false], () => bridge.setGroup('s1', 'shell', false)],
    ['Processes.Kill', ['p1'], () => bridge.killProcess('p1')],
    ['Processes.Move', ['c1'], () => bridge.moveToBackground('c1')],
    [
      'Folders.UseSuggestion',
      ['instructions', 'AGENTS.md', 'ab12', true],
      () => bridge.useSuggestion('instructions', 'AGENTS.md', 'ab12', true),
    ],
    ['Folders.SaveMemory', ['# Mine', 'ab12'], () => bridge.saveMemory('# Mine', 'ab12')],
    ['Folders.SkipSuggestions', [], () => bridge.skipSuggestions()],
  ])('%s is given what it takes', async (name, given, order) => {
    vi.stubGlobal('go', {
      main: { App: service('App') },
      desktop: {
        Folders: service('Folders'),
        Processes: service('Processes'),
        Sessions: service('Sessions'),
      },
    })
    call.mockResolvedValue(null)
    await order()
    expect(call.mock.calls).toEqual([[name, ...given]])
  })
})

it('a drop gives its paths', () => {
  const dropped = vi.fn<(paths: string[]) => void>()
  bridge.onDrop(dropped)
  drops[0]?.(1, 2, [])
  drops[0]?.(1, 2, ['/a', '/b'])
  expect(dropped.mock.calls).toEqual([[['/a', '/b']]])
})
