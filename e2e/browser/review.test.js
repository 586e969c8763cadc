import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite()

/** A file is read before it is edited. */
const read = (path) => call('c0', 'read_file', { path })

const row = (window, name) => window.page.getByRole('option', { name })
const desk = (window) => window.page.getByRole('complementary')
const inDesk = (window, key) => desk(window).getByRole('button', { name: window.words(key), exact: true })

it('DESK-04 parts are taken back by keys, and what somebody else wrote stays', async ({
  window,
  model,
  folder,
}) => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`)
  const path = join(folder, 'a.txt')
  writeFileSync(path, `${lines.join('\n')}\n`)
  const edits = [
    { old: 'line 2\n', new: 'first\n' },
    { old: 'line 30\n', new: 'second\n' },
  ]
  await model.script(read('a.txt'), call('c1', 'edit_file', { path: 'a.txt', edits }), 'text Done.')
  await window.send('Edit it.')
  await window.press('confirm.approve')
  await window.ended()
  writeFileSync(path, readFileSync(path, 'utf8').replace('line 15', 'mine'))
  await row(window, /a\.txt/).waitFor()
  await window.page.locator('[data-part]').nth(1).waitFor()
  await window.page.getByRole('listbox').focus()
  await window.page.keyboard.press('j')
  await window.page.keyboard.press('x')
  await until('the second part is gone', () => !readFileSync(path, 'utf8').includes('second'))
  const text = readFileSync(path, 'utf8')
  assert.match(text, /^line 0\nline 1\nfirst\n/)
  assert.match(text, /\nmine\n/)
  assert.match(text, /\nline 30\n/)
  await inDesk(window, 'review.putBack').and(window.page.locator(':enabled')).waitFor()
  await window.page.keyboard.press('x')
  await until('it is there again', () => readFileSync(path, 'utf8').includes('second'))
})

it('CHG-04 a conflict is decided on the page of the undo, which Ctrl+Z leads to', async ({
  window,
  model,
  folder,
}) => {
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'one\ntwo\nthree\nfour\nfive\n')
  await model.script(
    read('a.txt'),
    call('c1', 'edit_file', { path: 'a.txt', edits: [{ old: 'five', new: 'fünf' }] }),
    'text Done.',
    'text Seen.',
  )
  await window.send('Edit it.')
  await window.press('confirm.approve')
  await window.ended()
  writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'mine'))
  await window.composer.focus()
  await window.page.keyboard.press('Control+z')
  await window.page.getByRole('radio', { name: window.words('review.plan.choices.merge') }).waitFor()
  await inDesk(window, 'review.plan.undo').click()
  await until('it is merged', () => readFileSync(path, 'utf8') === 'mine\ntwo\nthree\nfour\nfive\n')
  // The model is told.
  await window.send('What now?')
  await window.transcript.getByText('Seen.').waitFor()
  const [, , , third] = await model.requests()
  assert.match(JSON.stringify(third), /the user has taken back what you changed in a\.txt/)
  // What is being written is not taken back that way; an empty field leads there again.
  const plan = window.page.getByRole('heading', { name: window.words('review.plan.undoRun') })
  await window.composer.fill('abc')
  await window.page.keyboard.press('Control+z')
  // Two frames are enough for a page that would come.
  await window.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  assert.equal(await plan.count(), 0)
  await window.composer.fill('')
  await window.page.keyboard.press('Control+z')
  await plan.waitFor()
})

it('CHG-05 everything since a prompt is taken back from there', async ({ window, model, folder }) => {
  const write = (id, name) => call(id, 'write_file', { path: name, content: `${name}\n` })
  await model.script(write('c1', 'a.txt'), 'text Done.', write('c2', 'b.txt'), 'text Done.')
  for (const prompt of ['Write a.', 'Write b.']) {
    await window.send(prompt)
    await window.press('confirm.approve')
    await window.ended()
  }
  const names = ['a.txt', 'b.txt']
  await window.transcript.getByText('Write a.').hover()
  await window.transcript
    .getByRole('button', { name: window.words('transcript.back') })
    .first()
    .click()
  await window.page.getByRole('heading', { name: window.words('review.plan.undoSince') }).waitFor()
  await inDesk(window, 'review.plan.undo').click()
  await until('both are gone', () => names.every((name) => !existsSync(join(folder, name))))
})

it('DESK-01 the desk is half of the window, is dragged, and takes the whole width', async ({
  window,
  model,
}) => {
  await model.script(say('Hello.'))
  await window.send('Hello?')
  await window.ended()
  const { page } = window
  // The page draws the new width in a frame of its own, after the key or the new size.
  const wide = (expected) =>
    until(`the desk is ${expected} px wide`, async () => {
      const { width } = await desk(window).boundingBox()
      if (width !== expected) throw new Error(`${width} px`)
      return true
    })
  await wide(1280 - 232 - 460)
  await page.setViewportSize({ width: 1440, height: 900 })
  await wide(720)
  const splitter = page.getByRole('separator')
  const at = await splitter.boundingBox()
  await page.mouse.move(at.x + 3, at.y + 100)
  await page.mouse.down()
  await page.mouse.move(at.x + 103, at.y + 100, { steps: 4 })
  await page.mouse.up()
  await wide(620)
  await splitter.press('End')
  await wide(420)
  await page.setViewportSize({ width: 1000, height: 700 })
  await desk(window).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+i')
  await desk(window).waitFor()
  assert.equal(await window.composer.isVisible(), true)
  await page.keyboard.press('Control+i')
  await desk(window).waitFor({ state: 'detached' })
})
