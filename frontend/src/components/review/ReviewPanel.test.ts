import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { FilePreview } from '../../api/types'
import { language } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useReview } from '../../stores/review'
import { useRuns } from '../../stores/runs'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import { begin, call, eventsOf } from '../../testing/events'
import {
  begun,
  button,
  close,
  headers,
  open,
  panel,
  prepare,
  press,
  row,
  rows,
  selected,
  step,
} from '../../testing/review'
import { readFile, readReview, readReviewText, readUndo } from '../../testing/routes'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/windowed', async () => {
  const { ref } = await import('vue')
  return {
    rowHeight: 28,
    useWindowed: (_box: unknown, count: () => number) => ({
      first: ref(0),
      end: {
        get value() {
          return count()
        },
      },
      look: () => {},
      reveal: () => {},
    }),
  }
})

beforeEach(prepare)
afterEach(() => {
  close()
  language.value = 'en'
})

const parts = () => panel.findAll('[data-part]')

describe('DESK-02 the list', () => {
  it('has each path with what was done to it, its lines, its cause and its state', async () => {
    await open([
      row('s1/0', 'a.txt', { added: 3, removed: 1 }),
      row('s1/1', 'old.txt', { op: 'delete', added: 0, removed: 2, command: true, state: 'changed' }),
      row('s1/2', 'new/b.txt', { op: 'create', from: 'b.txt', added: 0, removed: 0 }),
      row('s1/3', 'run.sh', { op: 'mode', added: 0, removed: 0, state: 'lost' }),
    ])
    const words = () =>
      rows().map((one) =>
        [...one.element.children]
          .map((part) => part.textContent?.trim())
          .filter(Boolean)
          .join(' '),
      )
    expect(words()).toEqual([
      'a.txt +3 −1',
      'old.txt deleted by a command changed since +0 −2',
      'new/b.txt moved',
      'run.sh mode cannot be undone',
    ])
    expect(panel.text()).toContain('4 paths')
    language.value = 'zh-CN'
    await nextTick()
    expect(words()[1]).toBe('old.txt 已删除 由命令更改 之后又有更改 +0 −2')
  })

  it('says so when a run changed nothing, and why it could not be read', async () => {
    await open([])
    expect(panel.text()).toContain('This run changed nothing.')
    readReview.mockRejectedValueOnce(new Fault('INTERNAL', 'the disk is gone'))
    await useReview().refresh()
    await flushPromises()
    expect(panel.text()).toContain('the disk is gone')
    await button('Try again')?.trigger('click')
    await flushPromises()
    expect(panel.text()).not.toContain('the disk is gone')
  })

  it('leads from run to run, and stays with the one that was chosen', async () => {
    const end = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 1 }] as const
    await open([row('s1/0', 'a.txt')], {}, [
      [begun, end],
      [begun, end],
    ])
    expect(panel.text()).toContain('Run 2 of 2')
    await panel.get('[aria-label="Previous run"]').trigger('click')
    await flushPromises()
    expect(panel.text()).toContain('Run 1 of 2')
    expect(readReview.mock.calls.at(-1)).toEqual(['run-1'])
  })

  it('shows what is not a text by its size, and what became of a link and a mode', async () => {
    await open(
      [
        row('s1/0', 'run.sh', { op: 'mode', after: { mode: '755', size: 10 } }),
        row('s1/1', 'l', { kind: 'link', op: 'symlink', before: { target: 'a' }, after: { target: 'b' } }),
      ],
      { text: false, diff: '', hunks: false },
    )
    expect(panel.text()).toContain('Permissions 644 → 755')
    expect(panel.text()).toContain('10 B → 10 B')
    await press('n')
    expect(panel.text()).toContain('Led to a, leads to b')
  })

  it('DOC-04: shows a picture that was made or moved, as it is now', async () => {
    const pictures = [{ mediaType: 'image/png', data: 'iVBO' }]
    const file: FilePreview = {
      path: 'b.png',
      text: '',
      encoding: '',
      truncated: false,
      binary: true,
      size: 9,
      document: { format: 'picture', text: { pictures } },
    }
    readFile.mockResolvedValueOnce(file)
    const gone = row('s1/1', 'old.png', { op: 'delete', state: 'applied' })
    await open([row('s1/0', 'b.png', { op: 'modify', from: 'a.png' }), gone], {
      text: false,
      diff: '',
      hunks: false,
    })
    expect(panel.get('img').attributes('src')).toBe('data:image/png;base64,iVBO')
    readFile.mockClear()
    await press('n')
    expect(panel.find('img').exists()).toBe(false)
    expect(readFile).not.toHaveBeenCalled()
  })
})

describe('DESK-03 what waits', () => {
  it('is in the list, with its lines, and leads to its answer', async () => {
    await open([row('s1/0', 'a.txt')], {}, [
      [
        begun,
        ['step.started', { step: 1, maxSteps: 50 }],
        call('c2', 'write_file', { path: 'b.txt', content: 'b' }),
        [
          'tool.confirm_request',
          {
            callId: 'c2',
            toolName: 'write_file',
            arguments: { path: 'b.txt', content: 'b' },
            preview: { effect: 'files', path: 'b.txt', diff: '', added: 1, removed: 0 },
            hash: 'h',
            expiresAt: begin + 300_000,
          },
        ],
      ],
    ])
    const waiting = panel.get('[aria-label="Waits for an answer"] button')
    expect(waiting.text()).toMatch(/^Write b\.txt\s*waits for you\s*\+1 −0$/)
    await waiting.trigger('click')
    expect(useWindow().reviews).toBe(1)
  })
})

describe('DESK-04 the parts', () => {
  it('are kept and taken back by keys, and gone through', async () => {
    await open([row('s1/0', 'a.txt'), row('s1/1', 'b.txt')])
    expect(parts()).toHaveLength(2)
    expect(parts()[0]?.classes()).toContain('current')
    await press('y')
    expect(parts()[0]?.text()).toContain('kept')
    expect(parts()[1]?.classes()).toContain('current')
    await press('x')
    expect(bridge.chooseHunks.mock.calls).toEqual([['run-1', 's1/0', [headers[1]]]])
    await press('k')
    expect(parts()[0]?.classes()).toContain('current')
    await press('n')
    expect(selected()).toContain('b.txt')
    await press('p')
    expect(selected()).toContain('a.txt')
  })

  it('that are pressed twice are there again, though nothing was read in between', async () => {
    await open([row('s1/0', 'a.txt')])
    readReview.mockReturnValue(new Promise(() => {}))
    await press('x')
    await press('x')
    expect(bridge.chooseHunks.mock.calls.map(([, , taken]) => taken)).toEqual([[headers[0]], []])
  })

  it('that are pressed twice are there again, though the text is read from before in between', async () => {
    await open([row('s1/0', 'a.txt')])
    const before = await readReviewText('run-1', 's1/0')
    let answer: (text: typeof before) => void = () => {}
    readReviewText.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    void useReview().refresh()
    await flushPromises()
    readReview.mockReturnValue(new Promise(() => {}))
    await press('x')
    answer(before)
    await flushPromises()
    await press('x')
    expect(bridge.chooseHunks.mock.calls.map(([, , taken]) => taken)).toEqual([[headers[0]], []])
  })

  it('that were taken back say so, and are made again', async () => {
    await open([row('s1/0', 'a.txt', { state: 'partly' })], { taken: headers })
    expect(parts()[0]?.classes()).toContain('taken')
    await button('Redo part')?.trigger('click')
    expect(bridge.chooseHunks.mock.calls).toEqual([['run-1', 's1/0', [headers[1]]]])
  })

  it('say why they could not be taken back', async () => {
    await open([row('s1/0', 'a.txt')])
    bridge.chooseHunks.mockRejectedValueOnce(new Fault('CONFLICT', 'the same lines were changed since'))
    await press('x')
    expect(panel.get('[role=alert]').text()).toContain('The same lines were changed since.')
  })

  it('are not offered where there are none: the whole change is taken back', async () => {
    await open([row('s1/0', 'new.txt', { op: 'create' })], { hunks: false })
    expect(button('Undo part')).toBeUndefined()
    await press('x')
    expect(bridge.undo.mock.calls).toEqual([[{ runId: 'run-1', row: 's1/0', redo: false }]])
  })

  it('are not taken back before they are seen', async () => {
    await open([row('s1/0', 'a.txt'), row('s1/1', 'b.txt')])
    readReviewText.mockReturnValueOnce(new Promise(() => {}))
    await press('n')
    await press('x')
    expect(bridge.undo).not.toHaveBeenCalled()
    expect(bridge.chooseHunks).not.toHaveBeenCalled()
  })

  it('are shown side by side', async () => {
    await open([row('s1/0', 'a.txt')])
    await panel.get('[aria-label="Side by side"]').trigger('click')
    const sides = parts()[0]?.findAll('.row') ?? []
    expect(sides[0]?.findAll('.side').map((one) => one.text())).toEqual(['1one', '1eins'])
  })

  it('take the whole width and give it back', async () => {
    await open([row('s1/0', 'a.txt')])
    await press('f')
    expect(useShell().full).toBe(true)
    expect(useShell().leaveFull()).toBe(true)
    expect(useShell().full).toBe(false)
  })
})

describe('comments on lines', () => {
  it('make one message, which is not sent by itself', async () => {
    await open([row('s1/0', 'a.txt')])
    await press('c')
    const field = panel.get('textarea')
    expect(document.activeElement).toBe(field.element)
    await field.setValue('Use a table.')
    await panel.get('form').trigger('submit')
    await parts()[1]?.get('.removed .number').trigger('click')
    await nextTick()
    await panel.get('textarea').setValue('Keep this.')
    await panel.get('textarea').trigger('keydown', { key: 'Enter', ctrlKey: true })
    expect(panel.text()).toContain('Put 2 comments into the message')
    await button('Put 2 comments into the message')?.trigger('click')
    expect(useComposer().text).toBe(
      'About your changes:\n\na.txt, line 1\n> eins\nUse a table.\n\na.txt, line 42 before the change\n> away\nKeep this.',
    )
    expect(useReview().comments).toHaveLength(0)
  })

  it('are left with Esc', async () => {
    await open([row('s1/0', 'a.txt')])
    await press('c')
    await panel.get('textarea').trigger('keydown', { key: 'Escape' })
    expect(panel.find('textarea').exists()).toBe(false)
  })
})

describe('CHG-04 the page of an undo', () => {
  it('shows what will be done, asks about conflicts, and says what was done', async () => {
    await open([row('s1/0', 'a.txt')])
    readUndo.mockResolvedValue({
      steps: [
        step('s1/1', 'b.txt', { becomes: 'goes', during: true }),
        step('s1/0', 'a.txt', { verdict: 'conflict', choices: ['merge', 'mine', 'restore', 'both'] }),
        step('s1/2', 'c.bin', { verdict: 'conflict', choices: ['mine', 'restore'] }),
        step('s1/3', 'd.bin', { verdict: 'impossible', lost: 'freed' }),
      ],
    })
    await button('Undo run…')?.trigger('click')
    await flushPromises()
    expect(panel.text()).toContain('2 paths were changed since: choose what becomes of them.')
    expect(panel.text()).toContain('stays: what was kept of it was freed')
    const radios = panel.findAll<HTMLInputElement>('input[type=radio]')
    expect(radios.filter(({ element }) => element.checked).map(({ element }) => element.value)).toEqual([
      'merge',
      'mine',
    ])
    await radios
      .find(({ element }) => element.value === 'restore' && element.name.endsWith('s1/2'))
      ?.setValue()
    bridge.undo.mockResolvedValueOnce({ paths: 3, kept: 1 })
    await button('Undo')?.trigger('click')
    await flushPromises()
    expect(bridge.undo.mock.calls).toEqual([
      [{ runId: 'run-1', choices: { 's1/0': 'merge', 's1/2': 'restore' } }],
    ])
    expect(panel.get('[role=status]').text()).toContain('3 paths undone · 1 path stays as it is')
    // That is undone the same way.
    await panel.get('[role=status] button').trigger('click')
    await flushPromises()
    expect(bridge.undo.mock.calls.at(-1)).toEqual([{ runId: 'run-1', choices: {}, redo: true }])
  })

  it('has nothing to do where nothing is left, and says why it failed', async () => {
    await open([row('s1/0', 'a.txt')])
    readUndo.mockResolvedValue({ steps: [] })
    await button('Undo run…')?.trigger('click')
    await flushPromises()
    expect(panel.text()).toContain('There is nothing to undo.')
    await panel.get('section').trigger('keydown', { key: 'Escape' })
    expect(panel.find('[role=listbox]').exists()).toBe(true)
    readUndo.mockResolvedValue({ steps: [step('s1/0', 'a.txt')] })
    await button('Undo run…')?.trigger('click')
    await flushPromises()
    bridge.undo.mockRejectedValueOnce(new Fault('BUSY', 'a run is running'))
    await button('Undo')?.trigger('click')
    await flushPromises()
    expect(panel.get('[role=alert]').text()).toContain('a run is running')
  })

  it('comes first for a path that was changed since', async () => {
    await open([row('s1/0', 'a.txt', { state: 'changed' })])
    readUndo.mockResolvedValue({ steps: [step('s1/0', 'a.txt', { verdict: 'conflict', choices: ['mine'] })] })
    await button('Undo')?.trigger('click')
    await flushPromises()
    expect(bridge.undo).not.toHaveBeenCalled()
    expect(readUndo.mock.calls.at(-1)).toEqual([{ runId: 'run-1', row: 's1/0', redo: false }])
    expect(panel.text()).toContain('Undo this change')
  })
})

describe('CHG-06 the review', () => {
  it('of the first run of a conversation is read, though there was none before', async () => {
    readReview.mockResolvedValue({ rows: [], aside: [] })
    const review = useReview()
    await flushPromises()
    await open([row('s1/0', 'a.txt')])
    await review.refresh()
    await flushPromises()
    expect(rows()).toHaveLength(1)
  })

  it('follows its run while that is running', async () => {
    vi.useFakeTimers()
    await open([], {}, [[begun]])
    readReview.mockResolvedValue({ rows: [row('s1/0', 'a.txt')], aside: [] })
    useRuns().receive(
      eventsOf([
        begun,
        ['step.started', { step: 1, maxSteps: 50 }],
        call('c1', 'write_file', { path: 'a.txt', content: 'a' }),
        ['tool.running', { callId: 'c1' }],
        [
          'tool.result',
          {
            callId: 'c1',
            success: true,
            content: '',
            durationMs: 1,
            truncated: false,
            changes: [{ path: 'a.txt', kind: 'created', added: 1, removed: 0, setId: 's1' }],
          },
        ],
      ]),
    )
    await vi.advanceTimersByTimeAsync(1000)
    vi.useRealTimers()
    await flushPromises()
    expect(rows()).toHaveLength(1)
    // Nothing is taken back meanwhile.
    const offers = ['Undo run…', 'Undo', 'Undo part'].map((words) => button(words)?.attributes('disabled'))
    expect(offers).toEqual(['', '', ''])
    await press('x')
    expect(bridge.undo).not.toHaveBeenCalled()
    expect(bridge.chooseHunks).not.toHaveBeenCalled()
  })

  it('reads the text again when what is selected becomes another', async () => {
    await open([row('s1/0', 'a.txt'), row('s1/1', 'b.txt')])
    expect(readReviewText).not.toHaveBeenCalledWith('run-1', 's1/1')
    await press('ArrowDown')
    expect(readReviewText).toHaveBeenCalledWith('run-1', 's1/1')
  })
})
