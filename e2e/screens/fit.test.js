import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { pictures } from './pictures.mjs'
import { languages, openStage } from './stage.mjs'
import { words } from '../browser/harness/words.js'

/* These need no program: every state of the page is told from fixed events. */

const sizes = [
  { width: 900, height: 600 },
  { width: 1180, height: 800 },
  { width: 1440, height: 900 },
]
/** How often Mod with + or - is pressed for a zoom, in per cent. */
const zooms = { 80: -2, 100: 0, 160: 4, 200: 6 }

/** The states, with the buttons that must be in sight in each. */
const states = {
  'confirm-command': ['confirm.approve', 'confirm.reject', 'shell.composer.stop'],
  'confirm-long': ['confirm.approve', 'confirm.reject', 'shell.composer.stop'],
  'confirm-edit': ['confirm.edit.send', 'confirm.back', 'shell.composer.stop'],
  'confirm-queue': ['confirm.approve', 'confirm.reject', 'shell.composer.stop'],
  'guard-loop': ['confirm.guard.continue', 'shell.composer.stop'],
  'chat-streaming': ['shell.composer.stop'],
  'chat-empty': ['shell.composer.send'],
  queue: ['shell.composer.stop'],
  'review-waits-1180': ['confirm.approve', 'confirm.reject', 'shell.composer.stop'],
  'review-undo-1180': ['review.plan.undo', 'shell.composer.send'],
  'review-1180': ['shell.composer.send'],
}

/** @type {Awaited<ReturnType<typeof openStage>>} */
let stage
before(async () => {
  stage = await openStage()
})
after(() => stage?.close())

/** Waits until the page has drawn twice. @param {import('playwright-core').Page} page */
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/**
 * What is wrong with the places of the controls: those of these names are not whole in
 * the window, or are covered, or two lie over each other.
 * @param {import('playwright-core').Page} page
 * @param {string[]} names
 */
function misplaced(page, names) {
  return page.evaluate((wanted) => {
    const { innerWidth: width, innerHeight: height } = window
    const faults = []
    const label = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)
    /** What can be seen of an element where its surroundings scroll. */
    const seen = (element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect()
      for (let at = element.parentElement; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue
        const box = at.getBoundingClientRect()
        left = Math.max(left, box.left)
        top = Math.max(top, box.top)
        right = Math.min(right, box.right)
        bottom = Math.min(bottom, box.bottom)
      }
      return { left, top, right, bottom }
    }
    const controls = [...document.querySelectorAll('button, input, textarea, select')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((element) => ({ element, box: seen(element), whole: element.getBoundingClientRect() }))
      .filter(({ box }) => box.right - box.left > 1 && box.bottom - box.top > 1)
    for (const name of wanted) {
      const found = controls.filter(({ element }) => {
        const text = element.cloneNode(true)
        for (const kbd of text.querySelectorAll('kbd')) kbd.remove()
        return text.textContent.trim() === name
      })
      if (found.length === 0) faults.push(`${name} is not in sight`)
      for (const { element, box, whole } of found) {
        const cut =
          box.left - whole.left > 1 ||
          whole.right - box.right > 1 ||
          box.top - whole.top > 1 ||
          whole.bottom - box.bottom > 1
        if (cut || whole.left < -1 || whole.top < -1 || whole.right > width + 1 || whole.bottom > height + 1)
          faults.push(`${name} is cut: ${JSON.stringify(whole)}`)
        const top = document.elementFromPoint((whole.left + whole.right) / 2, (whole.top + whole.bottom) / 2)
        if (!element.contains(top)) faults.push(`${name} is covered by ${top?.outerHTML.slice(0, 120)}`)
      }
    }
    for (const [i, one] of controls.entries()) {
      for (const other of controls.slice(i + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (across > 1 && down > 1) faults.push(`${label(one.element)} and ${label(other.element)} overlap`)
      }
    }
    return faults
  }, names)
}

/**
 * The same once the page has come to rest: a change of its size reaches its parts one after the
 * other, and on a busy machine not within two frames.
 * @param {import('playwright-core').Page} page
 * @param {string[]} names
 */
async function misplacedAtRest(page, names) {
  for (let frames = 0; ; frames += 2) {
    await drawn(page)
    const wrong = await misplaced(page, names)
    if (wrong.length === 0 || frames > 100) return wrong
  }
}

/** The same of these controls alone: on a page that scrolls, others may lie behind its foot. */
async function placesOf(page, names) {
  const wrong = await misplacedAtRest(page, names)
  return wrong.filter((each) => names.some((name) => each.startsWith(`${name} is `)))
}

/** Sets the zoom as the user does. @param {import('playwright-core').Page} page @param {number} steps */
async function zoomBy(page, steps) {
  await page.keyboard.press('Control+0')
  for (let i = 0; i < Math.abs(steps); i++) await page.keyboard.press(steps < 0 ? 'Control+-' : 'Control+=')
}

for (const language of languages) {
  for (const [name, keys] of Object.entries(states)) {
    test(`UI-15 ${name} in ${language}: every answer in sight at each size and zoom`, async () => {
      const picture = pictures.find((each) => each.name === name)
      const faults = await stage.show(picture, language, async (page) => {
        const found = []
        for (const size of sizes) {
          await page.setViewportSize(size)
          for (const [zoom, steps] of Object.entries(zooms)) {
            await zoomBy(page, steps)
            await drawn(page)
            const wrong = await misplacedAtRest(
              page,
              keys.map((key) => words(language, key)),
            )
            found.push(...wrong.map((each) => `${size.width}x${size.height} at ${zoom} %: ${each}`))
          }
        }
        return found
      })
      assert.deepEqual(faults, [])
    })
  }

  test(`UI-15 the side takes the conversation’s place below 1,100 px, in ${language}`, async () => {
    const picture = pictures.find((each) => each.name === 'confirm-command')
    await stage.show(picture, language, async (page) => {
      await page.setViewportSize({ width: 900, height: 600 })
      // The key shows or hides: it is pressed once the narrow window has hidden it.
      await page.getByRole('complementary').waitFor({ state: 'hidden' })
      await page.keyboard.press('Control+i')
      await page.getByRole('complementary').waitFor()
      const keys = ['confirm.approve', 'confirm.reject', 'shell.composer.stop']
      assert.deepEqual(
        await misplacedAtRest(
          page,
          keys.map((key) => words(language, key)),
        ),
        [],
      )
      assert.equal(await page.getByRole('log').isVisible(), false)
    })
  })

  test(`UI-15 a name of any length leaves the numbers behind it alone, in ${language}`, async () => {
    const picture = pictures.find((each) => each.name === 'confirm-write')
    await stage.show(picture, language, async (page) => {
      await page.setViewportSize({ width: 900, height: 600 })
      await drawn(page)
      const over = await page.evaluate(() =>
        [...document.querySelectorAll('[data-row] .path .name, [data-row] .middle .tail')].map((name) => {
          name.textContent = 'a-long-name'.repeat(40)
          const row = name.closest('[data-row]')
          const end = Math.min(
            ...[...row.querySelectorAll('.time, .badge')].map((each) => each.getBoundingClientRect().left),
          )
          return Math.round(name.getBoundingClientRect().right - end)
        }),
      )
      assert.ok(over.length > 0)
      assert.deepEqual(
        over.filter((each) => each > 0),
        [],
      )
    })
  })

  test(`UI-14 Start is in sight in the smallest window, and reached at 200 %, in ${language}`, async () => {
    const start = words(language, 'welcome.start')
    for (const name of ['welcome-empty', 'welcome-ollama', 'welcome-provider']) {
      const picture = pictures.find((each) => each.name === name)
      await stage.show(picture, language, async (page) => {
        await page.setViewportSize({ width: 900, height: 600 })
        assert.deepEqual(await placesOf(page, [start]), [])
        await zoomBy(page, zooms[200])
        await page.getByRole('button', { name: start, exact: true }).focus()
        assert.deepEqual(await placesOf(page, [start]), [])
      })
    }
  })

  test(`UI-15 nothing wraps at the usual size, in ${language}`, async () => {
    const picture = pictures.find((each) => each.name === 'confirm-command')
    await stage.show(picture, language, async (page) => {
      await page.setViewportSize({ width: 1180, height: 800 })
      await drawn(page)
      for (const row of ['.card .actions', '.foot']) {
        const tops = await page
          .locator(`${row} button`)
          .evaluateAll((all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().top)))])
        assert.equal(tops.length, 1, `${row}: ${tops}`)
      }
    })
  })
}
