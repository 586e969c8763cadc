import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'

import type { NameList } from '../../api/types'
import { useComposer } from '../../stores/composer'
import * as bridge from '../../testing/bridge'
import { field, open, page, press } from '../../testing/composer'
import { readNames } from '../../testing/routes'
import type { announce } from '../base/announce'
import { mentionAt, written } from './mention'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

test.each<[string, string | null]>([
  ['@', ''],
  ['look at @src/par', 'src/par'],
  ['(@readme', 'readme'],
  ['看看@合同', '合同'],
  ['看看＠合同', '合同'],
  ['"@a', 'a'],
  ['me@example.com', null],
  ['a.b-@c', null],
  ['@src and more', null],
  ['no', null],
  ['@@a', 'a'],
])('DOC-03 %j names %j', (text, typed) => {
  expect(mentionAt(text, text.length)?.typed ?? null).toBe(typed)
})

test('DOC-03 a path stands in a sentence as it is, or in quotes', () => {
  expect(written({ path: 'src', folder: true })).toBe('src/')
  expect(written({ path: '合同/租赁 2026.docx' })).toBe('"合同/租赁 2026.docx"')
})

const two: NameList = { names: [{ path: 'src/parser.go' }, { path: 'src', folder: true }], whole: true }

beforeEach(async () => {
  readNames.mockReset().mockResolvedValue(two)
  await open()
})
afterEach(() => {
  page.unmount()
})

/** Types a text, with the cursor behind it, or so many characters before its end. */
async function type(text: string, before = 0): Promise<void> {
  const element = field().element
  element.value = text
  element.setSelectionRange(text.length - before, text.length - before)
  await field().trigger('input')
  await flushPromises()
}

const offered = (): string[] => page.findAll('[role=option]').map((option) => option.text())
const chosen = (): string | undefined => page.find('[role=option][aria-selected=true]').text()

describe('DOC-03 files and folders are named with @', () => {
  it('found as they are typed, and put in with Enter', async () => {
    await type('Read @par')
    expect(readNames.mock.calls).toEqual([['par']])
    expect(offered()).toEqual(['src/parser.go', 'src/'])
    expect(field().attributes('aria-activedescendant')).toBe(
      page.get('[aria-selected=true]').attributes('id'),
    )
    expect(press('Enter')).toBe(false)
    await flushPromises()
    expect(useComposer().text).toBe('Read src/parser.go ')
    expect(offered()).toEqual([])
    expect(bridge.run).not.toHaveBeenCalled()
  })

  it('chosen with the arrows, around the ends, with Tab, and with a click', async () => {
    await type('@p')
    press('ArrowUp')
    await flushPromises()
    expect(chosen()).toBe('src/')
    press('ArrowDown')
    press('ArrowDown')
    press('Tab')
    await flushPromises()
    expect(useComposer().text).toBe('src/ ')
    await type('@q')
    await page.findAll('[role=option]')[0]?.trigger('click')
    await flushPromises()
    expect(useComposer().text).toBe('src/parser.go ')
  })

  it('in the middle of a text, whose rest stays', async () => {
    await type('Compare @par with b.txt', ' with b.txt'.length)
    press('Enter')
    await flushPromises()
    expect(useComposer().text).toBe('Compare src/parser.go with b.txt')
    expect(field().element.selectionStart).toBe('Compare src/parser.go'.length)
  })

  it('not while an input method composes, and then by what it wrote', async () => {
    const element = field().element
    element.value = '看@he'
    element.dispatchEvent(new InputEvent('input', { isComposing: true, bubbles: true }))
    await flushPromises()
    expect(readNames).not.toHaveBeenCalled()
    await type('看@合')
    expect(readNames.mock.calls).toEqual([['合']])
    expect(press('Enter', { isComposing: true })).toBe(true)
    expect(offered()).toHaveLength(2)
  })

  it('Escape leaves the list closed for this @, and stops no task', async () => {
    await type('@p')
    expect(press('Escape')).toBe(false)
    await type('@pa')
    expect(offered()).toEqual([])
    await type('@pa and @s')
    expect(offered()).toHaveLength(2)
  })

  it('Enter sends where there is nothing to choose', async () => {
    readNames.mockResolvedValue({ names: [], whole: true })
    await type('Ask @nobody')
    press('Enter')
    await flushPromises()
    expect(bridge.run.mock.calls).toEqual([['Ask @nobody', 'session-1', []]])
  })

  it('the folder is asked again while it is looked through for the first time', async () => {
    vi.useFakeTimers()
    readNames.mockResolvedValueOnce({ names: [], whole: false })
    await type('@p')
    expect(offered()).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    vi.useRealTimers()
    await flushPromises()
    expect(offered()).toHaveLength(2)
  })

  it('an answer that comes late is not taken for what was typed since', async () => {
    let first!: (list: NameList) => void
    readNames.mockReturnValueOnce(
      new Promise((resolve) => {
        first = resolve
      }),
    )
    await type('@p')
    readNames.mockResolvedValue({ names: [{ path: 'pq.txt' }], whole: true })
    await type('@pq')
    first(two)
    await flushPromises()
    expect(offered()).toEqual(['pq.txt'])
  })

  it('Enter right behind a letter takes what fits it', async () => {
    await type('@p')
    let answer!: (list: NameList) => void
    readNames.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    await type('@pq')
    press('Enter')
    answer({ names: [{ path: 'pq.txt' }], whole: true })
    await flushPromises()
    expect(useComposer().text).toBe('pq.txt ')
  })

  it('a fault offers nothing and says nothing', async () => {
    readNames.mockRejectedValue(new Error('gone'))
    await type('@p')
    expect(offered()).toEqual([])
    expect(page.find('[role=alert]').exists()).toBe(false)
  })
})
