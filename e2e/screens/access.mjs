/** What keeps somebody from using the page: SPEC UI-08. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

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

/**
 * All that is wrong with the page in a theme, where `earlier` are those that it was looked at in before.
 * @param {import('playwright-core').Page} page
 * @param {string} theme
 * @param {readonly string[]} earlier
 */
export async function faultsIn(page, theme, earlier) {
  if (earlier.length === 0) await page.evaluate(axe)
  // Another theme is other colors, and nothing else.
  const found = await seriousFindings(page, earlier.length > 0 ? { runOnly: ['color-contrast'] } : {})
  return found.map((each) => `${theme}: ${each}`)
}

/** What is lost at 200 %, where the page has half the width and height. @param {import('playwright-core').Page} page */
export async function lostAtTwice(page) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: width / 2, height: height / 2 })
  const lost = await lostForGood(page)
  return lost.map((each) => `out of the page at 200 %: ${each}`)
}
