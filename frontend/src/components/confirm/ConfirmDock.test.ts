import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { type readEvents, readWhole } from '../../api/routes'
import { useComposer } from '../../stores/composer'
import { useShell } from '../../stores/shell'
import { asked, close, later, page, prepare } from '../../testing/dock'
import { call, start } from '../../testing/events'
import { answered, ask, mod, press, runs, writes } from '../../testing/questions'
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

describe('HITL-10 safe keys', () => {
  it('take no approval in the first 300 ms, by key or button', async () => {
    page.receive(...start, call('c1', 'edit_file', {}), ask(writes('c1')))
    await nextTick()
    await later(299)
    press('Enter', document.body, mod)
    press('Backspace', document.body, mod)
    await page.button('Approve').trigger('click')
    expect(confirm).not.toHaveBeenCalled()
    await later(1)
    press('Enter', document.body, mod)
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  it('take none in the first 300 ms of the next question or of a changed one', async () => {
    await asked(writes('c1'))
    page.receive(ask(writes('c1', { hash: 'changed' })), call('c2', 'edit_file', {}), ask(writes('c2')))
    await nextTick()
    press('Enter', document.body, mod)
    expect(confirm).not.toHaveBeenCalled()
    await later(300)
    press('Enter', document.body, mod)
    expect(vi.mocked(confirm).mock.lastCall?.[0].hash).toBe('changed')
    page.receive(answered('c1'))
    await nextTick()
    expect(page.card.text()).not.toContain('1 of')
    press('Enter', document.body, mod)
    expect(confirm).toHaveBeenCalledTimes(1)
    await later(300)
    press('Enter', document.body, mod)
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toMatchObject({ callId: 'c2', hash: 'hash-c2' })
  })

  it('the second press of a double click answers nothing', async () => {
    await asked(writes('c1'))
    await page.button('Approve').trigger('click', { detail: 2 })
    await page.button('Reject').trigger('click', { detail: 2 })
    await page.button('Reject and stop').trigger('click', { detail: 2 })
    expect(confirm).not.toHaveBeenCalled()
  })

  it('HITL-03: a question that comes back after an edit that cannot be used takes answers', async () => {
    await asked(runs('c1', 'ls'))
    await page.button('Edit').trigger('click')
    const field = page.card.get('textarea')
    await field.setValue('ls -l')
    await page.card.get('form').trigger('submit')
    const again = { reason: 'edited, but the arguments do not fit' }
    page.receive(
      ['tool.confirm_result', { callId: 'c1', decision: 'modify', arguments: {}, by: 'user' }],
      ask(runs('c1', 'ls', again)),
    )
    await later(300)
    await page.button('Approve').trigger('click')
    expect(vi.mocked(confirm).mock.lastCall?.[0].decision).toBe('approve')
  })

  it('bare Enter and Space approve nothing, nor do held keys', async () => {
    await asked(writes('c1'))
    for (const on of [document.body, page.heading.element, page.card.element]) {
      press('Enter', on)
      press(' ', on)
    }
    press('Enter', document.body, { ...mod, repeat: true })
    press('Enter', document.body, { ...mod, shiftKey: true })
    press('Enter', document.body, { ...mod, isComposing: true })
    expect(confirm).not.toHaveBeenCalled()
    expect(press('Enter', page.button('Approve').element, { repeat: true }).defaultPrevented).toBe(true)
    expect(press('Enter', page.button('Approve').element).defaultPrevented).toBe(false)
  })

  it('answer nothing while the composer has text, a panel or the models are open, or another field has text', async () => {
    await asked(writes('c1'))
    useComposer().text = 'and then'
    await nextTick()
    press('Enter', page.field, mod)
    press('Backspace', page.field, mod)
    useComposer().text = ''
    useShell().open('settings')
    await nextTick()
    press('Enter', document.body, mod)
    useShell().close()
    useShell().models = true
    await nextTick()
    press('Enter', document.body, mod)
    press('Backspace', page.field, mod)
    useShell().models = false
    await nextTick()
    page.field.value = 'text'
    press('Backspace', page.field, mod)
    expect(confirm).not.toHaveBeenCalled()
    page.field.value = ''
    press('Backspace', page.field, mod)
    expect(vi.mocked(confirm).mock.lastCall?.[0].decision).toBe('reject')
  })

  it('leave a key alone that something else has used', async () => {
    await asked(writes('c1'))
    page.field.addEventListener('keydown', (event) => event.preventDefault())
    press('Enter', page.field, mod)
    expect(confirm).not.toHaveBeenCalled()
  })
})

describe('the focus', () => {
  it('goes to the heading, never to a button', async () => {
    await asked(writes('c1'))
    expect(active()).toBe(page.heading.element)
    expect(page.heading.attributes('tabindex')).toBe('-1')
  })

  it('stays while the composer has text', async () => {
    page.field.focus()
    useComposer().text = 'half a sent'
    await asked(writes('c1'))
    expect(active()).toBe(page.field)
  })

  it('stays for 600 ms after a key was pressed', async () => {
    page.field.focus()
    press('a', page.field)
    await later(599)
    await asked(writes('c1'))
    expect(active()).toBe(page.field)
    page.receive(answered('c1'))
    press('a', page.field)
    await later(600)
    page.receive(call('c2', 'edit_file', {}), ask(writes('c2')))
    await flushPromises()
    expect(active()).toBe(page.heading.element)
  })

  it('stays in another field that has text, and in a panel', async () => {
    page.field.focus()
    page.field.value = 'text'
    await asked(writes('c1'))
    expect(active()).toBe(page.field)
    const panel = document.createElement('div')
    panel.setAttribute('role', 'dialog')
    panel.tabIndex = -1
    document.body.append(panel)
    panel.focus()
    page.receive(ask(writes('c1', { hash: 'h2' })))
    await nextTick()
    expect(active()).toBe(panel)
  })

  it('goes on to the next question, and then to the composer', async () => {
    const composer = useComposer()
    await asked(writes('c1'), runs('c2', 'ls'))
    expect(page.card.text()).toContain('1 of 2')
    const approve = page.button('Approve')
    ;(approve.element as HTMLElement).focus()
    press(' ', approve.element)
    await approve.trigger('click')
    page.receive(answered('c1'))
    await flushPromises()
    expect(page.heading.text()).toBe('Run ls')
    expect(active()).toBe(page.heading.element)
    expect(page.card.classes()).toContain('steady')
    page.receive(answered('c2', 'timeout'))
    await flushPromises()
    expect(composer.wanted).toBe(1)
  })
})
