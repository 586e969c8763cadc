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

import { chromium } from 'playwright-core'
import { PNG } from 'pngjs'

import { evidence, root } from '../browser/harness/places.js'
import { words } from '../browser/harness/words.js'
import { bridge } from './bridge.mjs'
import { compare, encode, limits } from './compare.mjs'
import { pictures } from './pictures.mjs'
import { serve } from './serve.mjs'
import { now } from './story.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const accepted = join(here, 'accepted')
const engineFile = join(accepted, 'ENGINE')
/** The pictures of the README, by the accepted one that each is. */
const shown = { 'chat-streaming.light.en': 'window-light.png', 'chat-streaming.dark.en': 'window-dark.png' }

const check = process.argv.includes('--check')
const [only = ''] = process.argv.slice(2).filter((each) => !each.startsWith('--'))

process.env.FONTCONFIG_FILE = join(here, 'fonts.conf')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--font-render-hinting=none',
    '--disable-lcd-text',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
})
let scene
const server = await serve(() => scene)

/**
 * @param {import('./pictures.mjs').Picture} picture
 * @param {'light' | 'dark'} theme
 * @param {import('./story.mjs').Language} language
 */
async function take(picture, theme, language) {
  const context = await browser.newContext({
    viewport: picture.size ?? { width: 1280, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: language,
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(5000)
  const page = await context.newPage()
  const faults = []
  page.on('pageerror', (error) => faults.push(error.stack))
  await page.clock.setFixedTime(now)
  const told = picture.scene(language)
  scene = { ...told, state: { ...told.state, language, theme } }
  await page.addInitScript(bridge, { answers: scene.answers ?? {} })
  try {
    await page.goto(server.origin)
    await page.getByRole('banner').waitFor()
    await page.evaluate((news) => window.emit(news), scene.news ?? [])
    await picture.act?.(page, (key, params) => words(language, key, params))
    await page.mouse.move(0, 0)
    await page.evaluate(() => document.fonts.ready)
    const png = await settled(page)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return PNG.sync.read(png)
  } finally {
    await context.close()
  }
}

/**
 * Waits until two pictures in a row are the same.
 * @param {import('playwright-core').Page} page
 */
async function settled(page) {
  let last = Buffer.alloc(0)
  for (let i = 0; i < 20; i++) {
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    if (png.equals(last)) return png
    last = png
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  }
  throw new Error('the page does not come to rest')
}

const engine = `Chromium ${browser.version()}`
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
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    for (const language of /** @type {const} */ (['en', 'zh-CN'])) {
      const name = `${picture.name}.${theme}.${language === 'en' ? 'en' : 'zh'}`
      made.add(`${name}.png`)
      if (!name.includes(only)) continue
      try {
        const png = await take(picture, theme, language)
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
await browser.close()
server.close()
for (const line of failed) console.error(line)
console.log(`${check ? 'compared' : 'made'} ${made.size} pictures, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
