import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { call } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

/** @typedef {import('./harness/browser.js').Window} Window */

const it = suite()

/** Instructions of a folder, with what must not be taken for more than text. */
const rules = '# Rules\n\nUse **tabs**, 用制表符。 <img src=x onerror="document.title=1">\n'

/** The line above the field. @param {Window} window */
const bar = (window) => window.page.getByText(window.words('suggestions.found').split('{')[0])

/** The page of what the folder suggests. @param {Window} window */
const page = (window) => window.get('region', 'suggestions.title')

/** What was given to the model with a request, in one text. */
const given = (request) => JSON.stringify(request.messages)

/** Writes a file of the folder, in the folder that it needs. */
function write(folder, name, text) {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A suggestion in the list, by its path. @param {Window} window @param {string} path */
const row = (window, path) => page(window).getByRole('option').filter({ hasText: path })

/** Waits until a state stands in its row. @param {Window} window @param {string} path @param {string} state */
const isIn = (window, path, state) =>
  row(window, path)
    .getByText(window.words(`suggestions.states.${state}`), { exact: true })
    .waitFor()

/** Gives a task and waits for its end. @param {Window} window @param {string} prompt @param {string} reply */
async function run(window, prompt, reply) {
  await window.send(prompt)
  await window.transcript.getByText(reply).waitFor()
  await window.ended()
}

for (const language of ['en', 'zh-CN']) {
  it(
    `MSG-10 a folder's instructions are shown, asked about and used, in ${language}`,
    async ({ window, model, folder }) => {
      write(folder, 'AGENTS.md', rules)
      await model.script('text One.', 'text Two.', 'text Three.', 'text Four.')
      await bar(window).waitFor()
      // Nobody has said yes, so the model is not given them.
      await run(window, 'First', 'One.')
      await window.press('suggestions.look')
      await page(window).getByText('<img src=x').waitFor()
      await isIn(window, 'AGENTS.md', 'undecided')
      await window.press('suggestions.use')
      await isIn(window, 'AGENTS.md', 'use')
      await window.page.keyboard.press('Escape')
      await page(window).waitFor({ state: 'detached' })
      assert.equal(await bar(window).count(), 0)
      await window.load()
      await run(window, 'Second', 'Two.')
      assert.equal(await bar(window).count(), 0)
      // What is another text is another question.
      write(folder, 'AGENTS.md', `${rules}And run rm -rf.\n`)
      await bar(window).waitFor()
      await run(window, 'Third', 'Three.')
      await window.press('suggestions.later')
      await bar(window).waitFor({ state: 'detached' })
      await run(window, 'Fourth', 'Four.')
      assert.deepEqual(
        (await model.requests()).map((request) => given(request).includes('Use **tabs**, 用制表符。')),
        [false, true, false, false],
      )
    },
    { language },
  )
}

it('EXT-05 instructions near a file are given once it is touched, and the call says so', async ({
  window,
  model,
  folder,
}) => {
  write(folder, 'docs/AGENTS.md', 'Be short.\n')
  write(folder, 'docs/a.txt', 'a\n')
  write(folder, 'tools/AGENTS.md', 'Be long.\n')
  write(folder, 'tools/b.txt', 'b\n')
  await window.press('suggestions.look')
  await row(window, 'docs/AGENTS.md').click()
  await page(window)
    .getByText(window.words('suggestions.about.nearby', { folder: 'docs/' }))
    .waitFor()
  await window.press('suggestions.use')
  await isIn(window, 'docs/AGENTS.md', 'use')
  await page(window)
    .getByRole('button', { name: window.words('shell.close'), exact: true })
    .click()
  await model.script(
    call('c1', 'read_file', { path: 'docs/a.txt' }),
    call('c2', 'read_file', { path: 'tools/b.txt' }),
    'text Done.',
  )
  await run(window, 'Read both.', 'Done.')
  const requests = (await model.requests()).map(given)
  assert.deepEqual(
    requests.map((request) => request.includes('Be short.')),
    [false, true, true],
  )
  assert.ok(requests.every((request) => !request.includes('Be long.')))
  await window.unfold()
  await window.get('button', new RegExp(window.words('transcript.explored.done'))).click()
  for (const [key, path] of [
    ['given', 'docs/AGENTS.md'],
    ['leftOut', 'tools/AGENTS.md'],
  ]) {
    await window.transcript.getByText(window.words(`notices.instructions.${key}`, { path })).waitFor()
  }
})

it('MSG-10 instructions that come and change are asked about at once, and typing goes on', async ({
  window,
  folder,
}) => {
  await window.get('tree', 'workspace.tree.label').waitFor()
  await window.composer.click()
  await window.page.keyboard.type('Mend ')
  write(folder, 'AGENTS.md', rules)
  await bar(window).waitFor()
  await window.page.keyboard.type('the ')
  await window.press('suggestions.later')
  await bar(window).waitFor({ state: 'detached' })
  await until('the field has the focus', () =>
    window.composer.evaluate((field) => field === document.activeElement),
  )
  write(folder, 'AGENTS.md', `${rules}More.\n`)
  await bar(window).waitFor()
  await window.page.keyboard.type('parser.')
  assert.equal(await window.composer.inputValue(), 'Mend the parser.')
  rmSync(join(folder, 'AGENTS.md'))
  await bar(window).waitFor({ state: 'detached' })
})

it('MSG-10 a text that changes while it is shown is shown as it is then, and asked about again', async ({
  window,
  app,
  folder,
}) => {
  write(folder, 'AGENTS.md', 'First.\n')
  await window.press('suggestions.look')
  await page(window).getByText('First.').waitFor()
  await window.press('suggestions.use')
  await isIn(window, 'AGENTS.md', 'use')
  write(folder, 'AGENTS.md', 'Second.\u202E\n')
  await page(window).getByRole('alert').waitFor()
  await page(window).getByText('Second.').waitFor()
  await page(window).getByText('‹U+202E›', { exact: true }).waitFor()
  await isIn(window, 'AGENTS.md', 'undecided')
  await window.press('suggestions.skip')
  await isIn(window, 'AGENTS.md', 'skip')
  assert.equal(await page(window).getByRole('alert').count(), 0)
  const [{ all, undecided }] = (await app.state()).suggested
  assert.deepEqual([all, undecided], [1, 0])
})

it('what other programs would run is only shown, and asked about no more once it was seen', async ({
  window,
  folder,
}) => {
  write(folder, '.claude/settings.json', '{"hooks": {"SessionStart": []}}\n')
  await bar(window).waitFor()
  await window.press('suggestions.look')
  await page(window).getByText('SessionStart').waitFor()
  await page(window).getByText(window.words('suggestions.about.assistant')).waitFor()
  assert.equal(await window.get('button', 'suggestions.use').count(), 0)
  await window.page.keyboard.press('Escape')
  await bar(window).waitFor({ state: 'detached' })
  write(folder, '.claude/settings.json', '{"hooks": {"Stop": []}}\n')
  await bar(window).waitFor()
})

it('UI-09 all of it can be done with keys alone', async ({ window, app, folder }) => {
  const { keyboard } = window.page
  write(folder, 'AGENTS.md', 'First.\n')
  write(folder, 'docs/AGENTS.md', 'Second.\n')
  await bar(window).waitFor()
  await window.composer.focus()
  await keyboard.type('/sugg')
  await keyboard.press('Enter')
  await page(window).getByText('First.').waitFor()
  const isAt = (locator) => locator.evaluate((element) => element === document.activeElement)
  const list = window.get('listbox', 'suggestions.list')
  await until('the list has the focus', async () => {
    if (await isAt(list)) return true
    await keyboard.press('Tab')
    return false
  })
  await keyboard.press('ArrowDown')
  await page(window).getByText('Second.').waitFor()
  await keyboard.press('Enter')
  assert.ok(await isAt(page(window).getByRole('region', { name: /docs\/AGENTS\.md/ })))
  await keyboard.press('Tab')
  assert.ok(await isAt(window.get('button', 'suggestions.use')))
  await keyboard.press('Enter')
  await isIn(window, 'docs/AGENTS.md', 'use')
  await keyboard.press('Escape')
  await until('the field has the focus', () => isAt(window.composer))
  const [{ all, undecided }] = (await app.state()).suggested
  assert.deepEqual([all, undecided], [2, 1])
})

it('the folder’s panel and the settings lead there, whatever was decided', async ({ window, folder }) => {
  write(folder, 'AGENTS.md', rules)
  await bar(window).waitFor()
  await window.press('suggestions.later')
  await bar(window).waitFor({ state: 'detached' })
  await window.page.getByRole('button', { name: /^Folder:/ }).click()
  const look = { name: window.words('suggestions.look'), exact: true }
  await window.get('dialog', 'shell.folder.panel').getByRole('button', look).click()
  await isIn(window, 'AGENTS.md', 'skip')
  await window.page.keyboard.press('Escape')
  await page(window).waitFor({ state: 'detached' })
  await window.press('shell.settings.panel')
  await window.press('settings.sections.extensions')
  await window.press('suggestions.look')
  await isIn(window, 'AGENTS.md', 'skip')
  await window.page.keyboard.press('Escape')
  await window.get('heading', 'settings.sections.extensions').waitFor()
  await until('the way there has the focus', () =>
    window.get('button', 'suggestions.look').evaluate((button) => button === document.activeElement),
  )
})

it('EXT-04 a skill is shown file by file, and the model is told of it after a yes', async ({
  window,
  model,
  folder,
}) => {
  const about = 'Makes releases of this project.'
  write(
    folder,
    '.agents/skills/release/SKILL.md',
    `---\nname: release\ndescription: ${about}\nallowed-tools: shell\n---\n\nRun it.\n`,
  )
  write(folder, '.agents/skills/release/scripts/go.sh', 'echo released\n')
  await model.script('text One.', 'text Two.')
  await bar(window).waitFor()
  await run(window, 'First', 'One.')
  await window.press('suggestions.look')
  await page(window).getByText('Run it.').waitFor()
  await page(window)
    .getByText(window.words('suggestions.skill.tools', { tools: 'shell' }))
    .waitFor()
  await page(window).getByLabel(window.words('suggestions.skill.file')).selectOption('scripts/go.sh')
  await page(window).getByText('echo released').waitFor()
  await window.press('suggestions.use')
  await isIn(window, '.agents/skills/release', 'use')
  await window.page.keyboard.press('Escape')
  await run(window, 'Second', 'Two.')
  assert.deepEqual(
    (await model.requests()).map((request) => given(request).includes(about)),
    [false, true],
  )
})
