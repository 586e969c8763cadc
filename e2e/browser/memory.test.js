import assert from 'node:assert/strict'

import { call } from './harness/model.js'
import { suite } from './harness/suite.js'

/** @typedef {import('./harness/browser.js').Window} Window */

const it = suite()

/** @param {Window} window */
async function openNotes(window) {
  await window.press('shell.settings.panel')
  await window.press('settings.sections.extensions')
  const field = window.get('textbox', 'settings.memory.label')
  await field.waitFor()
  return field
}

for (const language of ['en', 'zh-CN']) {
  it(
    `EXT-06 what is noted about the folder is shown, changed and given to the model, in ${language}`,
    async ({ window, model }) => {
      await model.script(
        call('c1', 'remember', { text: 'The tests need TZ=UTC.' }),
        'text Noted.',
        'text Done.',
      )
      await window.send('Note it.')
      await window.card.getByText(window.words('confirm.fact.memory')).waitFor()
      await window.press('confirm.approve')
      await window.transcript.getByText('Noted.').waitFor()
      await window.ended()
      const field = await openNotes(window)
      assert.match(await field.inputValue(), /^- \d{4}-\d\d-\d\d: The tests need TZ=UTC\.\n$/)
      await field.fill('Tests run with `make test`.\n')
      await window.press('settings.memory.save')
      await window.page.getByText(window.words('settings.saved'), { exact: true }).waitFor()
      await window.page.keyboard.press('Escape')
      await window.send('Go.')
      await window.transcript.getByText('Done.').waitFor()
      const requests = (await model.requests()).map((request) => JSON.stringify(request))
      assert.ok(requests[2].includes('Tests run with `make test`.'), requests[2].slice(0, 4000))
    },
    { language },
  )
}

it('EXT-06 what others note meanwhile is shown, and neither text is lost', async ({ window, app }) => {
  const field = await openNotes(window)
  await field.fill('mine\n')
  await window.go('desktop.Folders.SaveMemory', 'theirs\n', '')
  await window.press('settings.memory.save')
  await window.page.getByText(window.words('settings.memory.changed')).waitFor()
  await window.page.getByText('theirs', { exact: true }).waitFor()
  assert.equal(await field.inputValue(), 'mine\n')
  // What was typed stays when the settings are left.
  await window.page.keyboard.press('Escape')
  assert.equal(await (await openNotes(window)).inputValue(), 'mine\n')
  await window.press('settings.memory.keep')
  await window.page.getByText(window.words('settings.saved'), { exact: true }).waitFor()
  await window.page.getByText(window.words('settings.memory.changed')).waitFor({ state: 'detached' })
  const saved = await (await fetch(`${app.origin}/fairlead/memory`)).json()
  assert.equal(saved.text, 'mine\n')
})
