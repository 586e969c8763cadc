import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'

import { pictures } from './pictures.mjs'
import { languages, openStage, setTheme } from './stage.mjs'

/* These need no program: every state of the page is told from fixed events. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds that keeps somebody from using the page.
 * @param {import('playwright-core').Page} page
 * @param {object} [options] of axe
 */
function seriousFindings(page, options = {}) {
  return page.evaluate(async (given) => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], ...given })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`)
  }, options)
}

/** What lies beside or below the page, where nobody gets to see it. @param {import('playwright-core').Page} page */
function lostFromSight(page) {
  return page.evaluate(() => {
    const { clientWidth: width, clientHeight: height } = document.documentElement
    const scrolls = (element, axis, size) => {
      for (let at = element; at; at = at.parentElement) {
        if (!/auto|scroll/.test(getComputedStyle(at)[`overflow${axis}`])) continue
        if (at[`scroll${size}`] > at[`client${size}`]) return true
      }
      return false
    }
    return [
      ...document.querySelectorAll('button, input, textarea, select, a[href], h1, h2, p, [role=treeitem]'),
    ]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        const shown = box.width > 1 && box.height > 1 && element.checkVisibility({ visibilityProperty: true })
        const beside = box.right > width + 1 || box.left < -1
        const below = box.bottom > height + 1 || box.top < -1
        return (
          shown &&
          ((beside && !scrolls(element, 'X', 'Width')) || (below && !scrolls(element, 'Y', 'Height')))
        )
      })
      .map((element) => element.outerHTML.slice(0, 160))
  })
}

/** The same once the page has seen its new size, which takes it a moment. @param {import('playwright-core').Page} page */
async function lostForGood(page) {
  const end = performance.now() + 2000
  for (;;) {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    const lost = await lostFromSight(page)
    if (lost.length === 0 || performance.now() > end) return lost
  }
}

/** All that is wrong with a page. @param {import('playwright-core').Page} page */
async function faultsOf(page) {
  await page.evaluate(axe)
  const light = await seriousFindings(page)
  // Another theme is other colors, and nothing else.
  await setTheme(page, 'dark')
  const dark = await seriousFindings(page, { runOnly: ['color-contrast'] })
  // At 200 % the page has half the width and height.
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: width / 2, height: height / 2 })
  const lost = await lostForGood(page)
  return [
    ...light,
    ...dark.map((each) => `dark: ${each}`),
    ...lost.map((each) => `out of the page at 200 %: ${each}`),
  ]
}

// Each language has a browser of its own, so that both are looked at side by side.
describe('UI-08', { concurrency: languages.length }, () => {
  for (const language of languages) {
    describe(language, { concurrency: 1 }, () => {
      /** @type {Awaited<ReturnType<typeof openStage>>} */
      let stage
      before(async () => {
        stage = await openStage()
      })
      after(() => stage?.close())

      for (const picture of pictures) {
        test(`${picture.name} in ${language}: nothing serious, nothing lost at 200 %`, async () => {
          assert.deepEqual(await stage.show(picture, language, faultsOf), [])
        })
      }
    })
  }
})
