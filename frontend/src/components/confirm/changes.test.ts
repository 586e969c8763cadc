import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { type readEvents, readWhole } from '../../api/routes'
import type { PendingChange } from '../../api/types'
import { language } from '../../i18n'
import { asked, close, page, prepare } from '../../testing/dock'
import { alt, press, runs } from '../../testing/questions'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => ({ confirm: vi.fn<typeof confirm>(), extend: vi.fn<typeof extend>() }))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../../api/routes', () => ({
  readWhole: vi.fn<typeof readWhole>(),
  readEvents: vi.fn<typeof readEvents>(),
}))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

const diff = '--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-old\n+new\n'
const changes: PendingChange[] = [
  {
    path: '.envrc',
    kind: 'created',
    op: 'create',
    size: 3,
    held: { code: 'autorun', autorun: 'environment' },
  },
  { path: 'a.txt', kind: 'deleted', op: 'delete', to: 'b.txt' },
  { path: 'b.txt', kind: 'created', op: 'create', from: 'a.txt', size: 9 },
  { path: 'notes.md', kind: 'modified', op: 'modify', diff, added: 1, removed: 1, size: 4 },
] as PendingChange[]

const copied = () =>
  asked(
    runs('c1', 'make', {
      kind: 'changes',
      preview: { effect: 'files', folder: '/home/me/days', changes },
    }),
  )

beforeEach(prepare)
afterEach(close)

const rows = () => page.card.findAll('.one')
const box = (i: number) => page.card.findAll<HTMLInputElement>('input[type=checkbox]')[i]
const sent = () => vi.mocked(confirm).mock.lastCall?.[0]

describe('PRE-03 the question about changes', () => {
  it('lists each path once, with what was moved in one row, and why some are held', async () => {
    await copied()
    expect(page.card.text()).toContain('Keep what this command did in its copy?')
    expect(page.card.get('.facts').text()).toBe('1 new · 1 changed · 1 moved · 1 held · in /home/me/days')
    expect(rows().map((row) => row.get('label').text())).toEqual(['.envrc', 'b.txt', 'notes.md'])
    expect(rows()[0]?.get('.held').text()).toContain('Runs by itself')
    expect(rows()[1]?.text()).toContain('Moved from a.txt.')
    // Of few, the diffs are open.
    expect(rows()[2]?.text()).toContain('new')
    language.value = 'zh-CN'
    await nextTick()
    expect(page.button('全部应用').exists()).toBe(true)
  })

  it('applies all of them by the key of Approve', async () => {
    await copied()
    press('a', page.heading.element, alt)
    expect(sent()).toEqual({ runId: 'run-1', callId: 'c1', decision: 'approve', hash: 'hash-c1' })
  })

  it('applies what is chosen: of what was moved both paths, or none', async () => {
    await copied()
    await box(1)?.setValue(false)
    await page.button('Apply 2 of 3').trigger('click')
    expect(sent()).toEqual({
      runId: 'run-1',
      callId: 'c1',
      decision: 'approve',
      hash: 'hash-c1',
      paths: ['.envrc', 'notes.md'],
    })
  })

  it('applies nothing where nothing is chosen, and drops with a reason', async () => {
    await copied()
    for (const i of [0, 1, 2]) await box(i)?.setValue(false)
    expect(page.button('Apply 0 of 3').attributes()).toHaveProperty('disabled')
    await page.button('Drop and say why').trigger('click')
    const input = page.card.get('input:not([type=checkbox])')
    await input.setValue('not now')
    press('Enter', input.element)
    expect(sent()).toMatchObject({ decision: 'reject', reason: 'not now' })
  })
})
