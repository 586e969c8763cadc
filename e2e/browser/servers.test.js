import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call } from './harness/model.js'
import { suite } from './harness/suite.js'

/** @typedef {import('./harness/browser.js').Window} Window */

// Nothing in a browser can press a native dialog.
const it = suite({ settings: () => 'dialog = "never"\n' })
const secret = 'hunter2-hunter2-hunter2'
const program = new URL('harness/server.mjs', import.meta.url).pathname

/** The card of the server. @param {Window} window */
const card = (window) => window.page.locator('[data-server="notes"]')

/** Waits for a state of the server. @param {Window} window @param {string} state */
const isIn = (window, state) =>
  card(window)
    .getByText(window.words(`servers.states.${state}`), { exact: true })
    .waitFor()

/** @param {Window} window */
async function openServers(window) {
  await window.press('shell.settings.panel')
  await window.press('settings.sections.extensions')
}

/** Adds the server with the keyboard, by the settings of another client. @param {Window} window */
async function add(window) {
  const button = window.get('button', 'servers.add')
  await button.focus()
  await window.page.keyboard.press('Enter')
  await window.get('textbox', 'servers.form.jsonLabel').fill(
    JSON.stringify({
      mcpServers: {
        Notes: {
          command: process.execPath,
          args: ['server.mjs'],
          env: { TOKEN: secret },
          autoApprove: ['*'],
        },
      },
    }),
  )
  await window.press('servers.form.read')
  await window.page.getByText('"autoApprove"').waitFor()
  // What may be a key is not kept on the page.
  assert.equal(await window.get('textbox', 'servers.form.jsonLabel').inputValue(), '')
  await window.get('radio', 'servers.form.folders.read').check()
  await window.press('servers.form.run')
}

for (const language of ['en', 'zh-CN']) {
  it(
    `EXT-01 EXT-02 a server is added, agreed to, called and suspended when its tools change, in ${language}`,
    async ({ window, model, folder }) => {
      copyFileSync(program, join(folder, 'server.mjs'))
      await model.script(
        call('c1', 'mcp_call', {
          server: 'notes',
          tool: 'say',
          arguments: { text: 'hello' },
        }),
        call('c2', 'mcp_call', {
          server: 'notes',
          tool: 'grow',
          arguments: {},
        }),
        'text One.',
        'text Two.',
      )
      await openServers(window)
      await add(window)
      await isIn(window, 'new')
      // Its tools are read whole, with what they hide.
      await card(window).getByText('Deletes everything.').waitFor({ state: 'detached' })
      await card(window).locator('.hidden-character').first().waitFor()
      await card(window)
        .getByRole('button', {
          name: window.words('servers.agree', { n: 2 }),
          exact: true,
        })
        .click()
      await isIn(window, 'ready')
      assert.ok(!(await window.page.content()).includes(secret))
      await window.page.keyboard.press('Escape')

      await window.send('Say it')
      const { card: question } = window
      await question
        .getByText(
          window.words('servers.call.question', {
            tool: 'say',
            server: 'notes',
          }),
        )
        .waitFor()
      await question.getByText('server.mjs').first().waitFor()
      await window.press('confirm.approve')
      await question
        .getByText(
          window.words('servers.call.question', {
            tool: 'grow',
            server: 'notes',
          }),
        )
        .waitFor()
      writeFileSync(join(folder, 'more.txt'), '')
      await window.press('confirm.approve')
      await window.transcript.getByText('One.').waitFor()
      await window.ended()
      const requests = await model.requests()
      assert.ok(JSON.stringify(requests[1].messages).includes('said hello'))

      await openServers(window)
      await isIn(window, 'suspended')
      await card(window)
        .getByText(window.words('servers.added', { name: 'wipe' }))
        .waitFor()
      await card(window).getByText('Deletes everything.').waitFor()
      await window.press('servers.agreeNew')
      await isIn(window, 'ready')
      await card(window)
        .getByText(window.words('servers.tools', { n: 3 }))
        .waitFor()

      // Off in this conversation: the model is not told of it.
      await card(window).getByRole('switch').click()
      await card(window).getByRole('switch', { checked: false }).waitFor()
      await window.page.keyboard.press('Escape')
      await window.send('Go on')
      await window.transcript.getByText('Two.').waitFor()
      await window.ended()
      const last = (await model.requests()).at(-1)
      assert.ok(!last.tools.some((tool) => tool.function.name === 'mcp_call'))

      await openServers(window)
      await window.press('servers.remove')
      await window.press('servers.removeYes')
      await card(window).waitFor({ state: 'detached' })
      await window.page.getByText(window.words('servers.none')).waitFor()
    },
    { language },
  )
}

it('EXT-01 a server that is granted a host is started by the press that grants it', async ({
  window,
  folder,
}) => {
  copyFileSync(program, join(folder, 'server.mjs'))
  await openServers(window)
  await window.press('servers.add')
  await window.get('radio', 'servers.form.command').check()
  await window.get('textbox', 'servers.form.commandLabel').fill(`${process.execPath} server.mjs`)
  await window.get('textbox', 'servers.form.name').fill('notes')
  await window.press('servers.form.read')
  await window.get('radio', 'servers.form.folders.read').check()
  await window.get('textbox', 'servers.form.hosts').fill('api.example.org')
  await window.press('servers.form.run')
  await isIn(window, 'new')
  await card(window).getByText('api.example.org:443').first().waitFor()
  await window.press('servers.remove')
  await window.press('servers.removeYes')
  await card(window).waitFor({ state: 'detached' })
})
