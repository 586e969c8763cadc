import assert from 'node:assert/strict'

import { suite } from './harness/suite.js'

const it = suite()

const refusal =
  'status 400 {"error":{"message":"Function tools with reasoning are not supported in /v1/chat/completions. Please use /v1/responses instead.","type":"invalid_request_error"}}'

it('MOD-01 a refusal that names another protocol changes it, is shown, remembered and forgotten', async ({
  window,
  model,
}) => {
  await model.script(
    `when ${JSON.stringify('"messages":')}\n${refusal}`,
    'text It is empty.',
    'text Still empty.',
  )
  await window.send('What is in the folder?')
  await window.ended()
  const change = window.words('transcript.weakened.protocol', {
    sent: window.words('transcript.protocol.responses'),
    asked: window.words('transcript.protocol.chat'),
  })
  await window.transcript.getByText(change, { exact: true }).waitFor()
  await window.transcript.getByText('It is empty.', { exact: true }).waitFor()

  // The next conversation begins with what is known.
  await window.press('shell.conversation')
  await window.send('And now?')
  await window.transcript.getByText('Still empty.', { exact: true }).waitFor()
  assert.equal(await window.transcript.getByText(change, { exact: true }).count(), 0)
  assert.equal((await model.requests()).length, 3)

  await window.press('shell.settings.panel')
  const learned = window.words('models.lessons.protocol', {
    levels: 'responses',
  })
  await window.page.getByText(learned).waitFor()
  await window.page.getByText(`${model.baseURL}/responses`, { exact: true }).waitFor()
  await window.press('models.current.unlearn')
  await window.page.getByText(learned).waitFor({ state: 'detached' })
  await window.page.getByText(`${model.baseURL}/chat/completions`, { exact: true }).waitFor()
})
