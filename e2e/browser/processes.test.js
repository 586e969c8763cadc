import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, last } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite()

/** A command that goes on until a file is there. */
const waits = (name) => `echo begun; while [ ! -e ${name} ]; do sleep 0.05; done; echo over`

/** Waits until a text is on the page as it is laid out. */
const shows = (place, text) => until(`it shows ${text}`, async () => text.test(await place.innerText()))

/** Opens the panel and returns its list. */
async function panel(window) {
  await window.page.getByRole('tab', { name: window.words('shell.desk.processes') }).click()
  const list = window.get('listbox', 'processes.label')
  await list.waitFor()
  return list
}

/** Has a call wait for a command, opens that in the panel, and returns it. */
async function waitedFor(window, model) {
  await model.script(call('c1', 'shell', { command: waits('go') }), 'text I go on.')
  await window.send('Run it.')
  await window.press('confirm.approve')
  const list = await panel(window)
  await list.getByRole('option').first().click()
  const chosen = window.get('region', 'processes.chosen')
  await chosen.getByText('begun', { exact: true }).waitFor()
  return chosen
}

it('TOOL-05 a command in the background is listed, followed and ended', async ({ window, model }) => {
  await model.script(
    call('c1', 'shell_start', { command: `printf '\\033[32mgreen\\033[0m\\n'; ${waits('go')}` }),
    call('c2', 'shell_status', { processId: 'p1' }),
    'text It runs.',
  )
  await window.send('Start it.')
  await window.press('confirm.approve')
  await window.ended()
  assert.match(last((await model.requests())[1], 'tool'), /^processId p1, running/)
  await window.page.getByRole('tab', { name: window.words('shell.desk.running', { n: 1 }) }).click()
  const list = window.get('listbox', 'processes.label')
  await list.getByRole('option').first().click()
  const chosen = window.get('region', 'processes.chosen')
  await shows(chosen, /green\nbegun/)
  await window.press('processes.kill')
  await chosen
    .getByRole('button', { name: window.words('processes.kill'), exact: true })
    .last()
    .click()
  await chosen
    .getByText(/SIGKILL|SIGTERM|ended/)
    .first()
    .waitFor()
})

it('TOOL-05 a command that takes long is moved to the background, and its call ends', async ({
  window,
  model,
  folder,
}) => {
  const chosen = await waitedFor(window, model)
  await window.get('button', 'processes.move').first().click()
  await window.ended()
  assert.match(last((await model.requests())[1], 'tool'), /processId p1, running: the user moved/)
  await shows(window.transcript, /Started[^]*in the background[^]*p1/)
  writeFileSync(join(folder, 'go'), '')
  await shows(chosen, /begun\nover/)
})

it('TOOL-05 a command that a call waits for can be ended alone: the task goes on', async ({
  window,
  model,
}) => {
  const chosen = await waitedFor(window, model)
  await window.press('processes.kill')
  await chosen
    .getByRole('button', { name: window.words('processes.kill'), exact: true })
    .last()
    .click()
  await window.ended()
  assert.match(last((await model.requests())[1], 'tool'), /^CANCELLED: the user ended this command\nbegun\n/)
})

it('SEC-02 the network is asked about on its own, and only the dialog can allow it', async ({
  window,
  model,
  app,
  folder,
}) => {
  await model.script(call('c1', 'shell', { command: 'touch ran', network: true }), 'text Without it, then.')
  await window.send('Run it.')
  await window.card.getByText(window.words('confirm.network.next')).waitFor()
  await window.press('confirm.approve')
  const question = window.page.getByText(window.words('confirm.network.question'))
  await question.first().waitFor()
  const { nativeDialogs } = await app.state()
  assert.equal(await window.get('button', 'confirm.network.allow').count(), nativeDialogs ? 0 : 1)
  await window.press('confirm.network.deny')
  await window.ended('ends.refused')
  assert.match(last((await model.requests())[1], 'tool'), /^NETWORK_DENIED: /)
  assert.equal(existsSync(join(folder, 'ran')), false)
})

it('SEC-02 a command says in its row how far it was confined, and what it left', async ({
  window,
  model,
  folder,
}) => {
  await model.script(call('c1', 'shell', { command: 'echo true > .envrc' }), 'text Made.')
  await window.send('Make it.')
  await window.press('confirm.approve')
  await window.ended()
  await until('it is there', () => existsSync(join(folder, '.envrc')))
  await window.transcript
    .getByText(/\.envrc is new/)
    .first()
    .waitFor()
  assert.match(last((await model.requests())[1], 'tool'), /Fairlead noticed: \.envrc is new/)
})
