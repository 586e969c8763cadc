import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'

import { canary } from './harness/browser.js'
import { suite } from './harness/suite.js'

// A session bus that is not there: no keyring, and no other desktop service.
const it = suite({
  bare: true,
  env: () => ({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', NO_AT_BRIDGE: '1' }),
})

for (const language of ['en', 'zh-CN']) {
  it(
    `SEC-01 without a keyring a key serves for this session only (${language})`,
    async ({ window, app, model }) => {
      await model.key(canary)
      if (await window.get('button', 'welcome.later').isVisible()) await window.press('welcome.later')
      await window.page.locator('form .chip').first().click()
      await window.press('models.list.others')
      await window.get('textbox', 'welcome.model.address').fill(model.baseURL)
      await window.page.getByLabel(window.words('welcome.model.key'), { exact: true }).fill(canary)
      await window.get('combobox', 'welcome.model.name').fill('scripted')
      await window.press('shell.model.use')
      const fault = window.page.getByRole('alert')
      await fault.getByText(window.words('faults.codes.KEYRING')).waitFor()
      await fault.getByRole('button', { name: window.words('faults.actions.session'), exact: true }).click()
      await fault.getByText(window.words('faults.codes.KEYRING')).waitFor({ state: 'detached' })
      // It is no longer being saved.
      await window.get('button', 'shell.model.use').and(window.page.locator(':enabled')).waitFor()
      const { model: chosen } = await app.state()
      assert.equal(chosen.keySource, 'session')
    },
    { language },
  )
}

it('SEC-01 a task runs with the key of this session, and a command does not see it', async ({
  window,
  app,
  model,
}) => {
  await model.key(canary)
  await model.script(
    'call c1 shell {"command":"env; cat /proc/self/environ /proc/$PPID/environ; echo seen"}',
    'text Done.',
  )
  await window.go('desktop.Folders.Open', mkdtempSync(`${app.home}/folder-`))
  await window.load()
  await window.send('Look around.')
  await window.press('confirm.approve')
  await window.ended()
  assert.match((await model.requests())[1].messages.at(-1).content, /seen/)
  assert.ok(!JSON.stringify(await model.requests()).includes(canary), 'the model was sent the key')
  assert.ok(!app.log().includes(canary), 'the key is in the log')
})
