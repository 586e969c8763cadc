import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { canary } from './harness/browser.js'
import { suite } from './harness/suite.js'

/* These tests are one story: what the user chose stays chosen. */
const it = suite({ bare: true, env: (model) => ({ OLLAMA_HOST: model.url }) })

/** Opens a folder as the native dialog, which a browser cannot see, would. */
async function chooseFolder({ app, window }) {
  const folder = mkdtempSync(join(app.home, 'chosen-'))
  await window.go('desktop.Folders.Open', folder)
  return folder
}

/** The model before has no key, so its provider is not asked for its list. */
const unreached = /422 .*\/fairlead\/offered/

it('UI-06 usage: each thing that is missing is named, with the way to it', async (stage) => {
  const { window } = stage
  await window.press('welcome.later')
  const fault = window.page.getByRole('alert')
  await window.send('Go.')
  await fault.getByText(window.words('faults.codes.NO_FOLDER')).waitFor()
  await fault.getByRole('button', { name: window.words('faults.actions.folder'), exact: true }).click()
  await window.get('dialog', 'shell.folder.panel').waitFor()
  await window.page.keyboard.press('Escape')
  await chooseFolder(stage)
  await window.send('Go.')
  await fault.getByText(window.words('faults.codes.NO_MODEL')).waitFor()
  await fault.getByRole('button', { name: window.words('faults.actions.model'), exact: true }).click()
  await window.get('heading', 'settings.sections.models').waitFor()
  await window.press('shell.close')
  const choice = { provider: 'openai', baseUrl: '', model: 'gpt', key: '', keep: '' }
  await window.go('desktop.Models.Use', choice)
  await window.send('Go.')
  await fault.getByText(window.words('faults.codes.NO_KEY')).waitFor()
  await fault.getByRole('button', { name: window.words('faults.actions.model'), exact: true }).waitFor()
  await assert.rejects(window.go('main.App.Run', { prompt: ' ' }), /USAGE/)
})

it(
  'UI-06 usage: the same in Chinese',
  async ({ window }) => {
    const fault = window.page.getByRole('alert')
    await window.send('开始。')
    await fault.getByText(window.words('faults.codes.NO_KEY')).waitFor()
    await fault.getByRole('button', { name: window.words('faults.actions.model'), exact: true }).waitFor()
  },
  { language: 'zh-CN' },
)

it('UI-06 a model on this computer is found by itself', async ({ window }) => {
  window.expected.push(unreached)
  await window.page.getByRole('button', { name: /^Model:/ }).click()
  await window.press('models.list.others')
  await window.page
    .getByRole('radio', { name: window.words('welcome.model.local', { title: 'Ollama' }) })
    .check()
  await window.get('combobox', 'welcome.model.localModel').selectOption('scripted')
  await window.press('shell.model.use')
  await window.press('shell.close')
  await window.page.getByRole('button', { name: 'Model: scripted' }).waitFor()
})

it('SEC-01 a key is tested, kept in the keyring and used; it never comes back to the page', async (stage) => {
  const { window, app, model } = stage
  await model.key(canary)
  window.expected.push(unreached)
  await window.page.getByRole('button', { name: /^Model:/ }).click()
  await window.press('models.list.others')
  await window.page.getByRole('radio', { name: window.words('welcome.model.remote') }).check()
  await window.choose('welcome.model.provider', window.words('welcome.model.elsewhere'))
  await window.get('textbox', 'welcome.model.address').fill(`${model.baseURL}/chat/completions`)
  await window.page.getByText(`→ ${model.baseURL}/chat/completions`).waitFor()
  const key = window.page.getByLabel(window.words('welcome.model.key'), { exact: true })
  await key.fill('sk-wrong-1234567890')
  await window.press('welcome.model.test')
  await window.page.getByRole('alert').getByText(window.words('faults.codes.AUTH')).waitFor()
  await key.fill(canary)
  await window.get('combobox', 'welcome.model.name').fill('scripted')
  await model.script('call c1 ping {}')
  await window.press('welcome.model.test')
  await window.page.getByText(/^scripted is there · 1 model/).waitFor()
  await window.page.getByText(/^answers a tool call ·/).waitFor()
  await window.press('shell.model.use')
  await window.get('button', 'shell.model.use').and(window.page.locator(':enabled')).waitFor()
  await window.press('shell.close')
  assert.equal((await app.state()).model.keySource, 'keyring')
  await model.script('text Found it.')
  await window.send('Go.')
  await window.ended()
})

it('UI-01 after a restart folder, model and key are there again', async (stage) => {
  const { window, app, model } = stage
  const before = await app.state()
  await window.close()
  await app.restart()
  const again = await stage.open()
  const after = await app.state()
  assert.deepEqual(
    [after.workspace, after.model.model, after.model.baseUrl],
    [before.workspace, 'scripted', model.baseURL],
  )
  assert.ok(after.recent.includes(before.workspace.path))
  await again.page.getByRole('button', { name: `Folder: ${before.workspace.name}` }).waitFor()
  await model.script('text Still there.')
  await again.send('Go.')
  await again.ended()
  assert.ok(!app.log().includes(canary), 'the key is in the log')
})

it('UI-06 a new workspace is made below the documents', async ({ window, app }) => {
  await window.page.getByRole('button', { name: /^Folder:/ }).click()
  await window.press('shell.folder.create')
  await window.get('textbox', 'shell.folder.name').fill('预算 2026')
  await window.press('shell.folder.make')
  await window.page.getByRole('button', { name: 'Folder: 预算 2026' }).waitFor()
  assert.equal((await app.state()).workspace.path, join(app.home, 'Documents/Fairlead/预算 2026'))
})

it('UI-06 the guided tour runs to a changed file', async ({ app, browser, window }) => {
  await window.go('desktop.Sessions.Tour')
  await window.page.getByText(window.words('transcript.tour')).waitFor()
  await window.card.getByText('budget.csv').first().waitFor()
  await window.press('confirm.approve')
  await window.get('region', 'confirm.command').getByText('sh check.sh').waitFor()
  await window.press('confirm.approve')
  await window.ended()
  const { workspace } = await app.state()
  assert.match(readFileSync(join(workspace.path, 'budget.csv'), 'utf8'), /^total,,,470$/m)
  assert.ok(browser.isConnected())
  // It takes no other task, and leads to the user's own folder and model.
  await window.get('region', 'shell.tour.label').waitFor()
  assert.equal(await window.composer.count(), 0)
  await window.press('shell.tour.leave')
  await window.get('region', 'shell.tour.label').waitFor({ state: 'detached' })
  assert.equal((await app.state()).tour, false)
})
