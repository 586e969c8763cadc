import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite({ bare: true })

/** What lies in the folder: contents and permissions, by name. */
const contents = (folder, names) =>
  Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name)
      if (!existsSync(path)) return [name, null]
      return [name, `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`]
    }),
  )

/** A file is read before it is edited. */
const read = (path) => call('c0', 'read_file', { path })

const row = (window, name) => window.page.getByRole('option', { name })
const desk = (window) => window.page.getByRole('complementary')
const inDesk = (window, key) => desk(window).getByRole('button', { name: window.words(key), exact: true })

/**
 * Four scenes: an approved edit, and a command that deletes, renames and changes a mode. Each is
 * seen in its row, in the review, after a restart, and is taken back.
 */
const scenes = [
  {
    what: 'an approved edit',
    read: true,
    reply: call('c1', 'edit_file', { path: 'a.txt', edits: [{ old: 'two', new: 'zwei' }] }),
    row: /a\.txt \+1 −1/,
    shows: 'zwei',
    call: 'transcript.did.edit',
    open: 'zwei',
  },
  {
    what: 'a delete by a command',
    reply: call('c1', 'shell', { command: 'rm a.txt' }),
    row: /a\.txt deleted by a command \+0 −3/,
    shows: 'two',
    call: 'transcript.did.run',
    open: 'two',
  },
  {
    what: 'a rename by a command',
    reply: call('c1', 'shell', { command: 'mv a.txt b.txt' }),
    row: /b\.txt moved by a command/,
    shows: 'Moved from a.txt.',
    call: 'transcript.did.run',
    open: 'b.txt',
  },
  {
    what: 'a change of mode by a command',
    reply: call('c1', 'shell', { command: 'chmod 755 a.txt' }),
    row: /a\.txt mode by a command/,
    shows: 'Permissions 644 → 755',
    call: 'transcript.did.run',
    open: 'a.txt',
  },
]

for (const scene of scenes) {
  it(`DESK-02 ${scene.what} is seen, is there after a restart, and is taken back`, async ({
    window,
    open,
    model,
    app,
  }) => {
    const folder = mkdtempSync(join(app.home, 'folder-'))
    await window.workIn(folder, model)
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n')
    chmodSync(join(folder, 'a.txt'), 0o644)
    const names = ['a.txt', 'b.txt']
    const before = contents(folder, names)
    await model.script(...(scene.read ? [read('a.txt')] : []), scene.reply, 'text Done.')
    await window.send('Change it.')
    await window.press('confirm.approve')
    await window.ended()
    const after = contents(folder, names)
    assert.notDeepEqual(after, before)

    await window.unfold()
    // In its row, whose details show what was changed.
    await window.transcript
      .getByRole('button', { name: window.words(scene.call) })
      .first()
      .click()
    await window.transcript.getByText(scene.open).first().waitFor()
    // In the review, beside it.
    await row(window, scene.row).waitFor()
    await desk(window).getByText(scene.shows).first().waitFor()
    // After a restart.
    // The page loses the program that it talks to.
    window.expected.push(/./)
    await app.restart()
    const again = await open()
    await again.ended()
    await again.page.keyboard.press('Control+Shift+D')
    await row(again, scene.row).waitFor()
    await desk(again).getByText(scene.shows).first().waitFor()
    // And taken back, and made again.
    await inDesk(again, 'review.undoRun').click()
    await inDesk(again, 'review.plan.undo').click()
    await again.page.getByText(again.words('review.states.undone')).first().waitFor()
    assert.deepEqual(contents(folder, names), before)
    await inDesk(again, 'review.redoRun').click()
    await inDesk(again, 'review.plan.redo').click()
    await until('it is made again', () => {
      assert.deepEqual(contents(folder, names), after)
      return true
    })
  })
}
