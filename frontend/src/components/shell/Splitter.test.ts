import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { useShell } from '../../stores/shell'
import Splitter from './Splitter.vue'

let line: VueWrapper
let usual: number

const press = (key: string, more = {}) => line.trigger('keydown', { key, ...more })
const width = () => Number(line.attributes('aria-valuenow'))

beforeEach(() => {
  window.innerWidth = 1400
  setActivePinia(createPinia())
  line = mount(Splitter)
  usual = useShell().deskWidth
})
afterEach(() => line.unmount())

it('DESK-08: the arrow keys move the line, Home and End as far as it goes', async () => {
  expect(line.attributes()).toMatchObject({
    role: 'separator',
    'aria-orientation': 'vertical',
    tabindex: '0',
  })
  await press('ArrowRight')
  expect(width()).toBe(usual - 24)
  await press('ArrowLeft')
  await press('ArrowLeft')
  expect(width()).toBe(usual + 24)
  await press('Home')
  expect(width()).toBe(Number(line.attributes('aria-valuemax')))
  await press('ArrowLeft')
  expect(width()).toBe(Number(line.attributes('aria-valuemax')))
  await press('End')
  expect(width()).toBe(Number(line.attributes('aria-valuemin')))
  await press('ArrowLeft', { ctrlKey: true })
  await press('a')
  expect(width()).toBe(Number(line.attributes('aria-valuemin')))
})

it('DESK-08: Enter and a double click give the usual width, which is kept as none', async () => {
  for (const restore of [() => press('Enter'), () => line.trigger('dblclick')]) {
    await press('End')
    expect(useShell().layout.deskWidth).toBe(width())
    await restore()
    expect(width()).toBe(usual)
    expect(useShell().layout.deskWidth).toBe(0)
  }
  await press('End')
  await press('Enter', { isComposing: true })
  expect(width()).not.toBe(usual)
})
