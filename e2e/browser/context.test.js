import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'

import { call, last } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'
import { pattern } from './harness/words.js'

/** @typedef {import('./harness/browser.js').Window} Window */

/** How far the task is, in a line. @param {Window} window */
const status = (window) => window.page.locator('.meter')

/** The names of the tools that were offered. */
const offered = (request) => (request.tools ?? []).map((tool) => tool.function.name)

describe('with the settings of the other tests', () => {
  const it = suite()

  it('UI-03 the meter shows what a task takes, as far as the provider says it', async ({ window, model }) => {
    await model.script('text Done.\nusage 5000 100', 'text Again.')
    await window.send('Go.')
    await window.ended()
    await status(window).getByText('ctx 5.1K').waitFor()
    await status(window).getByText('5.1K tok', { exact: true }).waitFor()
    assert.equal(await status(window).getByTitle('Context: 5,100 tokens').count(), 1)
    await window.load()
    await status(window).getByText('ctx 5.1K').waitFor()
    await window.send('Once more.')
    await window.transcript.getByText('Again.').waitFor()
    await status(window).getByText('ctx ~').waitFor()
  })

  /**
   * Opens the panel with the tools and returns the switch of a group.
   * @param {Window} window
   * @param {string} group
   */
  async function toolSwitch(window, group) {
    const panel = window.get('dialog', 'shell.approve.panel')
    const start = window.words('shell.approve.label').replace('{name}', '')
    if (!(await panel.isVisible())) await window.page.getByRole('button', { name: start }).click()
    return panel.getByRole('switch', { name: window.words(`shell.tools.groups.${group}`), exact: true })
  }

  for (const language of ['en', 'zh-CN']) {
    it(
      `GRP-01 tools that are switched off are not offered, also after a reload, in ${language}`,
      async ({ window, model }) => {
        const { page } = window
        const chip = page.getByRole('button', {
          name: window.words('shell.tools.without', { names: window.words('shell.tools.groups.shell') }),
        })
        await model.script('text One.', 'text Two.', 'text Three.')
        await window.send('First')
        await window.transcript.getByText('One.').waitFor()
        await window.ended()
        await (await toolSwitch(window, 'shell')).click()
        await chip.waitFor()
        await window.load()
        await chip.waitFor()
        await window.send('Second')
        await window.transcript.getByText('Two.').waitFor()
        await window.ended()
        await (await toolSwitch(window, 'shell')).click()
        await chip.waitFor({ state: 'detached' })
        await page.keyboard.press('Escape')
        await window.send('Third')
        await window.transcript.getByText('Three.').waitFor()
        await window.ended()
        const [first, second, third] = (await model.requests()).map(offered)
        assert.ok(first.includes('shell'))
        assert.deepEqual(
          second,
          first.filter((name) => !name.startsWith('shell')),
        )
        assert.deepEqual(third, first)
      },
      { language },
    )
  }

  it('GRP-01 each conversation has its own tools', async ({ window, model }) => {
    await model.script('text One.', 'text Two.', 'text Three.')
    await window.send('First')
    await window.ended()
    await (await toolSwitch(window, 'file')).click()
    await until('it is off', async () => !(await (await toolSwitch(window, 'file')).isChecked()))
    await window.page.keyboard.press('Escape')
    await window.press('shell.conversation')
    await window.send('Second')
    await window.transcript.getByText('Two.').waitFor()
    await window.ended()
    await window.row('First').click()
    await window.transcript.getByText('One.').waitFor()
    await window.send('Third')
    await window.transcript.getByText('Three.').waitFor()
    await window.ended()
    const [, second, third] = (await model.requests()).map(offered)
    assert.ok(second.includes('read_file') && second.includes('write_file'))
    assert.ok(!third.includes('read_file') && !third.includes('write_file') && third.includes('shell'))
  })

  it('GRP-01 a call of a tool that is off does nothing', async ({ window, model, folder }) => {
    await (await toolSwitch(window, 'shell')).click()
    await window.page.keyboard.press('Escape')
    await model.script(call('c1', 'shell', { command: 'touch ran' }), 'text It is off.')
    await window.send('Run it.')
    await window.ended()
    assert.match(last((await model.requests())[1], 'tool'), /^TOOL_NOT_(FOUND|ALLOWED): /)
    assert.throws(() => rmSync(join(folder, 'ran')), /ENOENT/)
    // What is off in a new conversation is off in those that follow.
    await window.press('shell.conversation')
    await (await toolSwitch(window, 'shell')).click()
  })
})

describe('with a small window of the model', () => {
  const it = suite({ env: () => ({ FAIRLEAD_CONTEXT_WINDOW: '6600' }) })

  /** Writes a file of about seven tokens a line. */
  const long = (folder, name, lines) =>
    writeFileSync(
      join(folder, name),
      Array.from({ length: lines }, (_, i) => `line ${i} of ${name}\n`).join(''),
    )

  for (const language of ['en', 'zh-CN']) {
    it(
      `CTX-02 older messages are summarised, and the user keeps seeing them, in ${language}`,
      async ({ window, model, app, folder }) => {
        for (const name of ['a.txt', 'b.txt']) long(folder, name, 400)
        await model.script(
          `${call('c1', 'read_file', { path: 'a.txt' })}\nusage 1500 60`,
          call('c2', 'read_file', { path: 'b.txt' }),
          'text I have read a.txt.',
          'text All read.\nusage 3000 60',
        )
        await window.send('Read both, please.')
        const row = window.transcript.getByText(pattern(language, 'transcript.compacted.compact'))
        await row.waitFor()
        await window.transcript.getByText('All read.').waitFor()
        await window.ended()
        await status(window)
          .getByText(window.words('shell.status.context', { n: '46%' }))
          .waitFor()
        const requests = await model.requests()
        assert.deepEqual(offered(requests[2]), [])
        assert.match(last(requests[3], 'user'), /<said>\nRead both, please\.[\s\S]*I have read a\.txt\./)
        assert.doesNotMatch(JSON.stringify(requests[3]), /line 7 of a\.txt/)
        const [{ runId }] = (await app.state()).runs
        const { data } = (await app.events(runId)).find(({ type }) => type === 'context.compacted')
        assert.ok(data.mode === 'compact' && data.after < data.before, JSON.stringify(data))
        // The summary is for the model alone.
        assert.equal(await window.transcript.getByText('I have read a.txt.').count(), 0)
        await window.load()
        await row.waitFor()
        await window.get('button', new RegExp(window.words('transcript.explored.done'))).click()
        await window.transcript.getByRole('button', { name: 'a.txt' }).click()
        await window.transcript.getByText('line 7 of a.txt').waitFor()
      },
      { language },
    )
  }

  for (const language of ['en', 'zh-CN']) {
    it(
      `MOD-05 the window is told before the task, with what to do about it, in ${language}`,
      async ({ window, model }) => {
        await model.script('text Done.')
        await window.send('Go.')
        await window.ended()
        const counts = { window: '6,600', sent: '6', asked: '13' }
        await window.transcript.getByText(window.words('transcript.window.fewTools', counts)).waitFor()
        await window.transcript.getByText(window.words('transcript.window.widen.elsewhere')).waitFor()
        const [request] = await model.requests()
        assert.deepEqual(offered(request).sort(), [
          'edit_file',
          'list_files',
          'read_file',
          'search_files',
          'shell',
          'write_file',
        ])
      },
      { language },
    )
  }

  it('CTX-01 outputs of older calls are left out, and the user keeps seeing them', async ({
    window,
    model,
    folder,
  }) => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']
    for (const name of names) long(folder, name, 160)
    await model.script(
      ...names.map((path) => `${call(path, 'read_file', { path })}\nusage 1500 60`),
      'text All read.\nusage 3000 60',
    )
    await window.send('Read all of it.')
    await window.transcript.getByText(pattern('en', 'transcript.compacted.prune')).waitFor()
    await window.ended()
    const sent = JSON.stringify((await model.requests())[5])
    assert.doesNotMatch(sent, /line 7 of [ab]\.txt/)
    for (const name of names.slice(2)) assert.ok(sent.includes(`line 7 of ${name}`), name)
    await window.get('button', new RegExp(window.words('transcript.explored.done'))).click()
    await window.transcript.getByRole('button', { name: 'a.txt' }).click()
    await window.transcript.getByText('line 7 of a.txt').waitFor()
  })

  it('CTX-02 a conversation that cannot get smaller ends, with the way on', async ({
    window,
    model,
    folder,
  }) => {
    long(folder, 'a.txt', 400)
    await model.script(
      `${call('c1', 'read_file', { path: 'a.txt' })}\nusage 1500 60`,
      'status 400 {"error":{"message":"maximum context length is 6000 tokens","code":"context_length_exceeded"}}',
      'text Too little.',
      'status 400 {"error":{"message":"maximum context length is 6000 tokens","code":"context_length_exceeded"}}',
      'status 400 {"error":{"message":"maximum context length is 6000 tokens","code":"context_length_exceeded"}}',
    )
    await window.send('Read it.')
    await window.ended('ends.codes.CONTEXT_OVERFLOW')
    await window.page
      .locator('.end')
      .getByRole('button', { name: window.words('ends.actions.conversation'), exact: true })
      .waitFor()
  })
})
