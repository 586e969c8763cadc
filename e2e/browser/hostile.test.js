import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before } from 'node:test'

import { call, say } from './harness/model.js'
import { suite } from './harness/suite.js'

const it = suite({ settings: () => 'attempts = 1\napprove = "writes"\n' })

/** A server that nothing of the page may ever ask. */
const trap = createServer((request, response) => {
  caught.push(request.url)
  response.end()
})
/** @type {(string | undefined)[]} */
const caught = []
let trapURL = ''

before(
  () =>
    new Promise((resolve) => {
      trap.listen(0, '127.0.0.1', () => {
        const { port } = /** @type {import('node:net').AddressInfo} */ (trap.address())
        trapURL = `http://127.0.0.1:${port}`
        resolve(undefined)
      })
    }),
)
after(() => trap.close())

/** Text that would load, run or lead away, were it taken for more than text. */
const payloads = (url) => [
  `![image](${url}/markdown.png)`,
  `![by reference][image]\n\n[image]: ${url}/reference.png`,
  `| a |\n|---|\n| ![in a table](${url}/table.png) |`,
  `<img src="${url}/html.png" srcset="${url}/srcset.png 2x">`,
  `<img src=x onerror="document.title='run'">`,
  `<svg onload="document.title='run'"><image href="${url}/svg.png"/><use href="${url}/use.svg#a"/></svg>`,
  `<script>document.title = 'run'</script><script src="${url}/script.js"></script>`,
  `<iframe src="${url}/frame" srcdoc="<script>parent.document.title='run'</script>"></iframe>`,
  `<object data="${url}/object"></object><embed src="${url}/embed">`,
  `<div style="background:url(${url}/inline.png)" onmouseover="document.title='run'">over</div>`,
  `<style>@import url(${url}/import.css); body { background: url(${url}/style.png) }</style>`,
  `<link rel="stylesheet" href="${url}/link.css"><link rel="prefetch" href="${url}/prefetch"><link rel="dns-prefetch" href="${url}">`,
  `<meta http-equiv="refresh" content="0;url=${url}/refresh"><base href="${url}/">`,
  `<form action="${url}/form"><input autofocus onfocus="document.title='run'"><button formaction="${url}/button">go</button></form>`,
  `<video src="${url}/video" poster="${url}/poster.png" autoplay></video><audio src="${url}/audio" autoplay></audio>`,
  `[script](javascript:document.title='run') [data](data:text/html,<script>document.title='run'</script>) [vb](vbscript:run) [file](file:///etc/passwd)`,
  `<a href="javascript:document.title='run'" target="_blank">press</a> <a href="${url}/out" target="_blank" ping="${url}/ping">out</a>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="document.title='run'"></style></mglyph></table></mtext></math>`,
  `<details open ontoggle="document.title='run'"><summary>s</summary></details><template><img src="${url}/template.png"></template>`,
  `<${url}/autolink> and ${url}/bare and https://example.org/plain`,
]

it('SEC-04 hostile text loads nothing and runs nothing', async ({ window, model, folder }) => {
  const { page } = window
  // The sanitiser reads the text into a document that runs and loads nothing; the
  // policy speaks up there, too. Whatever it says of the page itself is a fault.
  window.expected.push(/(inline event handler|inline style|base URI).* violates/)
  const text = payloads(trapURL).join('\n\n')
  const title = await page.title()
  writeFileSync(join(folder, '<img src=x onerror=document.title=1>.txt'), text)
  writeFileSync(join(folder, 'hostile.txt'), text)
  await model.script(
    [`reasoning ${JSON.stringify(text)}`, say(text), call('c1', 'read_file', { path: 'hostile.txt' })].join(
      '\n',
    ),
    call('c2', 'write_file', { path: 'copy.html', content: text }),
    call('c3', 'shell', { command: `echo '${payloads(trapURL)[4].replaceAll("'", '"')}'` }),
    // Token by token, so that every beginning of a tag is shown for a while.
    text
      .match(/[\s\S]{1,7}/g)
      .map(say)
      .join('\n'),
  )
  await window.send(text)
  await window.card.waitFor()
  await window.press('confirm.approve')
  await window.ended()
  for (const row of await window.transcript.locator('[data-row]').all()) {
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click()
  }
  await page.getByRole('tab', { name: window.words('shell.desk.files'), exact: true }).click()
  await page.getByRole('treeitem', { name: 'hostile.txt' }).click()
  await page.getByText('![image]').first().waitFor()
  assert.equal(await page.title(), title)
  const alive =
    'img, svg image, svg use, script:not([src]), iframe, object, embed, style, link[href^=http], meta[http-equiv], base, form[action], video, audio, [onerror], [onload], [onmouseover], [onfocus], [ontoggle]'
  assert.equal(await window.transcript.locator(alive).count(), 0)
  const addresses = await window.transcript
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.ok(addresses.length > 0)
  for (const address of addresses) assert.match(address, /^(https?|mailto):/)
  assert.deepEqual(caught, [])
})

it('SEC-04 a link asks before it opens, and never leads away', async ({ window, model }) => {
  const { page } = window
  await model.script(say(`See [the page](${trapURL}/page).`))
  await window.send('Link.')
  await window.ended()
  await window.transcript.getByRole('link', { name: 'the page' }).click()
  const question = page.getByRole('dialog')
  await question.getByText(`${trapURL}/page`).waitFor()
  await window.press('transcript.link.cancel')
  await question.waitFor({ state: 'detached' }).catch(() => question.waitFor({ state: 'hidden' }))
  await window.transcript.getByRole('link', { name: 'the page' }).click({ button: 'middle' })
  assert.equal(new URL(page.url()).origin, window.origin)
  assert.equal(page.context().pages().length, 1)
  assert.deepEqual(caught, [])
})

it('HITL-03 hidden characters are shown in a question', async ({ window, model }) => {
  await model.script(call('c1', 'shell', { command: 'echo \u202Etxt.exe\u202C \u200B; ls' }), 'text Done.')
  await window.send('Run.')
  const command = window.get('region', 'confirm.command')
  await command.getByText('‹U+202E›').first().waitFor()
  assert.doesNotMatch(await command.innerText(), /[\u202A-\u202E\u2066-\u2069\u200B]/)
  await window.press('confirm.reject')
  await window.ended('ends.refused')
})
