import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, last, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite()

/** @typedef {import('./harness/browser.js').Window} Window */

/** A command that runs until letGo, so that a test can say something meanwhile. */
const holding = (name = 'go') =>
  call(name, 'shell', { command: `echo begun; while [ ! -e ${name} ]; do sleep 0.05; done; echo over` })

/** Has that command come to its end. */
const letGo = (folder, name = 'go') => writeFileSync(join(folder, name), '')

/**
 * Gives a task and waits until its command runs.
 * @param {Window} window
 */
async function begin(window, prompt = 'Begin.') {
  await window.send(prompt)
  await window.press('confirm.approve')
  await window.transcript.getByText('begun', { exact: true }).waitFor()
}

/**
 * Says something while a task is running.
 * @param {Window} window
 * @param {string} text
 */
async function add(window, text) {
  await window.composer.fill(text)
  await window.composer.press('Enter')
  await window.waiting(text).waitFor()
  // The event that it waits may be there before the answer to the page.
  await until('the field is empty', async () => (await window.composer.inputValue()) === '')
}

/**
 * A button of a message in the tray.
 * @param {Window} window
 * @param {string} text
 * @param {string} key
 */
const button = (window, text, key) =>
  window.waiting(text).getByRole('button', { name: window.words(key), exact: true })

/**
 * Opens a message in the tray and returns its field.
 * @param {Window} window
 * @param {string} text
 */
async function edit(window, text) {
  await button(window, text, 'queue.edit').click()
  return window.get('textbox', 'queue.field')
}

/**
 * Has a message wait for the end of the run.
 * @param {Window} window
 * @param {string} text
 */
const afterRun = (window, text) => window.waiting(text).getByRole('combobox').selectOption('run')

/** Where it says that the task is to stop after its step. @param {Window} window */
const stopping = (window) => window.page.locator('.meter').getByText(window.words('shell.status.interrupted'))

/** What was said to the model in a request, in order. */
const said = ({ messages }) =>
  messages.flatMap((message, i) =>
    message.role === 'user' ? [last({ messages: [messages[i]] }, 'user')] : [],
  )

/** Waits for the ends of so many runs. @param {Window} window @param {number} count */
const ends = (window, count) =>
  until(`${count} runs have ended`, async () => (await window.page.locator('.end').count()) === count)

for (const [language, text] of [
  ['en', 'Look at b.txt, too.'],
  ['zh-CN', '也请看看 b.txt。'],
]) {
  it(
    `STEER-01 what is said while a task is running joins it at its next step, in ${language}`,
    async ({ window, model, app, folder }) => {
      await model.script(holding(), 'text Both are done.')
      await begin(window)
      await add(window, text)
      letGo(folder)
      await window.transcript.getByText('Both are done.').waitFor()
      await window.ended()
      await window.tray.waitFor({ state: 'detached' })
      const [, request] = await model.requests()
      assert.deepEqual(
        request.messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'tool', 'user'],
      )
      assert.deepEqual(said(request), ['Begin.', text])
      assert.equal((await app.state()).runs.length, 1)
      const articles = () => window.transcript.locator('article').allInnerTexts()
      const shown = await articles()
      for (const [i, words] of ['Begin.', 'while', text, 'Both are done.'].entries()) {
        assert.ok(shown[i].includes(words), `${shown[i]} has no ${words}`)
      }
      assert.equal(shown.length, 4)
      await window.load()
      await window.ended()
      assert.deepEqual(await articles(), shown)
    },
    { language },
  )
}

it('STEER-01 what is to wait for the end of the run begins the next one by itself', async ({
  window,
  model,
  app,
  folder,
}) => {
  await model.script(holding(), 'text The first is done.', 'text The second is done.')
  await begin(window)
  await add(window, 'Then the second.')
  await afterRun(window, 'Then the second.')
  letGo(folder)
  await window.transcript.getByText('The second is done.').waitFor()
  await ends(window, 2)
  await window.tray.waitFor({ state: 'detached' })
  const requests = await model.requests()
  assert.deepEqual(requests.map(said), [['Begin.'], ['Begin.'], ['Begin.', 'Then the second.']])
  assert.equal((await app.state()).runs.length, 2)
})

it('STEER-01 what finds no further step begins the next run', async ({ window, model }) => {
  await model.script(
    [say('I begin'), 'wait 3s', say(' and end.')].join('\n'),
    'text And that is the other thing.',
  )
  await window.send('Begin.')
  await window.transcript.getByText('I begin').waitFor()
  await add(window, 'Another thing.')
  await window.transcript.getByText('And that is the other thing.').waitFor()
  await ends(window, 2)
  assert.deepEqual((await model.requests()).map(said), [['Begin.'], ['Begin.', 'Another thing.']])
})

it('STEER-01 what waits is edited and taken back', async ({ window, model, folder }) => {
  await model.script(holding(), 'text Done.')
  await begin(window)
  await add(window, 'Use tabs.')
  await add(window, 'And be quick.')
  const field = await edit(window, 'Use tabs.')
  await field.fill('Use spaces.')
  await field.press('Escape')
  await window.waiting('Use tabs.').waitFor()
  await (await edit(window, 'Use tabs.')).fill('Use four spaces.\nEverywhere.')
  await window.press('queue.save')
  await window.waiting('Use four spaces.').waitFor()
  await button(window, 'And be quick.', 'queue.remove').click()
  await window.waiting('And be quick.').waitFor({ state: 'detached' })
  assert.equal(await window.tray.getByRole('listitem').count(), 1)
  letGo(folder)
  await window.ended()
  const [, request] = await model.requests()
  assert.deepEqual(said(request), ['Begin.', 'Use four spaces.\nEverywhere.'])
})

it('STEER-01 what goes to the model while it is edited is not lost', async ({ window, model, folder }) => {
  await model.script(holding(), 'text Done.')
  await begin(window)
  await add(window, 'Use tabs.')
  await (await edit(window, 'Use tabs.')).fill('Use spaces.')
  letGo(folder)
  await window.ended()
  await window.tray.waitFor({ state: 'detached' })
  assert.deepEqual(said((await model.requests())[1]), ['Begin.', 'Use tabs.'])
  assert.equal(await window.composer.inputValue(), 'Use spaces.')
})

it('STEER-01 Send now interrupts the task and begins another', async ({ window, model, app, folder }) => {
  await model.script(holding(), 'text The urgent thing is done.')
  await begin(window)
  await add(window, 'This can wait.')
  await add(window, 'Do this at once.')
  await button(window, 'Do this at once.', 'queue.now').click()
  await stopping(window).waitFor()
  letGo(folder)
  await window.transcript.getByText('The urgent thing is done.').waitFor()
  await ends(window, 2)
  const [first, second] = (await app.state()).runs
  assert.equal((await app.events(first.runId)).at(-1).data.reason, 'interrupted')
  assert.equal((await app.events(second.runId))[0].data.prompt, 'Do this at once.')
  await window.page
    .locator('.end .words')
    .first()
    .filter({ hasText: window.words('ends.stoppedAfter') })
    .waitFor()
  // What waited for a step is in the next one there is.
  const requests = await model.requests()
  assert.equal(requests.length, 2)
  assert.deepEqual(said(requests[1]), ['Begin.', 'Do this at once.', 'This can wait.'])
  assert.match(last(requests[1], 'tool'), /begun\nover/)
})

it('STEER-01 Mod and Enter send at once, where no question waits', async ({ window, model, folder }) => {
  await model.script(holding(), 'text At once.')
  await window.send('Begin.')
  await window.card.waitFor()
  // While a question waits nothing is hurried, which would end the task it is about.
  await window.composer.fill('First.')
  await window.composer.press('Control+Enter')
  await window.waiting('First.').waitFor()
  await window.press('confirm.approve')
  await window.transcript.getByText('begun', { exact: true }).waitFor()
  assert.equal(await stopping(window).count(), 0)
  await window.composer.fill('Second.')
  await window.composer.press('Control+Enter')
  await stopping(window).waitFor()
  letGo(folder)
  await window.transcript.getByText('At once.').waitFor()
  await ends(window, 2)
  assert.deepEqual(said((await model.requests())[1]), ['Begin.', 'Second.', 'First.'])
})

it('STEER-01 Stop leaves what waits to the user', async ({ window, model, app }) => {
  await model.script(holding(), 'text The second is done.')
  await begin(window)
  await add(window, 'Then the second.')
  await add(window, 'And the third.')
  await window.press('shell.composer.stop')
  await window.ended('ends.codes.CANCELLED')
  await button(window, 'Then the second.', 'queue.send').waitFor()
  assert.equal(await window.tray.getByRole('listitem').count(), 2)
  assert.equal(await window.tray.getByRole('combobox').count(), 0)
  assert.equal((await app.state()).runs.length, 1)
  await button(window, 'And the third.', 'queue.remove').click()
  await window.waiting('And the third.').waitFor({ state: 'detached' })
  await button(window, 'Then the second.', 'queue.send').click()
  await window.transcript.getByText('The second is done.').waitFor()
  await window.ended()
  await window.tray.waitFor({ state: 'detached' })
  assert.equal((await app.state()).runs.length, 2)
})

it('STEER-01 what a Stop left is not given to the next task', async ({ window, model }) => {
  await model.script(holding(), 'text Another thing is done.', 'text The second is done.')
  await begin(window)
  await add(window, 'Then the second.')
  await window.press('shell.composer.stop')
  await window.ended('ends.codes.CANCELLED')
  await window.composer.fill('Do another thing.')
  await window.composer.press('Enter')
  await window.transcript.getByText('Another thing is done.').waitFor()
  await window.ended()
  await button(window, 'Then the second.', 'queue.send').click()
  await window.transcript.getByText('The second is done.').waitFor()
  await window.ended()
  await window.tray.waitFor({ state: 'detached' })
  assert.deepEqual((await model.requests()).slice(1).map(said), [
    ['Begin.', 'Do another thing.'],
    ['Begin.', 'Do another thing.', 'Then the second.'],
  ])
})

it('STEER-01 what waits is there after a reload, and on every page', async ({
  window,
  open,
  model,
  folder,
}) => {
  await model.script(holding(), 'text Both.', 'text The last.')
  await begin(window)
  await add(window, 'Two.')
  await add(window, 'Three.')
  await afterRun(window, 'Three.')
  const other = await open({ language: 'zh-CN' })
  await other.waiting('Three.').waitFor()
  await (await edit(other, 'Two.')).fill('二。')
  await other.press('queue.save')
  await window.waiting('二。').waitFor()
  await window.load()
  await window.waiting('二。').waitFor()
  assert.deepEqual(
    await window.tray.getByRole('combobox').evaluateAll((each) => each.map(({ value }) => value)),
    ['step', 'run'],
  )
  letGo(folder)
  for (const each of [window, other]) {
    await each.transcript.getByText('The last.').waitFor()
    await each.tray.waitFor({ state: 'detached' })
  }
  assert.deepEqual((await model.requests()).map(said).at(-1), ['Begin.', '二。', 'Three.'])
})

it('EV-06 a long message is whole in the tray, for the model and in the conversation', async ({
  window,
  model,
  folder,
}) => {
  const long = Array.from({ length: 1500 }, (_, i) => `第${i}个 word`).join(' ')
  await model.script(holding(), 'text Done.')
  await begin(window)
  await window.composer.fill(long)
  await window.composer.press('Enter')
  await window.waiting('第0个').waitFor()
  const field = await edit(window, '第0个')
  assert.equal(await field.inputValue(), long)
  await field.press('Escape')
  letGo(folder)
  await window.ended()
  assert.equal(said((await model.requests())[1]).at(-1), long)
  const shown = () => window.transcript.locator('article .text').last().innerText()
  assert.equal(await shown(), long)
  await window.load()
  await window.ended()
  assert.equal(await shown(), long)
})

it('STEER-01 each conversation has its own queue', async ({ window, model, folder }) => {
  await model.script(holding('go1'), holding('go2'), 'text One is done.', 'text Two is done.')
  await begin(window, 'Task one')
  await add(window, 'More for one.')
  await window.press('shell.conversation')
  await window.tray.waitFor({ state: 'detached' })
  await begin(window, 'Task two')
  assert.equal(await window.tray.count(), 0)
  await add(window, 'More for two.')
  await window.row('Task one').click()
  await window.waiting('More for one.').waitFor()
  assert.equal(await window.tray.getByRole('listitem').count(), 1)
  letGo(folder, 'go1')
  await window.transcript.getByText('One is done.').waitFor()
  await window.tray.waitFor({ state: 'detached' })
  await window.row('Task two').click()
  await window.waiting('More for two.').waitFor()
  letGo(folder, 'go2')
  await window.transcript.getByText('Two is done.').waitFor()
  assert.deepEqual((await model.requests()).slice(2).map(said), [
    ['Task one', 'More for one.'],
    ['Task two', 'More for two.'],
  ])
})

it('ST-03 the queue of a conversation that is not shown goes on', async ({ window, model, folder }) => {
  await model.script(holding(), 'text The first is done.', 'text The second is done.')
  await begin(window, 'Task one')
  await add(window, 'Then the second.')
  await afterRun(window, 'Then the second.')
  await window.press('shell.conversation')
  await window.tray.waitFor({ state: 'detached' })
  letGo(folder)
  await until('the model was asked', async () => (await model.requests()).length === 3)
  await window.row('Task one').click()
  await window.transcript.getByText('The second is done.').waitFor()
  await ends(window, 2)
  assert.equal(await window.tray.count(), 0)
})

it('UI-07 the keys of a composition save nothing in the tray', async ({ window, model, folder }) => {
  await model.script(holding(), 'text 好的。')
  await begin(window)
  await add(window, '请快一点')
  const field = await edit(window, '请快一点')
  await field.fill('')
  const cdp = await window.page.context().newCDPSession(window.page)
  const press = (key, windowsVirtualKeyCode) =>
    cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode })
  await cdp.send('Input.imeSetComposition', { text: 'man man lai', selectionStart: 11, selectionEnd: 11 })
  await press('Enter', 13)
  await press('Escape', 27)
  await cdp.send('Input.insertText', { text: '慢慢来' })
  await press('Enter', 229)
  assert.equal(await field.inputValue(), '慢慢来')
  await cdp.send('Input.imeSetComposition', { text: 'zai shi', selectionStart: 7, selectionEnd: 7 })
  await cdp.send('Input.insertText', { text: '再试' })
  assert.equal(await field.inputValue(), '慢慢来再试')
  const queue = async () => (await (await fetch(`${window.origin}/fairlead/state`)).json()).queue
  assert.deepEqual(
    (await queue()).map(({ text }) => text),
    ['请快一点'],
  )
  await window.page.keyboard.press('Enter')
  await window.waiting('慢慢来再试').waitFor()
  letGo(folder)
  await window.ended()
  assert.deepEqual(said((await model.requests())[1]), ['Begin.', '慢慢来再试'])
})

it('UI-08 keyboard alone: something is added, put off, edited and taken back', async ({
  window,
  model,
  folder,
}) => {
  const { page } = window
  const at = (locator) =>
    until('the focus is there', () => locator.evaluate((element) => element === document.activeElement))
  await model.script(holding(), 'text Done.')
  await begin(window)
  await page.keyboard.press('Control+l')
  for (const text of ['Use tabs.', 'Be quick.']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await window.waiting(text).waitFor()
  }
  // The tray is right before the field: its last button takes a message back.
  await page.keyboard.press('Shift+Tab')
  await at(button(window, 'Be quick.', 'queue.remove'))
  await page.keyboard.press('Enter')
  await window.waiting('Be quick.').waitFor({ state: 'detached' })
  await at(window.composer)
  for (const key of ['remove', 'now', 'edit']) {
    await page.keyboard.press('Shift+Tab')
    await at(button(window, 'Use tabs.', `queue.${key}`))
  }
  await page.keyboard.press('Enter')
  await at(window.get('textbox', 'queue.field'))
  await page.keyboard.press('End')
  await page.keyboard.type(' Always.')
  await page.keyboard.press('Enter')
  await at(button(window, 'Use tabs. Always.', 'queue.edit'))
  letGo(folder)
  await window.ended()
  await at(window.composer)
  assert.deepEqual(said((await model.requests())[1]), ['Begin.', 'Use tabs. Always.'])
})

for (const language of ['en', 'zh-CN']) {
  it(
    `INT-01 a task stops after its step and can be continued, in ${language}`,
    async ({ window, model, folder }) => {
      await model.script(holding(), 'text All of it.')
      await begin(window)
      await window.press('shell.composer.interrupt')
      await stopping(window).waitFor()
      assert.equal(await window.get('button', 'shell.composer.interrupt').count(), 0)
      letGo(folder)
      await window.ended('ends.stoppedAfter')
      assert.equal((await model.requests()).length, 1)
      await window.press('ends.actions.continue')
      await window.transcript.getByText('All of it.').waitFor()
      await window.ended()
      const [, request] = await model.requests()
      assert.match(last(request, 'tool'), /begun\nover/)
    },
    { language },
  )
}

it('STEER-01 a task that stops after its step leaves what waits to the user', async ({
  window,
  model,
  folder,
}) => {
  await model.script(holding(), 'text The other thing is done.')
  await begin(window)
  await add(window, 'Do another thing.')
  await window.press('shell.composer.interrupt')
  await stopping(window).waitFor()
  letGo(folder)
  await window.ended('ends.stoppedAfter')
  await button(window, 'Do another thing.', 'queue.send').click()
  await window.transcript.getByText('The other thing is done.').waitFor()
  await ends(window, 2)
  await window.tray.waitFor({ state: 'detached' })
  assert.deepEqual(said((await model.requests())[1]), ['Begin.', 'Do another thing.'])
})

it('INT-01 a question that waits goes away with the task, and nothing runs', async ({
  window,
  model,
  folder,
}) => {
  await model.script(call('c1', 'write_file', { path: 'a.txt', content: 'a' }), 'text I left it out.')
  await window.send('Write.')
  await window.card.waitFor()
  await window.press('shell.composer.interrupt')
  await window.card.waitFor({ state: 'detached' })
  await window.ended('ends.stoppedAfter')
  await window.press('ends.actions.continue')
  await window.transcript.getByText('I left it out.').waitFor()
  await window.ended()
  assert.match(last((await model.requests())[1], 'tool'), /^CANCELLED: /)
  const { runs } = await (await fetch(`${window.origin}/fairlead/state`)).json()
  assert.equal(runs.length, 2)
  assert.throws(() => writeFileSync(join(folder, 'a.txt'), '', { flag: 'r+' }), /ENOENT/)
})
