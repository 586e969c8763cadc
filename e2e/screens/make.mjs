/**
 * Makes pictures of every state of the page from fixed events, and compares them
 * with the accepted ones:
 *
 *	node make.mjs           writes the accepted pictures and those of the README
 *	node make.mjs --check   fails where a picture is another one than accepted
 *
 * A name, or part of one, limits both to the pictures that have it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PNG } from 'pngjs'

import { evidence, root } from '../browser/harness/places.js'
import { compare, encode, limits } from './compare.mjs'
import { pictures } from './pictures.mjs'
import { languages, openStage, themes } from './stage.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const accepted = join(here, 'accepted')
const engineFile = join(accepted, 'ENGINE')
/** The pictures of the README, by the accepted one that each is. */
const shown = { 'chat-streaming.light.en': 'window-light.png', 'chat-streaming.dark.en': 'window-dark.png' }

const check = process.argv.includes('--check')
const [only = ''] = process.argv.slice(2).filter((each) => !each.startsWith('--'))

const stage = await openStage()

/**
 * Waits until two pictures in a row are the same.
 * @param {import('playwright-core').Page} page
 */
async function settled(page) {
  await page.mouse.move(0, 0)
  let last = Buffer.alloc(0)
  for (let i = 0; i < 20; i++) {
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (png.equals(last)) return PNG.sync.read(png)
    last = png
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  }
  throw new Error('the page does not come to rest')
}

const { engine } = stage
const engineBefore = existsSync(engineFile) ? readFileSync(engineFile, 'utf8').trim() : ''
const sameEngine = engine === engineBefore
const failed = []
const made = new Set()

/** @param {string} name @param {PNG} png */
function keep(name, png) {
  writeFileSync(join(accepted, `${name}.png`), encode(png))
  if (shown[name]) writeFileSync(join(root, 'docs', shown[name]), encode(png))
}

/** @param {string} name @param {PNG} png */
function judge(name, png) {
  const path = join(accepted, `${name}.png`)
  if (!existsSync(path)) {
    failed.push(`${name}: there is no accepted picture; look at it and run make screenshots`)
    return
  }
  const { share, blocks, diff } = compare(PNG.sync.read(readFileSync(path)), png)
  const different = sameEngine ? share > limits.same || blocks > 0 : share > limits.other
  if (!different) return
  mkdirSync(evidence, { recursive: true })
  writeFileSync(join(evidence, `${name}.made.png`), encode(png))
  writeFileSync(join(evidence, `${name}.difference.png`), PNG.sync.write(diff))
  failed.push(
    `${name}: ${(share * 100).toFixed(2)} % differ, ${blocks} blocks wholly; see ${join(evidence, name)}.*.png`,
  )
}

if (check && !sameEngine) {
  console.log(
    `the accepted pictures are of ${engineBefore || 'no engine'}, this is ${engine}: up to ${limits.other * 100} % may differ`,
  )
}
mkdirSync(accepted, { recursive: true })
for (const picture of pictures) {
  for (const theme of themes) {
    for (const language of languages) {
      const name = `${picture.name}.${theme}.${language === 'en' ? 'en' : 'zh'}`
      made.add(`${name}.png`)
      if (!name.includes(only)) continue
      try {
        const png = await stage.show(picture, theme, language, settled)
        if (check) judge(name, png)
        else keep(name, png)
      } catch (error) {
        failed.push(`${name}: ${error.message}`)
      }
    }
  }
}
if (!check) writeFileSync(engineFile, `${engine}\n`)
for (const stale of readdirSync(accepted).filter((name) => name.endsWith('.png') && !made.has(name))) {
  if (check) failed.push(`${stale}: no picture has that name any more`)
  else rmSync(join(accepted, stale))
}
await stage.close()
for (const line of failed) console.error(line)
console.log(`${check ? 'compared' : 'made'} ${made.size} pictures, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
