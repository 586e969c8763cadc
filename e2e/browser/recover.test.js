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
      await window.go('desktop.Folders.Open', folder)
      await window.go('desktop.Models.Use', {
        provider: '',
        baseUrl: model.baseURL,
        model: 'scripted',
        key: '',
        keep: 'session',
      })
      await window.load()
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
