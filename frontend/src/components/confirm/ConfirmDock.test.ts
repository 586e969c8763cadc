import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { type readEvents, readWhole } from '../../api/routes'
import { useComposer } from '../../stores/composer'
import { useWindow } from '../../stores/window'
import { asked, close, later, page, prepare } from '../../testing/dock'
import { call, start } from '../../testing/events'
import { alt, answered, ask, mod, press, runs, writes } from '../../testing/questions'
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
    press('a', page.heading.element, alt)
    press('r', page.heading.element, alt)
    await page.button('Approve').trigger('click')
    expect(confirm).not.toHaveBeenCalled()
    await later(1)
    press('a', page.heading.element, alt)
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  it('take none in the first 300 ms of the next question or of a changed one', async () => {
    await asked(writes('c1'))
    page.receive(ask(writes('c1', { hash: 'changed' })), call('c2', 'edit_file', {}), ask(writes('c2')))
    await nextTick()
    press('a', page.heading.element, alt)
    expect(confirm).not.toHaveBeenCalled()
    await later(300)
    press('a', page.heading.element, alt)
    expect(vi.mocked(confirm).mock.lastCall?.[0].hash).toBe('changed')
    page.receive(answered('c1'))
    await nextTick()
    expect(page.card.text()).not.toContain('1 of')
    press('a', page.heading.element, alt)
    expect(confirm).toHaveBeenCalledTimes(1)
    await later(300)
    press('a', page.heading.element, alt)
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
    const again = {
      cause: {
        code: 'edit_unfit',
        data: { error: { code: 'INVALID_ARGUMENTS', message: 'the arguments do not fit' } },
      },
    } as const
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
    press('a', page.heading.element, { ...alt, repeat: true })
    press('a', page.heading.element, { ...alt, shiftKey: true })
    press('a', page.heading.element, { ...alt, isComposing: true })
    expect(confirm).not.toHaveBeenCalled()
    expect(press('Enter', page.button('Approve').element, { repeat: true }).defaultPrevented).toBe(true)
    expect(press('Enter', page.button('Approve').element).defaultPrevented).toBe(false)
  })

  it.each([
    ['Enter', mod],
    ['Backspace', mod],
    ['a', alt],
    ['r', alt],
    ['a', {}],
    ['r', {}],
  ])(
    'HITL-11 %s %o answers nothing from the composer or from anywhere else but the card',
    async (key, more) => {
      await asked(writes('c1'))
      for (const text of ['', 'and then']) {
        useComposer().text = text
        page.field.value = text
        for (const on of [page.field, document.body]) press(key, on, more)
      }
      expect(confirm).not.toHaveBeenCalled()
    },
  )

  it.each([
    ['Enter', {}],
    ['Enter', mod],
    ['Backspace', mod],
    ['a', {}],
    ['r', {}],
    ['e', {}],
    ['a', { altKey: true, repeat: true }],
    ['r', { altKey: true, repeat: true }],
    ['a', { altKey: true, ctrlKey: true }],
    ['a', { altKey: true, isComposing: true }],
    ['a', { altKey: true, shiftKey: true }],
  ])('HITL-11 %s %o answers nothing on the card', async (key, more) => {
    await asked(writes('c1'))
    press(key, page.heading.element, more)
    await nextTick()
    expect(confirm).not.toHaveBeenCalled()
    expect(page.card.find('input, textarea').exists()).toBe(false)
  })

  it.each([
    ['a', 'KeyA', 'approve'],
    ['å', 'KeyA', 'approve'],
    ['ф', 'KeyA', 'approve'],
    ['a', 'KeyQ', 'approve'],
    ['r', 'KeyR', 'reject'],
    ['®', 'KeyR', 'reject'],
  ])('Alt with %s, on the key %s, answers %s', async (key, code, decision) => {
    await asked(writes('c1'))
    press(key, page.heading.element, { altKey: true, code })
    expect(vi.mocked(confirm).mock.lastCall?.[0].decision).toBe(decision)
  })

  it('leave a key alone that something else has used', async () => {
    await asked(writes('c1'))
    page.heading.element.addEventListener('keydown', (event) => event.preventDefault())
    press('a', page.heading.element, alt)
    expect(confirm).not.toHaveBeenCalled()
  })
})

describe('the focus', () => {
  it('goes to the heading, never to a button', async () => {
    await asked(writes('c1'))
    expect(active()).toBe(page.heading.element)
    expect(page.heading.attributes('tabindex')).toBe('-1')
  })

  it.each(['', 'half a sent'])('stays in the composer, whether it has text or not: %s', async (text) => {
    page.field.focus()
    page.field.value = text
    await asked(writes('c1'))
    await later(5000)
    expect(active()).toBe(page.field)
  })

  it('comes once no key was pressed for 600 ms', async () => {
    press('a')
    await later(500)
    page.receive(...start, call('c1', 'edit_file', {}), ask(writes('c1')))
    await flushPromises()
    await later(99)
    expect(active()).toBe(document.body)
    await later(1)
    expect(active()).toBe(page.heading.element)
  })

  it('stays in a panel', async () => {
    const panel = document.createElement('div')
    panel.setAttribute('role', 'dialog')
    panel.tabIndex = -1
    document.body.append(panel)
    panel.focus()
    await asked(writes('c1'))
    await later(5000)
    expect(active()).toBe(panel)
  })

  it('comes back from the composer with the next question, unless something was typed there', async () => {
    await asked(writes('c1'))
    expect(active()).toBe(page.heading.element)
    for (const typed of [false, true]) {
      page.receive(answered(typed ? 'c2' : 'c1'))
      await flushPromises()
      page.field.focus()
      if (typed) press('h', page.field)
      await later(1000)
      page.receive(call(typed ? 'c3' : 'c2', 'shell', {}), ask(runs(typed ? 'c3' : 'c2', 'ls')))
      await flushPromises()
      await later(1000)
      expect(active()).toBe(typed ? page.field : page.heading.element)
    }
  })

  it('comes by F8 from anywhere, and stays', async () => {
    page.field.focus()
    page.field.value = 'half a sent'
    await asked(writes('c1'))
    press('F8', page.field)
    expect(active()).toBe(page.heading.element)
    press('F8', page.heading.element)
    expect(active()).toBe(page.heading.element)
  })

  it('HITL-11 goes to the composer with the first letter that is typed on a card', async () => {
    await asked(writes('c1'))
    const { wanted } = useComposer()
    press('w', page.heading.element)
    expect(useComposer().wanted).toBe(wanted + 1)
    press('ArrowDown', page.heading.element)
    press('Tab', page.heading.element)
    press('c', page.heading.element, mod)
    press(' ', page.button('Reject').element)
    expect(useComposer().wanted).toBe(wanted + 1)
  })

  it('comes when a native dialog led here, though a key was pressed just now', async () => {
    page.field.focus()
    await asked(writes('c1'))
    press('y', page.field)
    useWindow().reviews++
    await nextTick()
    expect(active()).toBe(page.field)
    await later(600)
    expect(active()).toBe(page.heading.element)
    press('a', page.heading.element, alt)
    expect(confirm).toHaveBeenCalledTimes(1)
  })

  it('comes when a native dialog led here before its question is shown, and not after 5 s', async () => {
    page.field.focus()
    useWindow().reviews++
    await asked(writes('c1'))
    expect(active()).toBe(page.heading.element)
    page.field.focus()
    page.receive(answered('c1'))
    await nextTick()
    useWindow().reviews++
    await nextTick()
    await later(5000)
    page.receive(call('c2', 'edit_file', {}), ask(writes('c2')))
    await later(1000)
    expect(active()).toBe(page.field)
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
