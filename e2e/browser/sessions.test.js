import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite()

for (const language of ['en', 'zh-CN']) {
  it(
    `ST-03 a task goes on while another conversation is shown, in ${language}`,
    async ({ window, model, folder }) => {
      await model.script(
        call('c1', 'write_file', { path: 'a.txt', content: 'a' }),
        'text Other.',
        'text Written.',
      )
      await window.send('Write a file')
      await window.card.waitFor()
      await window.press('shell.conversation')
      await window.card.waitFor({ state: 'detached' })
      await window
        .row('Write a file')
        .and(window.page.getByRole('button', { name: window.words('transcript.state.waiting') }))
        .waitFor()
      await window.send('Say something')
      await window.transcript.getByText('Other.').waitFor()
      await window.ended()
      await window.row('Write a file').click()
      await window.press('confirm.approve')
      await window.transcript.getByText('Written.').waitFor()
      await window.ended()
      assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'a')
      await window.row('Say something').click()
      await window.transcript.getByText('Other.').waitFor()
      assert.equal(await window.transcript.getByText('Written.').count(), 0)
    },
    { language },
  )
}

it('ST-03 what streams in another conversation is whole when one comes back', async ({ window, model }) => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i} `)
  await model.script(words.map((word) => `${say(word)}\nwait 40ms`).join('\n'), 'text Other.')
  await window.send('Count')
  await window.transcript.getByText('word3').waitFor()
  await window.press('shell.conversation')
  await window.send('Say something')
  await window.transcript.getByText('Other.').waitFor()
  await window.row('Count').click()
  await window.transcript.getByText('word39').waitFor()
  await window.ended()
  const shown = await window.transcript.innerText()
  assert.ok(shown.includes(words.join('').trim()), shown)
})

it('a draft stays with its conversation', async ({ window, model }) => {
  await model.script('text One.')
  await window.send('First')
  await window.ended()
  await window.composer.fill('not sent yet')
  await window.press('shell.conversation')
  await until('the new one has none', async () => (await window.composer.inputValue()) === '')
  await window.row('First').click()
  await until('the draft is back', async () => (await window.composer.inputValue()) === 'not sent yet')
})

it('UI-05 a conversation is renamed and deleted by the keyboard, and brought back', async ({
  window,
  model,
  app,
}) => {
  await model.script('text One.')
  await window.send('First words')
  await window.ended()
  await window.row('First words').focus()
  await window.page.keyboard.press('F2')
  await window.get('textbox', 'sessions.title').fill('修复 <b>parser</b>')
  await window.page.keyboard.press('Enter')
  await window.row('修复 <b>parser</b>').waitFor()
  await until('the header has the title', async () =>
    (await window.page.getByRole('heading', { level: 1 }).innerText()).includes('修复 <b>parser</b>'),
  )
  await window.row('修复').focus()
  await window.page.keyboard.press('Delete')
  await window.sidebar.getByText(window.words('sessions.none')).waitFor()
  assert.equal((await app.state()).sessionId, '')
  await window.press('sessions.undo')
  await window.row('修复').waitFor()
  await window.transcript.getByText('One.').waitFor()
})

it('UI-05 two pages list the same', async ({ window, open, model }) => {
  await model.script('text One.')
  const other = await open({ language: 'zh-CN' })
  await window.send('First words')
  await other.row('First words').waitFor()
  await other.ended()
  const { id } = (await (await fetch(`${window.origin}/fairlead/sessions?limit=1`)).json()).sessions[0]
  await other.go('desktop.Sessions.Delete', id)
  await window.sidebar.getByText(window.words('sessions.none')).waitFor()
})

it('LOOP-14 what failed is gone on with by one press', async ({ window, model }) => {
  await model.script(call('c1', 'list_files', { path: '.' }), 'status 400 no', 'text All of it.')
  await window.send('List the files')
  await window.ended('ends.codes.BAD_REQUEST')
  await window.press('ends.actions.continue')
  await window.transcript.getByText('All of it.').waitFor()
  await window.ended()
  await window.transcript.getByText(window.words('transcript.continued'), { exact: true }).waitFor()
  const bodies = await model.requests()
  assert.equal(JSON.stringify(bodies.at(-1)).split('List the files').length, 2)
})

it('ST-01 what is far back is read when somebody looks there', async ({ window, model, app }) => {
  const tasks = 27
  await model.script(...Array.from({ length: tasks }, (_, i) => `text Answer ${i}.`))
  let sessionId = ''
  for (let i = 0; i < tasks; i++) {
    ;({ sessionId } = await window.go('main.App.Run', { prompt: `Task ${i}`, sessionId }))
    await until('it has ended', async () => (await app.state()).runs.every((run) => run.ended))
  }
  await window.load()
  // While answers are missing there may be nothing to scroll, and Home would do nothing.
  const answers = window.transcript.getByText(/^Answer \d+\.$/)
  await until('the last 20 are there', async () => (await answers.count()) === 20)
  assert.equal(await window.transcript.getByText('Answer 0.').count(), 0)
  await window.transcript.focus()
  await window.page.keyboard.press('Home')
  await window.transcript.getByText('Answer 0.').waitFor()
  const shown = await window.page.locator('[data-turn]').evaluateAll((turns) => turns.length)
  assert.equal(shown, tasks)
})
