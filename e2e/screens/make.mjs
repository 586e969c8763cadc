/**
 * Makes pictures of every state of the page from fixed events, and compares them
 * with the accepted ones:
 *
 *	node make.mjs           writes the accepted pictures
 *	node make.mjs --check   fails where a picture is another one than accepted, or where
 *	                        something on the page keeps somebody from using it
 *
 * A name, or part of one, limits both to the pictures that have it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PNG } from 'pngjs'

import { evidence } from '../browser/harness/places.js'
import { faultsIn, lostAtTwice } from './access.mjs'
import { compare, encode, limits } from './compare.mjs'
import { pictures } from './pictures.mjs'
import { languages, openStage, setTheme, themes } from './stage.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const accepted = join(here, 'accepted')
const engineFile = join(accepted, 'ENGINE')

const check = process.argv.includes('--check')
const [only = ''] = process.argv.slice(2).filter((each) => !each.startsWith('--'))

/** Each takes pictures of its own. @type {Awaited<ReturnType<typeof openStage>>[]} */
const stages = await Promise.all([openStage(), openStage()])

/** @param {import('playwright-core').Page} page */
const shoot = (page) => page.screenshot({ animations: 'disabled', caret: 'hide' })

/**
 * Waits until two pictures in a row are the same.
 * @param {import('playwright-core').Page} page
 */
async function settled(page) {
  let last = await shoot(page)
  for (let i = 0; i < 20; i++) {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    const png = await shoot(page)
    if (png.equals(last)) return PNG.sync.read(png)
    last = png
  }
  throw new Error('the page does not come to rest')
}

const [{ engine }] = stages
const engineBefore = existsSync(engineFile) ? readFileSync(engineFile, 'utf8').trim() : ''
const sameEngine = engine === engineBefore
const failed = []
const made = new Set()

/** @param {string} name @param {PNG} png */
function keep(name, png) {
  writeFileSync(join(accepted, `${name}.png`), encode(png))
}

/**
 * Compares the page with its accepted picture: as it is, and where that is
 * another one, as it is once it has come to rest.
 * @param {string} name
 * @param {import('playwright-core').Page} page
 */
async function judge(name, page) {
  const path = join(accepted, `${name}.png`)
  if (!existsSync(path)) throw new Error('there is no accepted picture; look at it and run make screenshots')
  const wanted = PNG.sync.read(readFileSync(path))
  if (likeness(wanted, PNG.sync.read(await shoot(page))).same) return
  const png = await settled(page)
  const { same, share, blocks, diff } = likeness(wanted, png)
  if (same) return
  mkdirSync(evidence, { recursive: true })
  writeFileSync(join(evidence, `${name}.made.png`), encode(png))
  writeFileSync(join(evidence, `${name}.difference.png`), PNG.sync.write(diff))
  const differ = `${(share * 100).toFixed(2)} % differ, ${blocks} blocks wholly`
  throw new Error(`${differ}; see ${join(evidence, name)}.*.png`)
}

/** @param {PNG} wanted @param {PNG} png */
function likeness(wanted, png) {
  const found = compare(wanted, png)
  const { share, blocks } = found
  return { ...found, same: sameEngine ? share <= limits.same && blocks === 0 : share <= limits.other }
}

/**
 * Makes or judges the pictures of a page in all themes, and what can be used on it.
 * @param {string} state
 * @param {string[]} names
 * @param {import('playwright-core').Page} page
 */
async function takeBoth(state, names, page) {
  await page.mouse.move(0, 0)
  for (const [i, theme] of themes.entries()) {
    const name = names[i] ?? ''
    await setTheme(page, theme)
    try {
      if (check) await judge(name, page)
      else keep(name, await settled(page))
    } catch (error) {
      failed.push(`${name}: ${error.message}`)
    }
    if (check) fail(state, await faultsIn(page, theme, themes.slice(0, i)))
  }
  if (check) fail(state, await lostAtTwice(page))
}

/** @param {string} state @param {string[]} faults */
function fail(state, faults) {
  failed.push(...faults.map((each) => `${state}: ${each}`))
}

if (check && !sameEngine) {
  console.log(
    `the accepted pictures are of ${engineBefore || 'no engine'}, this is ${engine}: up to ${limits.other * 100} % may differ`,
  )
}
mkdirSync(accepted, { recursive: true })
/** Who takes a picture takes the next one here. */
const todo = pictures.flatMap((picture) => languages.map((language) => ({ picture, language })))
/** @param {Awaited<ReturnType<typeof openStage>>} stage */
async function takeAll(stage) {
  for (let next = todo.shift(); next; next = todo.shift()) {
    const { picture, language } = next
    const names = themes.map((theme) => `${picture.name}.${theme}.${language === 'en' ? 'en' : 'zh'}`)
    for (const name of names) made.add(`${name}.png`)
    if (!names.some((name) => name.includes(only))) continue
    try {
      await stage.show(picture, language, (page) => takeBoth(`${picture.name} in ${language}`, names, page))
    } catch (error) {
      fail(`${picture.name} in ${language}`, [error.message])
    }
  }
}
await Promise.all(stages.map(takeAll))
if (!check) writeFileSync(engineFile, `${engine}\n`)
for (const stale of readdirSync(accepted).filter((name) => name.endsWith('.png') && !made.has(name))) {
  if (check) failed.push(`${stale}: no picture has that name any more`)
  else rmSync(join(accepted, stale))
}
for (const stage of stages) await stage.close()
for (const line of failed) console.error(line)
console.log(`${check ? 'compared' : 'made'} ${made.size} pictures, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
