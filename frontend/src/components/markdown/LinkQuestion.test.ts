import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { h } from 'vue'

import { openLink } from '../../testing/bridge'
import MarkdownView from '../preview/MarkdownView.vue'
import LinkQuestion from './LinkQuestion.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))

let page: VueWrapper

beforeEach(() => {
  setActivePinia(createPinia())
  openLink.mockReset().mockResolvedValue(null)
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
  const text = '[docs](https://go.dev/doc) and [bank](https://аpple.com/)'
  const body = () => [h(MarkdownView, { text, changed: new Set<number>() }), h(LinkQuestion)]
  page = mount({ render: () => h('div', body()) }, { attachTo: document.body })
})
afterEach(() => page.unmount())

const press = (link: number) => page.findAll('.prose a')[link]?.trigger('click')
const button = (text: string) => {
  const found = page.findAll('dialog button').find((each) => each.text() === text)
  if (!found) throw new Error(`there is no button ${text}`)
  return found
}

test('SEC-04: opens outside, once the user agreed to the whole address', async () => {
  await press(0)
  const dialog = page.get('dialog')
  expect(dialog.attributes('open')).toBeDefined()
  expect(dialog.text()).toContain('https://go.dev/doc')
  expect(openLink).not.toHaveBeenCalled()
  await button('Open').trigger('click')
  expect(openLink.mock.calls).toEqual([['https://go.dev/doc']])
})

test('is not opened by a double click on it, and its Esc stops no task', async () => {
  await press(0)
  await button('Open').trigger('click', { detail: 2 })
  expect(openLink).not.toHaveBeenCalled()
  const pressed = vi.fn<() => void>()
  window.addEventListener('keydown', pressed, { once: true })
  await page.get('dialog').trigger('keydown', { key: 'Escape' })
  expect(pressed).not.toHaveBeenCalled()
  window.removeEventListener('keydown', pressed)
})

test('with look-alike letters is pointed out', async () => {
  await press(1)
  expect(page.get('dialog').text()).toContain('https://xn--pple-43d.com/')
  expect(page.get('dialog').text()).toContain('letters of other scripts')
  await button('Cancel').trigger('click')
  expect(openLink).not.toHaveBeenCalled()
})
