import { enableAutoUnmount, flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import { language } from '../../i18n'
import { useWindow } from '../../stores/window'
import { takeOver } from '../../testing/bridge'
import { folder, readState, stateWith } from '../../testing/routes'
import MovedBar from './MovedBar.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

const moved = { from: '/home/ada/old', conversations: 3 }

async function open() {
  readState.mockResolvedValue(stateWith({ workspace: folder, moved }))
  await useWindow().refresh()
  return mount(MovedBar, { attachTo: document.body })
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.resetAllMocks()
})
afterEach(() => {
  language.value = 'en'
})

describe('CHG-13: a folder that was moved', () => {
  it('is offered its conversations, in both languages', async () => {
    const page = await open()
    expect(page.get('p').text()).toBe(
      'This folder used to be at /home/ada/old. 3 conversations still point there.',
    )
    language.value = 'zh-CN'
    await flushPromises()
    expect(page.get('p').text()).toBe('此文件夹以前位于 /home/ada/old，有 3 个对话仍指向该处。')
  })

  it.each([
    ['Take them over', true],
    ['Leave them', false],
  ])('%s', async (words, take) => {
    const page = await open()
    readState.mockResolvedValue(stateWith({ workspace: folder }))
    await page
      .findAll('button')
      .find((each) => each.text() === words)
      ?.trigger('click')
    await flushPromises()
    expect(takeOver).toHaveBeenCalledExactlyOnceWith(moved.from, take)
    expect(page.find('section').exists()).toBe(false)
  })

  it('says why they stay where they are', async () => {
    takeOver.mockRejectedValue(new Fault('CONFLICT', 'it is in use', ''))
    const page = await open()
    await page.get('button').trigger('click')
    await flushPromises()
    expect(page.text()).toContain('it is in use')
  })
})
