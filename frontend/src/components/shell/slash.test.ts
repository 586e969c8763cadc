import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useShell } from '../../stores/shell'
import * as bridge from '../../testing/bridge'
import { field, open, page, press, typed } from '../../testing/composer'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<() => void>() }))

beforeEach(open)
afterEach(() => {
  page.unmount()
  language.value = 'en'
})

const offers = () => page.findAll('[role=option]').map((each) => each.text())

describe('UI-09 a slash in the field', () => {
  it('offers what can be done, by its first letters, in the language of the user', async () => {
    await typed('/')
    expect(offers()).toContain('/settingsSettings')
    // There is no conversation yet.
    expect(offers().some((each) => each.startsWith('/undo'))).toBe(false)
    await typed('/rev')
    expect(offers()).toEqual(['/reviewReview changes'])
    language.value = 'zh-CN'
    await typed('／rev')
    expect(offers()).toEqual(['/review查看更改'])
  })

  it('does what is chosen, and nothing of it is sent', async () => {
    const shell = useShell()
    await typed('/mod')
    expect(press('ArrowDown')).toBe(false)
    await nextTick()
    expect(page.get('[aria-selected=true]').text()).toContain('/mode')
    press('ArrowUp')
    await nextTick()
    press('Enter')
    expect(shell.panel).toBe('model')
    expect(useComposer().text).toBe('')
    expect(bridge.run).not.toHaveBeenCalled()
    await typed('/settings')
    await page.get('[role=option]').trigger('click')
    expect(shell.panel).toBe('settings')
  })

  it('is written like any other where it begins no such word, or the list was closed', async () => {
    await typed('/etc/hosts is missing')
    expect(offers()).toEqual([])
    await typed('/etc')
    expect(offers()).toEqual([])
    press('Enter')
    await flushPromises()
    expect(bridge.run).toHaveBeenCalledWith('/etc', 'session-1', [])
    await typed('/review')
    press('Escape')
    await nextTick()
    expect(offers()).toEqual([])
    expect(field().element.value).toBe('/review')
    expect(press('Enter')).toBe(false)
    expect(bridge.run).toHaveBeenLastCalledWith('/review', 'session-1', [])
  })

  it('is left to an input method', async () => {
    await typed('/rev')
    press('Enter', { isComposing: true })
    expect(useShell().tab).toBe('files')
  })
})
