import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import { useAnswers } from '../../stores/answers'
import { confirm } from '../../testing/bridge'
import { asked, close, later, page, prepare } from '../../testing/dock'
import { call } from '../../testing/events'
import { answered, ask, runs, writes } from '../../testing/questions'
import type { announce } from '../base/announce'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

beforeEach(prepare)
afterEach(close)

/** Three questions, of which the first is looked at. */
async function three(): Promise<void> {
  await asked(writes('c1'))
  page.receive(call('c2', 'shell', {}), ask(runs('c2', 'ls')), call('c3', 'edit_file', {}), ask(writes('c3')))
  await later(300)
}

const given = () => confirm.mock.calls.map(([answer]) => `${answer.decision} ${answer.hash}`)

describe('DESK-03: several questions of one reply', () => {
  it('are answered in any order', async () => {
    await three()
    expect(page.card.text()).toContain('1 of 3')
    await page.button('Previous question').trigger('click')
    expect(page.card.text()).toContain('3 of 3')
    await later(300)
    await page.button('Approve').trigger('click')
    expect(given()).toEqual(['approve hash-c3'])
    page.receive(answered('c3'))
    await later(300)
    expect(page.card.text()).toContain('2 of 2')
    await page.button('Reject').trigger('click')
    expect(given()).toEqual(['approve hash-c3', 'reject hash-c2'])
  })

  it('another one does not take the place of what is looked at', async () => {
    await asked(writes('c1'))
    useAnswers().move(1)
    page.receive(call('c2', 'shell', {}), ask(runs('c2', 'ls')))
    await nextTick()
    await page.button('Next question').trigger('click')
    page.receive(answered('c1'))
    await later(300)
    await page.button('Approve').trigger('click')
    expect(given()).toEqual(['approve hash-c2'])
  })

  it('are approved together once each was seen', async () => {
    await three()
    const all = () => page.button('Approve all 3')
    expect(all().attributes()).toMatchObject({ disabled: '', title: 'Look at each of them first' })
    await page.button('Next question').trigger('click')
    await later(300)
    await page.button('Next question').trigger('click')
    await later(299)
    await all().trigger('click')
    expect(given()).toEqual([])
    await later(1)
    expect(all().attributes('title')).toBeUndefined()
    await all().trigger('click', { detail: 2 })
    expect(given()).toEqual([])
    await all().trigger('click')
    expect(given()).toEqual(['approve hash-c1', 'approve hash-c2', 'approve hash-c3'])
  })

  it('one that changed since it was seen is looked at again before', async () => {
    await three()
    for (const _ of [1, 2]) {
      await page.button('Next question').trigger('click')
      await later(300)
    }
    page.receive(ask(writes('c1', { hash: 'changed' })))
    await nextTick()
    expect(page.button('Approve all 3').attributes('disabled')).toBe('')
  })

  it('one that is asked about again after an edit, too', async () => {
    await three()
    for (const _ of [1, 2]) {
      await page.button('Next question').trigger('click')
      await later(300)
    }
    page.receive(
      ['tool.confirm_result', { callId: 'c1', decision: 'modify', arguments: {}, by: 'user' }],
      ask(writes('c1')),
    )
    await later(300)
    expect(page.button('Approve all 3').attributes('disabled')).toBe('')
  })

  it('what was answered elsewhere hides no other fault', async () => {
    await three()
    for (const _ of [1, 2]) {
      await page.button('Next question').trigger('click')
      await later(300)
    }
    confirm.mockRejectedValueOnce(new Fault('NOT_FOUND', 'gone', ''))
    confirm.mockRejectedValueOnce(new Fault('STORAGE', 'the disk is full', ''))
    await page.button('Approve all 3').trigger('click')
    await later(0)
    expect(page.card.text()).toContain('the disk is full')
    expect(page.button('Approve').attributes('disabled')).toBeUndefined()
  })

  it('there is nothing to approve together where one waits', async () => {
    await asked(writes('c1'))
    expect(page.card.text()).not.toContain('Approve all')
  })
})
