import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { type readEvents, readWhole } from '../../api/routes'
import { asked, close, page, prepare } from '../../testing/dock'
import { alt, mod, press, runs, writes } from '../../testing/questions'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => ({ confirm: vi.fn<typeof confirm>(), extend: vi.fn<typeof extend>() }))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../../api/routes', () => ({
  readWhole: vi.fn<typeof readWhole>(),
  readEvents: vi.fn<typeof readEvents>(),
}))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

const active = () => document.activeElement

beforeEach(prepare)
afterEach(close)

describe('HITL-03 a reason', () => {
  it('is asked for by R and sent by Enter, but not by one that ends a composition', async () => {
    await asked(writes('c1'))
    press('w', page.heading.element, alt)
    await nextTick()
    const input = page.card.get('input')
    expect(active()).toBe(input.element)
    await input.setValue(' 换个名字 ')
    press('Enter', input.element, { isComposing: true })
    press('Enter', input.element, { keyCode: 229 })
    expect(confirm).not.toHaveBeenCalled()
    press('Enter', input.element)
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toEqual({
      runId: 'run-1',
      callId: 'c1',
      decision: 'reject',
      reason: '换个名字',
      hash: 'hash-c1',
    })
  })

  it('Esc goes back, but not one of the input method', async () => {
    await asked(writes('c1'))
    await page.button('With reason').trigger('click')
    const input = page.card.get('input').element
    press('Escape', input, { keyCode: 229 })
    await nextTick()
    expect(page.card.find('input').exists()).toBe(true)
    const seen = vi.fn<() => void>()
    document.addEventListener('keydown', seen)
    press('Escape', input)
    document.removeEventListener('keydown', seen)
    await flushPromises()
    expect(page.card.find('input').exists()).toBe(false)
    expect(active()).toBe(page.heading.element)
    expect(seen).not.toHaveBeenCalled()
  })

  it('keys of the card are text in its field', async () => {
    await asked(writes('c1'))
    await page.button('With reason').trigger('click')
    const input = page.card.get('input').element
    press('e', input)
    press('Enter', input, mod)
    press('Backspace', input, mod)
    await nextTick()
    expect(page.card.find('textarea').exists()).toBe(false)
    expect(confirm).toHaveBeenCalledTimes(1)
    expect(vi.mocked(confirm).mock.lastCall?.[0].decision).toBe('reject')
  })
})

describe('HITL-03 an edit', () => {
  it('is not offered of changes that a call has made: they are applied or dropped as they are', async () => {
    await asked(writes('c1', { kind: 'changes' }))
    expect(() => page.button('Edit')).toThrow('no button')
    press('e', page.heading.element, alt)
    await nextTick()
    expect(page.card.find('textarea').exists()).toBe(false)
    expect(page.button('Reject').exists()).toBe(true)
  })

  it('sends the changed arguments, and approves nothing', async () => {
    await asked(runs('c1', 'rm -r tmp', { arguments: { command: 'rm -r tmp', timeout: 5 } }))
    press('e', page.heading.element, alt)
    await nextTick()
    const area = page.card.get('textarea')
    expect(active()).toBe(area.element)
    expect(area.element.value).toBe('rm -r tmp')
    expect(page.button('Preview the edit').attributes()).toHaveProperty('disabled')
    await area.setValue('ls tmp')
    press('Enter', area.element, mod)
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toEqual({
      runId: 'run-1',
      callId: 'c1',
      decision: 'modify',
      arguments: '{"command":"ls tmp","timeout":5}',
      hash: 'hash-c1',
    })
  })

  it('keeps the path of a file fixed', async () => {
    await asked(writes('c1'))
    await page.button('Edit').trigger('click')
    expect(page.card.findAll('textarea').map((area) => area.element.value)).toEqual(['return 29'])
    expect(page.card.findAll('.fixed').map((part) => part.text())).toEqual(['src/days.go', 'return 28'])
  })

  it('edits what it does not know as JSON, and sends only an object', async () => {
    await asked(writes('c1', { toolName: 'fetch', arguments: { url: 'a' }, preview: { effect: 'none' } }))
    await page.button('Edit').trigger('click')
    const area = page.card.get('textarea')
    await area.setValue('{"url":')
    expect(page.card.get('[role=status]').text()).toContain('This is not JSON')
    expect(area.attributes('aria-invalid')).toBe('true')
    press('Enter', area.element, mod)
    await area.setValue('[1]')
    expect(page.card.get('[role=status]').text()).toContain('must be a JSON object')
    press('Enter', area.element, mod)
    expect(confirm).not.toHaveBeenCalled()
    await area.setValue('{"url":"b"}')
    press('Enter', area.element, mod)
    expect(vi.mocked(confirm).mock.lastCall?.[0].arguments).toBe('{"url":"b"}')
  })
})
