import assert from 'node:assert/strict'

import { call } from './harness/model.js'
import { suite } from './harness/suite.js'

const it = suite({ settings: () => 'attempts = 1\nstep_timeout = "1s"\ncontinue_on_error = false\n' })

const error = (status, message, code = null) =>
  `status ${status} ${JSON.stringify({ error: { message, type: 'error', param: null, code } })}`

/** How the model fails, the code of the run's end, and the next action that is offered. */
const failures = [
  ['RATE_LIMITED', 'again', [error(429, 'slow down')]],
  ['QUOTA', 'model', [error(429, 'You exceeded your current quota', 'insufficient_quota')]],
  ['OVERLOADED', 'again', [error(503, 'overloaded')]],
  ['AUTH', 'model', [error(401, 'Incorrect API key provided.', 'invalid_api_key')]],
  ['MODEL_NOT_FOUND', 'choose', [error(404, 'The model does not exist', 'model_not_found')]],
  ['BAD_REQUEST', 'model', [error(400, 'unsupported parameter', 'unsupported_parameter')]],
  ['FILTERED', 'conversation', ['text I cannot\nfinish content_filter']],
  [
    'CONTEXT_OVERFLOW',
    'conversation',
    [error(400, 'maximum context length is 10 tokens', 'context_length_exceeded')],
  ],
  ['MALFORMED', 'again', ['text a\nraw data: {"choices": [}\nraw ""']],
  ['TRUNCATED', 'again', ['text It goes on and\nfinish length', 'finish length', 'finish length']],
  ['EMPTY_REPLY', 'again', ['finish stop', 'finish stop']],
  ['TIMEOUT', 'again', ['hang']],
  ['TOOL_FAILED', 'again', [call('c1', 'read_file', { path: 'missing.txt' })]],
]

for (const [code, action, script] of failures) {
  it(`EV-09 ${code} is shown with its words and what to do, in both languages`, async ({
    window,
    open,
    model,
    app,
  }) => {
    const chinese = await open({ language: 'zh-CN' })
    await model.script(...script)
    await window.send('Go.')
    for (const each of [window, chinese]) {
      await each.ended(`ends.codes.${code}`)
      await each.page
        .locator('.end')
        .getByRole('button', { name: each.words(`ends.actions.${action}`), exact: true })
        .waitFor()
    }
    const [{ runId }] = (await app.state()).runs
    assert.equal((await app.events(runId)).at(-1).data.code, code)
    await window.press('ends.details')
    await window.page.getByText(`Code: ${code}`).waitFor()
  })
}

it('EV-09 NETWORK is shown, and Try again tries again', async ({ window, open, model, opener }) => {
  const chinese = await open({ language: 'zh-CN' })
  const choice = { provider: '', model: 'scripted', key: '', keep: '' }
  await opener.go('desktop.Models.Use', { ...choice, baseUrl: 'http://127.0.0.1:1/v1' })
  try {
    await window.send('Go.')
    for (const each of [window, chinese]) await each.ended('ends.noLocal', { host: '127.0.0.1:1' })
  } finally {
    await opener.go('desktop.Models.Use', { ...choice, baseUrl: model.baseURL })
  }
  await model.script('text There you are.')
  await chinese.press('ends.actions.again')
  await window.transcript.getByText('There you are.').waitFor()
  await window.ended()
})

it('EV-09 Open model settings opens them', async ({ window, model }) => {
  await model.script(error(401, 'Incorrect API key provided.', 'invalid_api_key'))
  await window.send('Go.')
  await window.press('ends.actions.model')
  await window.get('button', 'shell.model.use').waitFor()
})
