import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, extend } from '../../api/bridge'
import { type readEvents, readWhole } from '../../api/routes'
import type { PendingChange } from '../../api/types'
import { language } from '../../i18n'
import { asked, close, later, page, prepare } from '../../testing/dock'
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

const copying = (id: string, shown: PendingChange[]) =>
  runs(id, 'make', { kind: 'changes', preview: { effect: 'files', folder: '/home/me/days', changes: shown } })
const copied = (shown = changes) => asked(copying('c1', shown))

/** A text of which two parts changed, beside another file. */
const twoParts: PendingChange[] = [
  {
    path: 'long.md',
    kind: 'modified',
    op: 'modify',
    hunks: true,
    diff: '--- a/long.md\n+++ b/long.md\n@@ -1,1 +1,1 @@\n-old\n+new\n@@ -9,1 +9,2 @@\n nine\n+ten\n',
  },
  { path: 'other.md', kind: 'created', op: 'create' },
] as PendingChange[]

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

  it('leaves parts of a text out, and a text whose parts are all left out', async () => {
    await copied(twoParts)
    const part = (n: number) => page.card.get<HTMLInputElement>(`input[aria-label^="Apply part ${n} of 2"]`)
    const file = () => page.card.get<HTMLInputElement>('.row input').element
    await part(2).setValue(false)
    expect([file().checked, file().indeterminate]).toEqual([true, true])
    await part(1).setValue(false)
    expect([file().checked, file().indeterminate]).toEqual([false, false])
    expect(page.button('Apply 1 of 2').exists()).toBe(true)
    await part(1).setValue(true)
    expect([part(1).element.checked, part(2).element.checked]).toEqual([true, false])
    await page.button('Apply what is chosen').trigger('click')
    expect(sent()).toEqual({
      runId: 'run-1',
      callId: 'c1',
      decision: 'approve',
      hash: 'hash-c1',
      withoutHunks: { 'long.md': ['@@ -9,1 +9,2 @@'] },
    })
  })

  it('is answered by its keys from a box too', async () => {
    await copied(twoParts)
    const second = page.card.get<HTMLInputElement>('input[aria-label^="Apply part 2 of 2"]')
    await second.setValue(false)
    press('a', second.element, alt)
    expect(sent()).toMatchObject({ decision: 'approve', withoutHunks: { 'long.md': ['@@ -9,1 +9,2 @@'] } })
  })

  it('offers parts only where there are several that can be left out', async () => {
    const [text, other] = twoParts as [PendingChange, PendingChange]
    await copied([{ ...text, hunks: false } as PendingChange, other])
    expect(page.card.findAll('input[aria-label]')).toHaveLength(0)
    expect(page.card.text()).toContain('ten')
  })

  it('keeps what is left out while another question is looked at, also when all are approved', async () => {
    await asked(copying('c1', twoParts), copying('c2', changes))
    await page.card.get<HTMLInputElement>('input[aria-label^="Apply part 1 of 2"]').setValue(false)
    await page.button('Next question').trigger('click')
    await later(300)
    await page.button('Approve all 2').trigger('click')
    expect(vi.mocked(confirm).mock.calls.map(([answer]) => [answer.callId, answer.withoutHunks])).toEqual([
      ['c1', { 'long.md': ['@@ -1,1 +1,1 @@'] }],
      ['c2', undefined],
    ])
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

describe('PRE-10 the question about keys in an output', () => {
  const printed = runs('c1', 'printenv', {
    kind: 'output',
    preview: {
      effect: 'none',
      command: 'printenv',
      output: 'A=[secret hidden: 40 characters]\nB=[secret hidden: 9 characters]',
      keys: 2,
    },
  })

  it('shows the lines without the keys, and is not edited', async () => {
    await asked(printed)
    for (const text of [
      'Let the model see what looks like a key?',
      '2 keys are hidden',
      'printenv',
      'B=[secret hidden: 9 characters]',
    ])
      expect(page.card.text()).toContain(text)
    expect(page.card.text()).not.toContain('Edit')
  })

  it.each([
    ['Show the model', 'approve'],
    ['Keep hidden', 'reject'],
  ] as const)('takes %s', async (label, decision) => {
    await asked(printed)
    await later(1000)
    await page.card
      .findAll('button')
      .find((one) => one.text().startsWith(label))
      ?.trigger('click')
    expect(sent()?.decision).toBe(decision)
  })
})
