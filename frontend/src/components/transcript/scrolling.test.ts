import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'

import { useRuns } from '../../stores/runs'
import { call, eventsOf, start, succeeded, type Step } from '../../testing/events'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let transcript: TranscriptPage

const text = (partId: string): Step => ['assistant.delta', { partId, content: 'Text.' }]
const wheelUp = () => transcript.box.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }))
const pill = () => transcript.page.find('.pill')

beforeEach(async () => {
  transcript = await TranscriptPage.open()
  await transcript.add(...start, text('p1'))
  transcript.resize({ box: 400, content: 1000 })
})
afterEach(() => {
  transcript.close()
})

test('follows the end', () => {
  expect(transcript.box.scrollTop).toBe(600)
  transcript.resize({ box: 400, content: 1500 })
  expect(transcript.box.scrollTop).toBe(1100)
  expect(pill().exists()).toBe(false)
})

test('stays at the end when the composer grows', () => {
  transcript.resize({ box: 300, content: 1000 })
  expect(transcript.box.scrollTop).toBe(700)
})

test.each([
  ['a wheel', wheelUp],
  ['PageUp', () => transcript.box.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' }))],
  ['Home', () => transcript.box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }))],
  [
    'the scroll bar',
    () => {
      transcript.box.dispatchEvent(new Event('pointerdown'))
      transcript.scroll(300)
    },
  ],
  [
    'a selection',
    () => {
      document.getSelection()?.selectAllChildren(transcript.page.get('.message').element)
      document.dispatchEvent(new Event('selectionchange'))
    },
  ],
])('%s releases it at once', async (_, act) => {
  act()
  const { scrollTop } = transcript.box
  transcript.resize({ box: 400, content: 1500 })
  await nextTick()
  expect(transcript.box.scrollTop).toBe(scrollTop)
  expect(pill().exists()).toBe(true)
})

test('Home leads to the top at once, and what is laid out there keeps it', () => {
  transcript.box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }))
  expect(transcript.box.scrollTop).toBe(0)
  transcript.resize({ box: 400, content: 700 })
  expect(transcript.box.scrollTop).toBe(0)
})

test('Home in what scrolls by itself is not meant for the box', async () => {
  const output = document.createElement('pre')
  output.tabIndex = 0
  Object.defineProperties(output, { scrollHeight: { value: 300 }, clientHeight: { value: 100 } })
  transcript.box.append(output)
  output.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
  await nextTick()
  expect(transcript.box.scrollTop).toBe(600)
  expect(pill().exists()).toBe(false)
})

test('DESK-07 nothing but a hand releases it', async () => {
  for (const top of [300, 0, 500]) {
    transcript.scroll(top)
    await nextTick()
    expect(transcript.box.scrollTop).toBe(600)
  }
  transcript.box.dispatchEvent(new Event('pointerdown'))
  window.dispatchEvent(new Event('pointerup'))
  transcript.scroll(300)
  await nextTick()
  expect(transcript.box.scrollTop).toBe(600)
  expect(pill().exists()).toBe(false)
})

test('UI-08 what gets the focus out of sight comes into sight and stays there', async () => {
  const button = document.createElement('button')
  vi.spyOn(button, 'getBoundingClientRect').mockReturnValue({ top: -450 } as DOMRect)
  transcript.box.append(button)
  transcript.box.dispatchEvent(new Event('pointerdown'))
  button.focus()
  expect(transcript.box.scrollTop).toBe(600)
  window.dispatchEvent(new Event('pointerup'))
  button.blur()
  button.focus()
  expect(transcript.box.scrollTop).toBe(50)
  await nextTick()
  expect(pill().exists()).toBe(true)
})

test('the focus on what is in sight lets the end be followed', () => {
  const button = document.createElement('button')
  transcript.box.append(button)
  button.focus()
  transcript.resize({ box: 400, content: 1500 })
  expect(transcript.box.scrollTop).toBe(1100)
})

test('a wheel down near the end does not release it, one up does', () => {
  transcript.box.dispatchEvent(new WheelEvent('wheel', { deltaY: 40 }))
  transcript.resize({ box: 400, content: 1500 })
  expect(transcript.box.scrollTop).toBe(1100)
  wheelUp()
  transcript.scroll(1090)
  transcript.resize({ box: 400, content: 1600 })
  expect(transcript.box.scrollTop).toBe(1090)
})

test('what the browser scrolls because the box became higher does not release it', async () => {
  transcript.measure({ box: 600, content: 1200 })
  transcript.scroll(500)
  transcript.resize({ box: 600, content: 1200 })
  await nextTick()
  expect(transcript.box.scrollTop).toBe(600)
  expect(pill().exists()).toBe(false)
})

test('follows again once there is nothing to scroll', async () => {
  wheelUp()
  transcript.resize({ box: 400, content: 300 })
  await nextTick()
  expect(pill().exists()).toBe(false)
})

test('follows again from the end on, and from nowhere else', () => {
  wheelUp()
  transcript.scroll(100)
  transcript.scroll(575)
  transcript.resize({ box: 400, content: 1200 })
  expect(transcript.box.scrollTop).toBe(575)
  transcript.scroll(790)
  transcript.resize({ box: 400, content: 1500 })
  expect(transcript.box.scrollTop).toBe(1100)
})

test('says how much is new below, and goes there', async () => {
  wheelUp()
  transcript.scroll(100)
  await transcript.add(call('a', 'shell', { command: 'x' }))
  await transcript.add(succeeded('a', ''), text('p2'))
  expect(pill().text()).toBe('2 new')
  expect(pill().attributes('aria-label')).toBe('Scroll to the end, 2 new')
  await pill().trigger('click')
  expect(transcript.box.scrollTop).toBe(600)
  expect(pill().exists()).toBe(false)
})

test('a task of one’s own is scrolled to', async () => {
  wheelUp()
  transcript.scroll(100)
  useRuns().receive(eventsOf(start, 'run-2'))
  await nextTick()
  await nextTick()
  expect(transcript.box.scrollTop).toBe(600)
})

test('what is looked at keeps its place when something above it grows', () => {
  wheelUp()
  transcript.scroll(200)
  const [, anchor] = transcript.page.findAll<HTMLElement>('[data-anchor]').map((each) => each.element)
  let top = 40
  const place = (y: () => number) => () => ({ top: y(), bottom: y() + 100 }) as DOMRect
  for (const element of transcript.page.findAll<HTMLElement>('[data-turn]')) {
    element.element.getBoundingClientRect = place(() => 0)
  }
  for (const { element } of transcript.page.findAll<HTMLElement>('[data-anchor]')) {
    element.getBoundingClientRect = place(() => (element === anchor ? top : -200))
  }
  transcript.scroll(201)
  top += 150
  transcript.resize({ box: 400, content: 1150 })
  expect(transcript.box.scrollTop).toBe(351)
})

test('the last line that is seen stays seen when the box gets lower', () => {
  wheelUp()
  transcript.scroll(200)
  transcript.resize({ box: 350, content: 1000 })
  expect(transcript.box.scrollTop).toBe(250)
})
