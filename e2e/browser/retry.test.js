import assert from 'node:assert/strict'

import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'
import { pattern } from './harness/words.js'

const it = suite({ settings: () => 'attempts = 2\n' })

const busy = (seconds) => `header Retry-After: ${seconds}\nstatus 429 {"error":{"message":"slow down"}}`

it('RET-03 the wait before another attempt is shown, counts down and ends, in both languages', async ({
  window,
  open,
  model,
}) => {
  const chinese = await open({ language: 'zh-CN' })
  await model.script(busy(3), 'text At last.')
  await window.send('Go.')
  const shown = []
  for (const each of [window, chinese]) {
    await each.transcript
      .getByText(pattern(each.language, 'transcript.retry.busy', { attempt: 2, max: 2 }))
      .waitFor()
  }
  const line = window.page.locator('.retry .meter')
  await until('the countdown moves', async () => {
    const text = await line.innerText({ timeout: 500 })
    if (shown.at(-1) !== text) shown.push(text)
    return shown.length > 1
  })
  for (const each of [window, chinese]) {
    await each.transcript.getByText('At last.').waitFor()
    await each.ended()
    await each.page.locator('.retry').waitFor({ state: 'detached' })
  }
  assert.notEqual(shown[0], shown[1])
})

it('RET-03 the wait can be stopped', async ({ window, model }) => {
  await model.script(busy(30))
  await window.send('Go.')
  await window.page.locator('.retry').waitFor()
  await window.press('shell.composer.stop')
  await window.ended('ends.codes.CANCELLED')
})
