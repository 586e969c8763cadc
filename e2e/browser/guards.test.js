import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { call, last } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

/** @typedef {import('./harness/browser.js').Window} Window */

/** The button of a guard's question, once it can be pressed. @param {Window} window */
const enabled = (window, kind, key) =>
  window
    .guard(kind)
    .getByRole('button', { name: window.words(`confirm.guard.${key}`), exact: true })
    .and(window.page.locator(':enabled'))

/** Answers the question of a guard as the user does. @param {Window} window */
const answer = (window, kind, key) => enabled(window, kind, key).click()

/** A call that brings the same each time. */
const again = (id) => call(id, 'list_files', { path: '.' })

/** Three of them, of which the third is refused, and a fourth, which is asked about. */
const circle = () => ['c1', 'c2', 'c3', 'c4'].map(again)

/** What was decided about the guards' questions of the last run. */
async function decided(app) {
  const { runId } = (await app.state()).runs.at(-1)
  return (await app.events(runId)).filter(({ type }) => type === 'guard.result').map(({ data }) => data)
}

describe('with the settings of the other tests', () => {
  const it = suite()

  for (const language of ['en', 'zh-CN']) {
    it(
      `DOOM-01 the third call that brings nothing new is refused, and the next one asked about, in ${language}`,
      async ({ window, model, app }) => {
        await model.script(...circle(), 'text I stop here.')
        await window.send('List the files.')
        await window.guard('doom_loop').getByText('list_files').waitFor()
        await window
          .row('List the files.')
          .and(window.page.getByRole('button', { name: window.words('transcript.state.waiting') }))
          .waitFor()
        const asked = (await model.requests()).at(-1)
        assert.match(last(asked, 'tool'), /^DOOM_LOOP: the same call of list_files came 3 times in a row/)
        await answer(window, 'doom_loop', 'continue')
        await window.transcript.getByText('I stop here.').waitFor()
        await window.ended()
        await window.guard('doom_loop').waitFor({ state: 'detached' })
        // The fourth was run, for the user said so.
        assert.doesNotMatch(last((await model.requests()).at(-1), 'tool'), /DOOM_LOOP/)
        await window.get('button', new RegExp(window.words('transcript.explored.done'))).click()
        await window.transcript
          .getByText(window.words('transcript.failures.DOOM_LOOP'), { exact: true })
          .waitFor()
        assert.deepEqual(
          (await decided(app)).map(({ decision, by }) => [decision, by]),
          [['continue', 'user']],
        )
      },
      { language },
    )

    it(
      `DOOM-02 who says to stop ends the task, which can be continued, in ${language}`,
      async ({ window, model, app }) => {
        await model.script(...circle(), 'text Another way.')
        await window.send('List the files.')
        await answer(window, 'doom_loop', 'stop')
        await window.ended('ends.codes.DOOM_LOOP')
        const { runId } = (await app.state()).runs.at(-1)
        const end = (await app.events(runId)).at(-1)
        assert.deepEqual([end.type, end.data.reason], ['lifecycle.error', 'doom_loop'])
        assert.equal((await model.requests()).length, 4)
        await window.page
          .locator('.end')
          .getByRole('button', { name: window.words('ends.actions.continue'), exact: true })
          .click()
        await window.transcript.getByText('Another way.').waitFor()
        await window.ended()
      },
      { language },
    )
  }

  it('DOOM-03 three rounds in which every call failed are asked about', async ({ window, model }) => {
    const missing = (n) => call(`c${n}`, 'read_file', { path: `missing${n}.txt` })
    const rounds = (from) => [0, 1, 2].map((i) => missing(from + i))
    await model.script(...rounds(1), ...rounds(4))
    await window.send('Read them.')
    await answer(window, 'all_failed', 'continue')
    await until('it goes on', async () => (await model.requests()).length === 6)
    await answer(window, 'all_failed', 'stop')
    await window.ended('ends.codes.DOOM_LOOP')
    assert.equal((await model.requests()).length, 6)
  })

  it('DOOM-02 what is typed is the answer: the task goes on with it', async ({ window, model, app }) => {
    await model.script(...circle(), 'text I read the README.')
    await window.send('List the files.')
    await answer(window, 'doom_loop', 'tell')
    await until('the composer has the focus', () =>
      window.composer.evaluate((field) => field === document.activeElement),
    )
    await window.page.keyboard.type('Read the README instead.')
    await window.page.keyboard.press('Enter')
    await window.ended()
    await window.guard('doom_loop').waitFor({ state: 'detached' })
    assert.deepEqual(
      (await decided(app)).map(({ decision, by }) => [decision, by]),
      [['continue', 'user']],
    )
    assert.equal(last((await model.requests()).at(-1), 'user'), 'Read the README instead.')
  })

  it('STEER-01 what waits is left to the user after the stop of a guard', async ({ window, model, app }) => {
    await model.script(...circle(), 'text I read the README.')
    await window.send('List the files.')
    await window.guard('doom_loop').waitFor()
    const { sessionId } = await app.state()
    await window.go('desktop.Sessions.Queue', sessionId, 'Read the README.', 'run', [])
    await window.waiting('Read the README.').waitFor()
    await answer(window, 'doom_loop', 'stop')
    await window.ended('ends.codes.DOOM_LOOP')
    const send = window
      .waiting('Read the README.')
      .getByRole('button', { name: window.words('queue.send'), exact: true })
    await send.waitFor()
    assert.equal((await app.state()).runs.length, 1)
    await send.click()
    await window.transcript.getByText('I read the README.').waitFor()
    await window.ended()
  })

  it('DOOM-02 a reload and another page show the question; the first answer counts', async ({
    window,
    open,
    model,
    app,
  }) => {
    await model.script(...circle(), 'text Done.')
    await window.send('List the files.')
    await window.guard('doom_loop').waitFor()
    await window.load()
    const other = await open({ language: 'zh-CN' })
    const buttons = await Promise.all([
      enabled(window, 'doom_loop', 'continue').elementHandle(),
      enabled(other, 'doom_loop', 'continue').elementHandle(),
    ])
    await Promise.all(buttons.map((button) => button.evaluate((element) => element.click())))
    for (const each of [window, other]) {
      await each.ended()
      await each.guard('doom_loop').waitFor({ state: 'detached' })
    }
    assert.equal((await decided(app)).length, 1)
  })

  it('ST-03 a guard asks while another conversation is shown', async ({ window, model }) => {
    await model.script(...circle(), 'text Other.', 'text Done.')
    await window.send('List the files.')
    await window.guard('doom_loop').waitFor()
    await window.press('shell.conversation')
    await window.guard('doom_loop').waitFor({ state: 'detached' })
    await window.send('Say something')
    await window.transcript.getByText('Other.').waitFor()
    await window.row('List the files.').click()
    await answer(window, 'doom_loop', 'continue')
    await window.transcript.getByText('Done.').waitFor()
    await window.ended()
  })

  it('HITL-11 no key decides by accident, and that of the card does on purpose', async ({
    window,
    model,
    app,
  }) => {
    const { page } = window
    await model.script(...circle(), 'text Done.')
    await window.send('List the files.')
    await enabled(window, 'doom_loop', 'continue').waitFor()
    for (const key of ['Enter', 'Space', 'Enter']) await page.keyboard.press(key)
    await window.guard('doom_loop').getByRole('heading').focus()
    for (const key of ['Enter', 'Space']) await page.keyboard.press(key)
    await window.composer.fill('half a')
    for (const key of ['Control+Backspace', 'Alt+a', 'Alt+r']) await page.keyboard.press(key)
    await window.composer.fill('')
    for (const key of ['Control+Enter', 'Control+Backspace', 'Alt+a', 'Alt+r']) await page.keyboard.press(key)
    assert.deepEqual(await decided(app), [])
    assert.equal((await app.state()).runs.length, 1)
    await page.keyboard.press('F8')
    await page.keyboard.press('Alt+a')
    await window.ended()
    assert.deepEqual(
      (await decided(app)).map(({ decision }) => decision),
      ['continue'],
    )
  })

  it('CAN-01 Stop ends a task that a guard has paused', async ({ window, model, app }) => {
    await model.script(...circle())
    await window.send('List the files.')
    await window.guard('doom_loop').waitFor()
    // The guard's own button is called so, too.
    await window
      .get('form', 'shell.composer.form')
      .getByRole('button', { name: window.words('shell.composer.stop'), exact: true })
      .click()
    await window.ended('ends.codes.CANCELLED')
    await window.guard('doom_loop').waitFor({ state: 'detached' })
    assert.deepEqual(
      (await decided(app)).map(({ by }) => by),
      ['cancel'],
    )
  })
})

describe('with a question that waits a few seconds', () => {
  const it = suite({ settings: () => 'attempts = 1\nconfirm_timeout = "4s"\n' })

  it('DOOM-02 silence is a no; who keeps waiting is given the time again', async ({ window, model, app }) => {
    await model.script(...circle())
    await window.send('List the files.')
    const began = performance.now()
    const left = window.guard('doom_loop').getByText(/seconds? left to answer/)
    await left.waitFor()
    await until('a second has passed', async () => /^[12] /.test(await left.innerText()))
    await window.press('confirm.wait')
    await until('the time is given again', async () => /^[34] /.test(await left.innerText()))
    await window.ended('ends.codes.DOOM_LOOP')
    assert.ok(performance.now() - began > 5000, 'it did not wait any longer')
    assert.deepEqual(
      (await decided(app)).map(({ by }) => by),
      ['timeout'],
    )
  })
})

describe('with a budget', () => {
  const it = suite({ env: () => ({ FAIRLEAD_BUDGET: '1000' }) })

  /** Two rounds, of which the first takes most of the budget and the second the rest. */
  const rounds = () => [
    `${call('c1', 'list_files', { path: '.' })}\nusage 800 50`,
    `${call('c2', 'search_files', { pattern: 'x' })}\nusage 300 20`,
  ]

  for (const language of ['en', 'zh-CN']) {
    it(
      `DOOM-02 a budget warns, then asks, and is granted again, in ${language}`,
      async ({ window, model, app }) => {
        await model.script(...rounds(), 'text Done.\nusage 400 10')
        await window.send('Look around.')
        await window.transcript.getByText(window.words('transcript.guard.budget')).waitFor()
        await window
          .guard('budget')
          .getByText(window.words('guards.tokens', { used: '1,170', most: '1,000' }))
          .waitFor()
        assert.equal((await model.requests()).length, 2)
        await answer(window, 'budget', 'continue')
        await window.ended()
        const { runId } = (await app.state()).runs.at(-1)
        const warnings = (await app.events(runId)).filter(({ type }) => type === 'guard.warning')
        assert.deepEqual(
          warnings.map(({ data }) => [data.kind, data.detail]),
          [['budget', '850 of 1000 tokens are used']],
        )
      },
      { language },
    )

    it(
      `LOOP-14 a task that its budget ended is continued with another one, in ${language}`,
      async ({ window, model }) => {
        await model.script(...rounds(), 'text Done.\nusage 400 10')
        await window.send('Look around.')
        await answer(window, 'budget', 'stop')
        await window.ended('ends.codes.BUDGET')
        await window.page
          .locator('.end')
          .getByRole('button', { name: window.words('ends.actions.continue'), exact: true })
          .click()
        await window.transcript.getByText('Done.').waitFor()
        await window.ended()
        assert.equal(await window.guard('budget').count(), 0)
      },
      { language },
    )
  }
})
