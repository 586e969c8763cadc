import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'

import { words } from '../browser/harness/words.js'
import { bridge } from './bridge.mjs'
import { serve } from './serve.mjs'
import { now } from './story.mjs'

/** The same fonts, and the same way to draw them, wherever this runs. */
process.env.FONTCONFIG_FILE = fileURLToPath(new URL('fonts.conf', import.meta.url))
const drawing = ['--font-render-hinting=none', '--disable-lcd-text']

export const themes = /** @type {const} */ (['light', 'dark'])
export const languages = /** @type {const} */ (['en', 'zh-CN'])

/**
 * Changes the theme of the system, which the page follows.
 * @param {import('playwright-core').Page} page
 * @param {'light' | 'dark'} theme
 */
export async function setTheme(page, theme) {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-theme=${theme}]`).waitFor()
}

/** Opens a browser in which each picture's state can be shown. */
export async function openStage() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: process.getuid?.() === 0 ? [...drawing, '--no-sandbox'] : drawing,
  })
  let scene
  const server = await serve(() => scene)
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'UTC' })
  // On a busy machine a page takes long to begin.
  context.setDefaultTimeout(15_000)

  /**
   * Shows a state, calls back with the page, and closes it. An uncaught error on
   * the page is one of this.
   * @template T
   * @param {import('./pictures.mjs').Picture} picture
   * @param {import('./story.mjs').Language} language
   * @param {(page: import('playwright-core').Page) => Promise<T>} use
   * @returns {Promise<T>}
   */
  async function show(picture, language, use) {
    const page = await context.newPage()
    const faults = []
    page.on('pageerror', (error) => faults.push(error.stack))
    try {
      await page.setViewportSize(picture.size ?? { width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.clock.setFixedTime(now)
      const told = picture.scene(language)
      scene = { ...told, state: { ...told.state, language, theme: '' } }
      await page.addInitScript(bridge, { answers: scene.answers ?? {} })
      await page.goto(server.origin)
      await page.getByRole('banner').waitFor()
      await page.evaluate((news) => window.emit(news), scene.news ?? [])
      await picture.act?.(page, (key, params) => words(language, key, params))
      await page.evaluate(() => document.fonts.ready)
      const result = await use(page)
      if (faults.length > 0) throw new Error(faults.join('\n'))
      return result
    } finally {
      await page.close()
    }
  }

  return {
    engine: `Chromium ${browser.version()}`,
    show,
    async close() {
      await browser.close()
      server.close()
    },
  }
}
