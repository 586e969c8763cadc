import { enableAutoUnmount, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, nextTick, ref } from 'vue'

import { announce, announced } from './announce'
import Combobox from './Combobox.vue'
import Popover from './Popover.vue'
import StateGlyph from './StateGlyph.vue'
import Tabs from './Tabs.vue'

let page: VueWrapper

enableAutoUnmount(afterEach)

const active = () => document.activeElement?.textContent

describe('Popover', () => {
  const open = ref(false)
  const Page = defineComponent(() => () => [
    h('button', 'elsewhere'),
    h(
      Popover,
      { open: open.value, label: 'Panel', onClose: () => (open.value = false) },
      {
        trigger: ({ attrs }: { attrs: object }) =>
          h('button', { ...attrs, class: 'opener', onClick: () => (open.value = !open.value) }, 'opener'),
        default: () => [h('button', 'first'), h('button', { class: 'last' }, 'last')],
      },
    ),
  ])

  beforeEach(async () => {
    open.value = false
    page = mount(Page, { attachTo: document.body })
    const opener = page.get<HTMLElement>('.opener')
    opener.element.focus()
    await opener.trigger('click')
    await nextTick()
  })

  it('UI-08 opens with a name and the focus inside', () => {
    expect(page.get('[role=dialog]').attributes('aria-label')).toBe('Panel')
    expect(page.get('.opener').attributes('aria-expanded')).toBe('true')
    expect(active()).toBe('first')
  })

  it('closes with Esc and gives the focus back', async () => {
    const seen = vi.fn<() => void>()
    window.addEventListener('keydown', seen)
    await page.get('.last').trigger('keydown', { key: 'Escape' })
    window.removeEventListener('keydown', seen)
    expect(open.value).toBe(false)
    await nextTick()
    expect(active()).toBe('opener')
    expect(seen).not.toHaveBeenCalled()
  })

  it('leaves the Esc on its button to others while it is closed', async () => {
    await page.get('.last').trigger('keydown', { key: 'Escape' })
    const seen = vi.fn<() => void>()
    window.addEventListener('keydown', seen)
    await page.get('.opener').trigger('keydown', { key: 'Escape' })
    window.removeEventListener('keydown', seen)
    expect(seen).toHaveBeenCalledOnce()
  })

  it('stays open for the Esc of an input method', async () => {
    await page.get('.last').trigger('keydown', { key: 'Escape', isComposing: true })
    expect(open.value).toBe(true)
  })

  it('closes when the pointer or the focus goes elsewhere', async () => {
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    expect(open.value).toBe(false)
    open.value = true
    await nextTick()
    await nextTick()
    page.get<HTMLElement>('button').element.focus()
    expect(open.value).toBe(false)
    await nextTick()
    expect(active()).toBe('elsewhere')
  })

  it('stays open for what happens inside', async () => {
    await page.get('.last').trigger('pointerdown')
    page.get<HTMLElement>('.last').element.focus()
    expect(open.value).toBe(true)
  })
})

describe('Combobox', () => {
  const text = ref('')
  const input = () => page.get('input')
  const options = () => page.findAll('[role=option]').map((option) => option.text())
  const key = (name: string) => input().trigger('keydown', { key: name })

  beforeEach(() => {
    text.value = ''
    page = mount(
      defineComponent(
        () => () =>
          h(Combobox, {
            label: 'Model',
            listLabel: 'Models',
            options: ['gpt-a', 'gpt-b', 'other'],
            modelValue: text.value,
            'onUpdate:modelValue': (value: string) => (text.value = value),
          }),
      ),
    )
  })

  it('suggests what holds the text, and takes any other', async () => {
    await input().setValue('GPT')
    expect(options()).toEqual(['gpt-a', 'gpt-b'])
    await input().setValue('mine')
    expect(input().attributes('aria-expanded')).toBe('false')
    expect(text.value).toBe('mine')
  })

  it('UI-08 is used with the keys alone', async () => {
    await key('ArrowDown')
    await key('ArrowDown')
    expect(page.get('.active').attributes('id')).toBe(input().attributes('aria-activedescendant'))
    await key('Enter')
    expect(text.value).toBe('gpt-b')
    expect(input().attributes('aria-expanded')).toBe('false')
    await key('ArrowUp')
    await key('Enter')
    expect(text.value).toBe('gpt-a')
  })

  it('Esc closes the list only', async () => {
    await key('ArrowDown')
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    input().element.dispatchEvent(event)
    await nextTick()
    expect(input().attributes('aria-expanded')).toBe('false')
    expect(event.defaultPrevented).toBe(true)
    const next = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
    input().element.dispatchEvent(next)
    expect(next.defaultPrevented).toBe(false)
  })

  it('Enter without a suggestion is the form’s', async () => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    input().element.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
  })

  it('shows all again after one was chosen', async () => {
    await input().trigger('click')
    await page.findAll('[role=option]')[2]?.trigger('click')
    expect(text.value).toBe('other')
    await input().trigger('click')
    expect(options()).toHaveLength(3)
  })
})

it('UI-08 tabs move with the arrows, and one of them is in the tab order', async () => {
  const chosen = ref('a')
  page = mount(
    defineComponent(
      () => () =>
        h(
          Tabs,
          {
            label: 'Tabs',
            tabs: ['a', 'b', 'c'].map((value) => ({ value, text: value })),
            modelValue: chosen.value,
            'onUpdate:modelValue': (value: string) => (chosen.value = value),
          },
          () => chosen.value,
        ),
    ),
    { attachTo: document.body },
  )
  const seen: unknown[] = []
  for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home']) {
    await page.get('[role=tablist]').trigger('keydown', { key })
    await nextTick()
    seen.push(active())
  }
  expect(seen).toEqual(['b', 'c', 'a', 'c', 'a'])
  expect(page.findAll('[tabindex="0"]')).toHaveLength(1)
  expect(page.get('[role=tabpanel]').text()).toBe('a')
})

describe('the announcer', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('UI-08 clears and fills again, so that equal texts are read twice', () => {
    announce('Done')
    vi.advanceTimersByTime(100)
    expect(announced.polite.value).toBe('Done')
    announce('Done')
    expect(announced.polite.value).toBe('')
    vi.advanceTimersByTime(100)
    expect(announced.polite.value).toBe('Done')
  })

  it('says the last of several, each urgency by itself', () => {
    announce('one')
    announce('two')
    announce('now', 'assertive')
    vi.advanceTimersByTime(100)
    expect([announced.polite.value, announced.assertive.value]).toEqual(['two', 'now'])
  })
})

it('every state has a shape of its own', () => {
  const states = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'retrying'] as const
  const shapes = states.map((state) => mount(StateGlyph, { props: { state } }).get('svg').element.innerHTML)
  expect(new Set(shapes).size).toBe(states.length)
})
