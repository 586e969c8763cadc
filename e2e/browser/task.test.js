import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, last, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite()

/** The button with that key of the dictionary, once it can be pressed. */
const enabled = (window, key) => window.get('button', key).and(window.page.locator(':enabled'))

for (const [language, prompt] of [
  ['en', 'Sum up the notes, please.'],
  ['zh-CN', '请概括这些笔记，谢谢。'],
]) {
  it(
    `UI-03 a task in ${language} reaches the model to the byte`,
    async ({ window, model }) => {
      await model.script(say('**Done**, 完成。'))
      await window.send(prompt)
      await window.ended()
      await window.transcript.locator('strong').filter({ hasText: 'Done' }).waitFor()
      const [request] = await model.requests()
      assert.equal(last(request, 'user'), prompt)
      assert.equal(await window.composer.inputValue(), '')
    },
    { language },
  )
}

it('HITL-02 a write is approved on the card and is on disk to the byte', async ({
  window,
  model,
  folder,
}) => {
  const content = 'Grüße,\n你好\n\ttab  \n'
  await model.script(call('c1', 'write_file', { path: 'new/notes.txt', content }), 'text Written.')
  await window.send('Write the notes.')
  await window.card.getByText('notes.txt').first().waitFor()
  await window.press('confirm.approve')
  await window.ended()
  assert.equal(readFileSync(join(folder, 'new/notes.txt'), 'utf8'), content)
  await window.card.waitFor({ state: 'detached' })
  assert.match(last((await model.requests())[1], 'tool'), /created new\/notes\.txt/)
})

it('HITL-04 a reason for a rejection reaches the model', async ({ window, model, folder }) => {
  await model.script(call('c1', 'shell', { command: 'touch ran' }), 'text I will not.')
  await window.send('Run it.')
  await window.press('confirm.rejectReason')
  await window.get('textbox', 'confirm.reason').fill('用 date 代替')
  await window.page.keyboard.press('Enter')
  await window.ended('ends.refused')
  assert.match(last((await model.requests())[1], 'tool'), /REJECTED: .*用 date 代替/)
  assert.throws(() => readFileSync(join(folder, 'ran')))
})

it('HITL-04 reject and stop ends the run', async ({ window, model }) => {
  await model.script(call('c1', 'shell', { command: 'touch ran' }))
  await window.send('Run it.')
  await window.press('confirm.rejectStop')
  await window.ended('ends.codes.REJECTED')
})

it('HITL-05 an edited command is asked about again and runs as edited', async ({ window, model, folder }) => {
  await model.script(call('c1', 'shell', { command: 'echo before > out' }), 'text Done.')
  await window.send('Run it.')
  await window.press('confirm.edit.open')
  await window.get('textbox', 'confirm.edit.names.command').fill('echo after > out')
  await window.press('confirm.edit.send')
  await window.card.getByText(window.words('confirm.again.edited')).waitFor()
  await window.get('region', 'confirm.command').getByText('echo after > out').waitFor()
  await window.press('confirm.approve')
  await window.ended()
  assert.equal(readFileSync(join(folder, 'out'), 'utf8'), 'after\n')
  await window.transcript.getByText(window.words('transcript.edited')).waitFor()
})

it('CAN-01 Stop ends a running command', async ({ window, model, folder }) => {
  await model.script(call('c1', 'shell', { command: 'echo begun > begun; sleep 60' }))
  await window.send('Run it.')
  await window.press('confirm.approve')
  await until('the command runs', () => readFileSync(join(folder, 'begun'), 'utf8') !== '')
  const before = performance.now()
  await window.press('shell.composer.stop')
  await window.ended('ends.codes.CANCELLED')
  assert.ok(performance.now() - before < 2000, 'it took more than two seconds')
  await window.transcript.getByText(window.words('transcript.failures.CANCELLED')).first().waitFor()
})

it('HITL-06 two pages ask; the first answer wins and closes the other card', async ({
  window,
  open,
  model,
  folder,
}) => {
  await model.script(call('c1', 'write_file', { path: 'a.txt', content: 'a' }), 'text Written.')
  const other = await open({ language: 'zh-CN' })
  await window.send('Write.')
  await other.card.waitFor()
  await window.card.waitFor()
  await other.press('confirm.approve')
  await window.card.waitFor({ state: 'detached' })
  await window.ended()
  await other.ended()
  assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'a')
})

it('HITL-06 answers given at once in two pages count once', async ({ window, open, model, app }) => {
  await model.script(call('c1', 'shell', { command: 'echo x >> out' }), 'text Done.')
  const other = await open()
  await window.send('Run.')
  const answers = await Promise.all([
    enabled(window, 'confirm.approve').elementHandle(),
    enabled(other, 'confirm.reject').elementHandle(),
  ])
  await Promise.all(answers.map((button) => button.evaluate((element) => element.click())))
  // Which of the two was first says how it ended.
  await window.page.locator('.end .words').waitFor()
  const [{ runId }] = (await app.state()).runs
  const results = (await app.events(runId)).filter(({ type }) => type === 'tool.confirm_result')
  assert.equal(results.length, 1)
})

it('EV-06 a reload in the middle of a run rebuilds it, with nothing doubled', async ({
  window,
  model,
  app,
}) => {
  await model.script(
    [say('First.'), call('c1', 'list_files', { path: '.' })].join('\n'),
    [...Array.from({ length: 40 }, (_, i) => `${say(`word${i} `)}\nwait 30ms`), say('last.')].join('\n'),
  )
  await window.send('Go on.')
  await window.transcript.getByText('word5').waitFor()
  await window.load()
  await window.transcript.getByText('word12').waitFor()
  await window.load()
  await window.ended()
  await window.unfold()
  const [{ runId }] = (await app.state()).runs
  const events = await app.events(runId)
  const said = events.filter(({ type }) => type === 'assistant.delta').map(({ data }) => data.content)
  const text = await window.transcript.innerText()
  for (let i = 0; i < 40; i++) assert.equal(text.split(`word${i} `).length - 1, 1, `word${i}`)
  assert.ok(said.join('').endsWith('word39 last.'))
  assert.equal(text.split('First.').length - 1, 1)
  const rows = window.transcript.locator('[data-row]:not([data-work])')
  assert.equal(await rows.filter({ hasText: window.words('transcript.did.list') }).count(), 1)
})

it('UI-03 the keys of a composition send nothing', async ({ window, model }) => {
  await model.script('text 好的。')
  const cdp = await window.page.context().newCDPSession(window.page)
  await window.composer.click()
  const press = (key, windowsVirtualKeyCode) =>
    cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode })
  await cdp.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 })
  // Enter that ends a composition, as some report it while composing …
  await press('Enter', 13)
  await press('Escape', 27)
  await cdp.send('Input.insertText', { text: '你好' })
  assert.equal(await window.composer.inputValue(), '你好')
  // … and as WebKit does, after its end.
  await press('Enter', 229)
  await cdp.send('Input.imeSetComposition', { text: 'shi jie', selectionStart: 7, selectionEnd: 7 })
  await cdp.send('Input.insertText', { text: '世界' })
  assert.equal(await window.composer.inputValue(), '你好世界')
  assert.deepEqual(await model.requests(), [])
  await window.page.keyboard.press('Enter')
  await window.ended()
  const requests = await model.requests()
  assert.deepEqual(
    requests.map((request) => last(request, 'user')),
    ['你好世界'],
  )
})

it('UI-08 keyboard alone: a task, a question, its reason, the next task', async ({
  window,
  model,
  folder,
}) => {
  const { page } = window
  await model.script(
    call('c1', 'write_file', { path: 'a.txt', content: 'a' }),
    call('c2', 'shell', { command: 'touch ran' }),
    'text Done.',
    'text Again.',
  )
  await page.keyboard.press('Control+l')
  await page.keyboard.type('Write and run.')
  await page.keyboard.press('Enter')
  await window.card.getByText('a.txt').first().waitFor()
  await enabled(window, 'confirm.approve').waitFor()
  // F8 leads to the card, whose keys work there.
  await page.keyboard.press('F8')
  await page.keyboard.press('Alt+a')
  await window.card.getByText('touch ran').first().waitFor()
  // Nothing was typed since, so the next card has the focus again.
  await until('the card has the focus', () =>
    window.card.getByRole('heading').evaluate((heading) => heading === document.activeElement),
  )
  await page.keyboard.press('Alt+w')
  await page.keyboard.type('Not now.')
  await page.keyboard.press('Enter')
  await window.ended()
  await until('the composer has the focus', () =>
    window.composer.evaluate((field) => field === document.activeElement),
  )
  await page.keyboard.type('Again.')
  await page.keyboard.press('Enter')
  await window.transcript.getByText('Again.').last().waitFor()
  await until('both tasks ended', async () => (await page.locator('.end').count()) === 2)
  assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'a')
  assert.match(last((await model.requests())[2], 'tool'), /Not now\./)
})

it('HITL-10 no key approves by accident', async ({ window, model, app }) => {
  const { page } = window
  await model.script(call('c1', 'shell', { command: 'touch ran' }), 'text Done.')
  // The key that approves, at the moment the card is there: nothing approves it yet.
  await page.evaluate((label) => {
    const observer = new MutationObserver(() => {
      const buttons = [...document.querySelectorAll('button')]
      const approve = buttons.find((button) => button.textContent.startsWith(label))
      if (!approve) return
      observer.disconnect()
      const heading = approve.closest('section').querySelector('h2')
      const press = new KeyboardEvent('keydown', { key: 'a', altKey: true, bubbles: true, cancelable: true })
      // After the page has put it in its place, and long before the user could read it.
      setTimeout(() => (window.pressed = !heading.dispatchEvent(press)))
    })
    observer.observe(document.body, { childList: true, subtree: true })
  }, window.words('confirm.approve'))
  await window.send('Run.')
  await enabled(window, 'confirm.approve').waitFor()
  assert.ok(await page.evaluate(() => window.pressed), 'the card did not take the key')
  const everywhere = ['Enter', 'Space', 'Control+Enter', 'Control+Backspace']
  for (const text of ['', 'half a']) {
    await window.composer.fill(text)
    for (const key of [...everywhere, 'Alt+a', 'Alt+r']) {
      if (text !== '' && /Enter/.test(key)) continue
      await page.keyboard.press(key)
    }
  }
  await window.composer.fill('')
  await window.card.getByRole('heading').focus()
  for (const key of everywhere) await page.keyboard.press(key)
  const [{ runId }] = (await app.state()).runs
  assert.ok(!(await app.events(runId)).some(({ type }) => type === 'tool.confirm_result'))
  await window.press('confirm.reject')
  await window.ended('ends.refused')
})

it('HITL-11 what is typed while a card has the focus is in the message, to the letter', async ({
  window,
  model,
  app,
}) => {
  const { page } = window
  await model.script(call('c1', 'shell', { command: 'touch ran' }), 'text Done.')
  await window.send('Run.')
  await enabled(window, 'confirm.approve').waitFor()
  await page.keyboard.press('F8')
  await page.keyboard.type('approve, reject, edit', { delay: 30 })
  assert.equal(await window.composer.inputValue(), 'approve, reject, edit')
  // Queued, and nothing answered.
  await page.keyboard.press('Control+Enter')
  await window.waiting('approve, reject, edit').waitFor()
  const [{ runId }] = (await app.state()).runs
  assert.ok(!(await app.events(runId)).some(({ type }) => type === 'tool.confirm_result'))
  await page.keyboard.press('F8')
  await page.keyboard.press('Alt+r')
  await window.ended('ends.refused')
})

it('HITL-10 what was cut is read whole before it can be approved', async ({ window, model, folder }) => {
  const lines = Array.from({ length: 900 }, (_, i) => `line ${i}, long enough to be cut`)
  const content = `${lines.join('\n')}\n`
  writeFileSync(join(folder, 'long.txt'), 'line 0\n')
  await model.script(
    call('c1', 'read_file', { path: 'long.txt' }),
    call('c2', 'write_file', { path: 'long.txt', content }),
    'text Done.',
  )
  let answer = () => {}
  const held = new Promise((resolve) => (answer = resolve))
  await window.page.route(/\/events\/\d+$/, async (route) => {
    await held
    await route.continue()
  })
  await window.send('Write.')
  await window.card.getByText(window.words('confirm.reading')).waitFor()
  const approve = window.get('button', 'confirm.approve')
  // Longer than a new question takes to accept an answer.
  await window.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))
  assert.ok(await approve.isDisabled(), 'Approve can be pressed before the whole is there')
  answer()
  await approve.and(window.page.locator(':enabled')).waitFor()
  await window.card.getByText('line 899', { exact: false }).first().waitFor()
  await approve.click()
  await window.ended()
  assert.equal(readFileSync(join(folder, 'long.txt'), 'utf8'), content)
})

it('EV-07 a run that began elsewhere is shown', async ({ window, open, model }) => {
  await model.script('text From the other page.')
  const other = await open()
  await other.send('Say it.')
  await window.transcript.getByText('From the other page.').waitFor()
  await window.ended()
})
