import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'

import { BlockStream } from '../../markdown/stream'
import { openLink } from '../../testing/bridge'
import { useLinks } from '../markdown/links'
import MessageText from './MessageText.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))

let page: VueWrapper

beforeEach(() => {
  vi.useFakeTimers()
  setActivePinia(createPinia())
  openLink.mockReset().mockResolvedValue(null)
})
afterEach(() => {
  page.unmount()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const show = (text: string, live: boolean) => {
  page = mount(MessageText, { props: { text, live }, attachTo: document.body })
}

describe('a growing message', () => {
  test('is shown ten times a second, however much comes', async () => {
    const update = vi.spyOn(BlockStream.prototype, 'update')
    show('', true)
    let text = ''
    for (let i = 0; i < 200; i++) {
      text += 'word '
      await page.setProps({ text })
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(update.mock.calls.length).toBeGreaterThan(7)
    expect(update.mock.calls.length).toBeLessThan(13)
  })

  test('is shown five times a second where that is much work', async () => {
    const update = vi.spyOn(BlockStream.prototype, 'update')
    vi.spyOn(BlockStream.prototype, 'cost', 'get').mockReturnValue(9000)
    show('| a |\n|---|\n', true)
    update.mockClear()
    await page.setProps({ text: '| a |\n|---|\n| x |\n' })
    await vi.advanceTimersByTimeAsync(190)
    expect(update).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10)
    expect(update).toHaveBeenCalledTimes(1)
  })

  test('leaves the page time for other things, however hard it is to read', async () => {
    let late = 0
    const clock = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + late)
    const update = vi.spyOn(BlockStream.prototype, 'update').mockImplementation(() => {
      late += 100
      return []
    })
    show('>', true)
    expect(update).toHaveBeenCalledTimes(1)
    await page.setProps({ text: '>>' })
    await vi.advanceTimersByTimeAsync(390)
    expect(update).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(10)
    expect(update).toHaveBeenCalledTimes(2)
  })

  test('is whole at once when it ends', async () => {
    show('One', true)
    await page.setProps({ text: 'One **two' })
    await page.setProps({ text: 'One **two** three', live: false })
    expect(page.text()).toBe('One two three')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('leaves what is final in the page as it is', async () => {
    show('First.\n\nSecond.\n\nThi', true)
    const first = page.findAll('.prose')[0]?.element.firstChild
    await page.setProps({ text: 'First.\n\nSecond.\n\nThird.\n\nFourth.' })
    await vi.advanceTimersByTimeAsync(100)
    await page.setProps({ live: false })
    expect(page.findAll('.prose')).toHaveLength(4)
    expect(page.findAll('.prose')[0]?.element.firstChild).toBe(first)
  })
})

describe('code', () => {
  test('is added to while it grows, and marked when it is whole', async () => {
    show('```ts\nconst a', true)
    const node = page.get('code').element.firstChild
    await page.setProps({ text: '```ts\nconst a = 1\n' })
    await vi.advanceTimersByTimeAsync(100)
    expect(page.get('code').element.firstChild).toBe(node)
    expect(page.get('code').text()).toBe('const a = 1')
    await page.setProps({ text: '```ts\nconst a = 1\n```\n', live: false })
    await nextTick()
    expect(page.get('code .hljs-keyword').text()).toBe('const')
  })

  test('of no known language is plain', () => {
    show('```\n<b>x</b>\n```', false)
    expect(page.get('code').element.innerHTML).toBe('&lt;b&gt;x&lt;/b&gt;')
  })
})

describe('SEC-04: a link', () => {
  test.each([
    ['click', 1],
    ['auxclick', 0],
  ])('never leads the page anywhere: %s', async (type, asks) => {
    show('See [the docs](https://go.dev/doc).', false)
    const event = new MouseEvent(type, { bubbles: true, cancelable: true })
    page.get('a').element.dispatchEvent(event)
    await nextTick()
    expect(event.defaultPrevented).toBe(true)
    expect(openLink).not.toHaveBeenCalled()
    expect(useLinks().asked === null ? 0 : 1).toBe(asks)
  })
})
