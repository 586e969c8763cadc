import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import * as bridge from '../testing/bridge'
import { readState, stateWith } from '../testing/routes'
import { useComposer } from './composer'
import { useSessions } from './sessions'
import { useWindow } from './window'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

beforeEach(() => {
  setActivePinia(createPinia())
})

async function show(sessionId: string): Promise<void> {
  readState.mockResolvedValue(stateWith({ sessionId }))
  await useWindow().refresh()
}

describe('UI-05 what is written but not sent', () => {
  it('stays with its conversation', async () => {
    const composer = useComposer()
    await show('a')
    composer.text = 'for a'
    await show('b')
    expect([composer.text, composer.empty]).toEqual(['', true])
    composer.text = 'for b'
    await show('')
    expect(composer.text).toBe('')
    await show('a')
    expect(composer.text).toBe('for a')
  })

  it('is gone once it was sent, there and nowhere else', async () => {
    const composer = useComposer()
    await show('a')
    composer.text = 'do it'
    await show('b')
    composer.text = 'do it'
    composer.sent('do it', [], 'a', 'a')
    expect(composer.text).toBe('do it')
    await show('a')
    expect(composer.text).toBe('')
  })

  it('goes with the conversation that began meanwhile', async () => {
    const composer = useComposer()
    await show('')
    composer.text = 'do it'
    composer.text = 'then this'
    composer.sent('do it', [], '', 'a')
    expect(composer.text).toBe('then this')
    await show('a')
    expect(composer.text).toBe('then this')
    await show('')
    expect(composer.text).toBe('')
  })

  it('goes with the conversation that was shown before its prompt was answered', async () => {
    const composer = useComposer()
    await show('')
    composer.text = 'do it'
    composer.text = 'then th'
    await show('a')
    composer.text = 'is'
    composer.sent('do it', [], '', 'a')
    expect(composer.text).toBe('then this')
    await show('')
    expect(composer.text).toBe('')
  })

  it('goes where one is going, also before it is shown', async () => {
    const composer = useComposer()
    await show('a')
    let opened: () => void = () => {}
    bridge.newConversation.mockReturnValueOnce(new Promise<void>((resolve) => (opened = resolve)))
    const chosen = useSessions().choose('')
    composer.text = 'for the new one'
    readState.mockResolvedValue(stateWith({ sessionId: '' }))
    opened()
    await chosen
    expect(composer.text).toBe('for the new one')
    await show('a')
    expect(composer.text).toBe('')
  })

  it('stays in the new one that was chosen while another began', async () => {
    const composer = useComposer()
    await show('')
    composer.text = 'do it'
    composer.sent('do it', [], '', 'a')
    let opened: () => void = () => {}
    bridge.newConversation.mockReturnValueOnce(new Promise<void>((resolve) => (opened = resolve)))
    const chosen = useSessions().choose('')
    composer.text = 'for the new one'
    await show('a')
    expect(composer.text).toBe('for the new one')
    readState.mockResolvedValue(stateWith({ sessionId: '' }))
    opened()
    await chosen
    expect(composer.text).toBe('for the new one')
  })
})

it('STEER-01 what would be lost elsewhere comes behind what is written', async () => {
  const composer = useComposer()
  await show('a')
  composer.keep('Use tabs.', 'b')
  expect(composer.text).toBe('')
  await show('b')
  expect(composer.text).toBe('Use tabs.')
  composer.keep('And\nspaces.', 'b')
  expect(composer.text).toBe('Use tabs.\n\nAnd\nspaces.')
})
