import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite({ bare: true })

for (const language of ['en', 'zh-CN']) {
  it(
    `PART-03 after a crash everything that was shown is there, and it goes on, in ${language}`,
    async ({ window, open, model, app }) => {
      const folder = join(app.home, `work-${language}`)
      mkdirSync(folder)
      await window.workIn(folder, model)
      await model.script(
        `text I write it.\n${call('c1', 'shell', { command: 'echo ran >> ran.txt' })}`,
        `${say('Now I ')}\nwait 100ms\n${say('look at')}\nhang`,
        'text All of it.',
      )
      await window.send('Do it')
      await window.press('confirm.approve')
      await window.transcript.getByText('Now I look at').waitFor()
      // The page loses the program that it talks to.
      window.expected.push(/./)
      await app.crash()
      const again = await open({ language })
      await again.transcript.getByText('Now I look at').waitFor()
      await again.transcript.getByText('I write it.').waitFor()
      await again.ended('ends.interrupted')
      await again.press('ends.actions.continue')
      await again.transcript.getByText('All of it.').waitFor()
      await again.ended()
      await until('the command ran once', () => readFileSync(join(folder, 'ran.txt'), 'utf8') === 'ran\n')
      assert.equal((await app.state()).runs.length, 2)
    },
    { language },
  )
}

for (const how of ['crash', 'restart']) {
  it(`STEER-01 what waits is there after a ${how}, for the user to send`, async ({
    window,
    open,
    model,
    app,
  }) => {
    const folder = join(app.home, how)
    mkdirSync(folder)
    await window.workIn(folder, model)
    await model.script(`${say('Now I look at')}\nhang`, 'text All of it.')
    await window.send('Do it')
    await window.transcript.getByText('Now I look at').waitFor()
    for (const text of ['Use tabs.', 'Use spaces.']) {
      await window.composer.fill(text)
      await window.composer.press('Enter')
      await window.waiting(text).waitFor()
    }
    // The page loses the program that it talks to.
    window.expected.push(/./)
    await app[how]()
    const again = await open()
    await again.transcript.getByText('Now I look at').waitFor()
    await again.waiting('Use tabs.').waitFor()
    assert.equal((await app.state()).runs.length, 1)
    await again
      .waiting('Use spaces.')
      .getByRole('button', { name: again.words('queue.send'), exact: true })
      .click()
    await again.transcript.getByText('All of it.').waitFor()
    await again.ended()
    const said = (await model.requests()).at(-1).messages.filter(({ role }) => role === 'user')
    assert.match(said.at(-1).content, /^Use spaces\./)
    // The page asks what waits once more when the run begins, which can take longer than the run.
    await again.waiting('Use spaces.').waitFor({ state: 'detached' })
    await again.waiting('Use tabs.').waitFor()
    assert.equal(await again.tray.getByRole('listitem').count(), 1)
  })
}
