import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { call, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite({ settings: () => 'attempts = 1\napprove = "writes"\n' })

/** The longest time, in milliseconds, that the page may be busy at a stretch. */
const patience = 1000

/**
 * Notes the page's long tasks, during which it answers nobody, and returns how to
 * ask for the longest so far.
 * @param {import('playwright-core').Page} page
 */
async function watchTasks(page) {
  await page.evaluate(() => {
    window.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ type: 'longtask' })
  })
  return () => page.evaluate(() => Math.round(window.longest))
}

it('UI-03 2,000 deltas are one text, and the page answers meanwhile', async ({ window, model }) => {
  const parts = Array.from({ length: 2000 }, (_, i) => `${i}${i % 40 === 39 ? '\n\n' : ' '}`)
  await model.script(parts.map((part) => `${say(part)}\nwait 1ms`).join('\n'))
  const longest = await watchTasks(window.page)
  await window.send('Count.')
  await window.composer.fill('I can type meanwhile.')
  await window.ended()
  assert.equal(await window.composer.inputValue(), 'I can type meanwhile.')
  const numbers =
    (await window.transcript.locator('article').nth(1).locator('p').allInnerTexts())
      .join(' ')
      .match(/\d+/g) ?? []
  assert.deepEqual(
    numbers.slice(0, 2000).map(Number),
    Array.from({ length: 2000 }, (_, i) => i),
  )
  const pause = await longest()
  assert.ok(pause < patience, `the page was busy for ${pause} ms`)
})

it('UI-04 200 calls are 200 rows, each with its own result', async ({ window, model, app }) => {
  const write = (i) => call(`c${i}`, 'write_file', { path: `f${i}.txt`, content: `${i}\n` })
  const rounds = Array.from({ length: 10 }, (_, round) =>
    Array.from({ length: 20 }, (_, i) => write(round * 20 + i)).join('\n'),
  )
  await model.script(...rounds, 'text All written.')
  const longest = await watchTasks(window.page)
  await window.send('Write.')
  // 200 calls, each saved, take long where much else wants the disk and the processors.
  await window.transcript.getByText('All written.').waitFor({ timeout: 45_000 })
  await window.ended()
  // What follows asks the page for the names of all its parts, which takes time, too.
  const pause = await longest()
  assert.ok(pause < patience, `the page was busy for ${pause} ms`)
  await window.unfold()
  const rows = window.transcript.getByRole('button', {
    name: new RegExp(window.words('transcript.did.write')),
  })
  assert.equal(await rows.count(), 200)
  for (const i of [0, 57, 199]) {
    const row = rows.filter({ hasText: `f${i}.txt` })
    // What is far away is laid out when it comes near, which can move the row under a click.
    await row.scrollIntoViewIfNeeded()
    await row.click()
    await window.transcript.getByText(`created f${i}.txt (+1 -0 lines)`).waitFor()
  }
  const [{ runId }] = (await app.state()).runs
  assert.equal((await app.events(runId)).filter(({ type }) => type === 'tool.result').length, 200)
  assert.ok(window.largest > 4000, `the largest frame had ${window.largest} bytes: this test shows nothing`)
})

it('EV-06 a long result comes cut and is read whole when it is wanted', async ({ window, model, folder }) => {
  const text = Array.from({ length: 700 }, (_, i) => `line ${i} <&> "of a long file"`).join('\n')
  writeFileSync(join(folder, 'long.txt'), text)
  await model.script(call('c1', 'read_file', { path: 'long.txt' }), 'text Read.')
  await window.send('Read.')
  await window.ended()
  await window.transcript.getByRole('button', { name: 'long.txt' }).click()
  await window.press('transcript.whole')
  await window.transcript.getByRole('button', { name: /^Show \d+ more lines$/ }).click()
  await window.transcript.getByText('line 699 <&> "of a long file"').waitFor()
  assert.ok(window.largest > 4000)
})

it('HITL-02 a command that fails says so, and the model was told', async ({ window, model }) => {
  await model.script(call('c1', 'shell', { command: 'echo oh no; exit 3' }), 'text It failed.')
  await window.send('Run.')
  await window.press('confirm.approve')
  await window.ended()
  await window.transcript.getByText(window.words('transcript.told', { why: 'exit 3' })).waitFor()
  assert.match((await model.requests())[1].messages.at(-1).content, /^COMMAND_FAILED: exit code 3\noh no/)
})

/** Calls that fail, with the code of their result. */
const refused = [
  ['TOOL_NOT_FOUND', 'read_fil', { path: 'a.txt' }],
  ['INVALID_ARGUMENTS', 'read_file', { path: 7 }],
  ['PATH_OUTSIDE_WORKSPACE', 'read_file', { path: '../a.txt' }],
  ['FILE_NOT_FOUND', 'read_file', { path: 'missing.txt' }],
  ['DENIED_FILE', 'read_file', { path: '.env' }],
  ['EDIT_NO_MATCH', 'edit_file', { path: 'a.txt', edits: [{ old: 'x', new: 'y' }] }],
  ['EDIT_AMBIGUOUS', 'edit_file', { path: 'a.txt', edits: [{ old: 'a', new: 'y' }] }],
  ['UNSUPPORTED_FILE', 'read_file', { path: 'picture.png' }],
]

for (const language of ['en', 'zh-CN']) {
  it(
    `DSP-04 each failure of a tool is named in its row (${language})`,
    async ({ window, model, folder }) => {
      writeFileSync(join(folder, 'a.txt'), 'a\na\n')
      writeFileSync(join(folder, '.env'), 'SECRET=1\n')
      writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]))
      await model.script(
        call('first', 'read_file', { path: 'a.txt' }),
        // After three rounds in which every call failed somebody would be asked (DOOM-03).
        ...refused.map(([code, tool, args], i) =>
          i % 2 === 0
            ? call(code, tool, args)
            : `${call(code, tool, args)}\n${call(`after-${code}`, 'list_files', { path: '.' })}`,
        ),
        'text Done.',
      )
      await window.send('Try.')
      await window.ended()
      const folded = window.get('button', new RegExp(window.words('transcript.explored.done')))
      for (const each of await folded.all()) await each.click()
      for (const [code] of refused) {
        await window.transcript
          .getByText(window.words(`transcript.failures.${code}`), { exact: true })
          .first()
          .waitFor()
      }
    },
    { language },
  )
}

/** The tree of the folder's files, at the side. */
const tree = (window) => window.get('tree', 'workspace.tree.label')

it('WS-02 a file that changes outside is in the tree within a second', async ({ window, folder }) => {
  await tree(window).waitFor()
  const times = []
  for (const name of ['new.txt', '新文件.md', 'third.txt', '第四.md', 'fifth.txt']) {
    const began = performance.now()
    writeFileSync(join(folder, name), 'hello\n')
    await tree(window).getByRole('treeitem', { name }).waitFor()
    times.push(Math.round(performance.now() - began))
  }
  // The median, because other stages want the processors too.
  const median = times.toSorted((a, b) => a - b)[2]
  assert.ok(median <= 1000, `the files took ${times.join(', ')} ms`)
  rmSync(join(folder, 'new.txt'))
  await tree(window).getByRole('treeitem', { name: 'new.txt' }).waitFor({ state: 'detached', timeout: 2000 })
})

it('WS-02 5,000 files at once: the tree is right and the page answers', async ({ window, folder }) => {
  await tree(window).waitFor()
  const longest = await watchTasks(window.page)
  for (let i = 0; i < 50; i++) {
    const dir = join(folder, `d${String(i).padStart(2, '0')}`)
    mkdirSync(dir)
    for (let j = 0; j < 100; j++) writeFileSync(join(dir, `f${String(j).padStart(2, '0')}.txt`), 'x')
  }
  writeFileSync(join(folder, 'last.txt'), 'x')
  const item = (name) => tree(window).getByRole('treeitem', { name })
  // The tree follows while the files come, so at first it has fewer.
  const ofSize = (name, size) => item(name).and(window.page.locator(`[aria-setsize="${size}"]`))
  await ofSize('d00', 51)
    .waitFor()
    .catch(async (error) => {
      // Whether the program or the page is behind.
      const shown = await tree(window).innerText()
      const listed = await window.page.evaluate(async () => (await fetch('/fairlead/tree?path=')).text())
      throw new Error(`the tree shows ${shown.slice(0, 200)}, the program lists ${listed.slice(0, 200)}`, {
        cause: error,
      })
    })
  // The tree still follows what came last, and a row that is read again takes the key
  // away with its focus: a user who wants to be at the end presses once more.
  const toEnd = () =>
    until('the end is shown', async () => {
      await tree(window).press('End')
      return item('last.txt').isVisible()
    })
  await item('d03').click()
  await ofSize('f00.txt', 100).waitFor()
  await toEnd()
  await item('d49').click()
  await toEnd()
  const pause = await longest()
  assert.ok(pause < patience, `the page was busy for ${pause} ms`)
})

it('WS-02 a folder that is deleted is said to be gone, with the way on', async ({ window, folder }) => {
  await tree(window).waitFor()
  rmSync(folder, { recursive: true })
  await window.page.getByText(window.words('shell.folder.gone')).first().waitFor()
  await window.get('button', 'shell.folder.choose').first().waitFor()
})

it('WS-02 what calls change is marked, and the preview follows', async ({ window, model, folder }) => {
  writeFileSync(join(folder, 'old.txt'), 'before\n')
  await model.script(
    [call('c0', 'read_file', { path: 'old.txt' })].join('\n'),
    [
      call('c1', 'write_file', { path: 'fresh.txt', content: 'x\n' }),
      call('c2', 'write_file', { path: 'old.txt', content: 'after\n' }),
    ].join('\n'),
    'text Done.',
  )
  await tree(window).getByRole('treeitem', { name: 'old.txt' }).click()
  const preview = window.page.getByText('before', { exact: true })
  await preview.waitFor()
  await window.send('Write.')
  await window.ended()
  await window.page.getByText('after', { exact: true }).first().waitFor()
  await window.page.getByRole('tab', { name: window.words('shell.desk.files') }).click()
  const marked = (name, mark) =>
    tree(window).getByRole('treeitem', {
      name: new RegExp(`^${name}\\W+${window.words(`workspace.mark.${mark}`)}$`),
    })
  await marked('fresh.txt', 'created').waitFor()
  await marked('old.txt', 'modified').waitFor()
})
