import assert from 'node:assert/strict'

import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'
import { pattern } from './harness/words.js'

const it = suite({ settings: () => 'attempts = 2\n' })

const busy = (seconds) => `header Retry-After: ${seconds}\nstatus 429 {"error":{"message":"slow down"}}`
const failing = (seconds) => `header Retry-After: ${seconds}\nstatus 503 {"error":{"message":"out of order"}}`

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

for (const language of ['en', 'zh-CN']) {
  it(
    `RET-03 nobody has to wait, in ${language}`,
    async ({ window, open, model }) => {
      const other = await open()
      await model.script(failing(30), 'text At last.')
      await window.send('Go.')
      const began = performance.now()
      await window.transcript
        .getByText(pattern(language, 'transcript.retry.failed', { attempt: 2, max: 2 }))
        .waitFor()
      await window.page.getByText('out of order').waitFor()
      await window.press('transcript.retry.skip')
      for (const each of [window, other]) {
        await each.transcript.getByText('At last.').waitFor()
        await each.ended()
        await each.page.locator('.retry').waitFor({ state: 'detached' })
      }
      assert.ok(performance.now() - began < 10_000, 'it waited all the same')
      assert.ok(await window.composer.evaluate((field) => field === document.activeElement))
    },
    { language },
  )
}

it('RET-03 two pages that do not want to wait are one attempt', async ({ window, open, model, app }) => {
  const other = await open()
  await model.script(failing(30), 'text At last.')
  await window.send('Go.')
  const buttons = await Promise.all(
    [window, other].map((each) => each.get('button', 'transcript.retry.skip').elementHandle()),
  )
  await Promise.all(buttons.map((button) => button.evaluate((element) => element.click())))
  await window.ended()
  await other.ended()
  assert.equal((await model.requests()).length, 2)
  const [{ runId }] = (await app.state()).runs
  assert.equal((await app.events(runId)).filter(({ type }) => type === 'llm.retry').length, 1)
  for (const each of [window, other]) assert.equal(await each.page.locator('[role=alert] strong').count(), 0)
})

it('INT-01 who pauses a task ends its wait', async ({ window, model }) => {
  await model.script(failing(30), 'text At last.')
  await window.send('Go.')
  await window.page.locator('.retry').waitFor()
  await window.press('shell.composer.interrupt')
  await window.ended('ends.stoppedAfter')
  await window.press('ends.actions.continue')
  await window.transcript.getByText('At last.').waitFor()
  await window.ended()
})
