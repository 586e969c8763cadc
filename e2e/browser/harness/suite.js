import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'

import { startApp } from './app.js'
import { openCaller, openWindow, startBrowser } from './browser.js'
import { startModel } from './model.js'
import { until } from './wait.js'

/**
 * @typedef {object} Stage what a test works with
 * @property {Awaited<ReturnType<typeof startApp>>} app
 * @property {Awaited<ReturnType<typeof startModel>>} model
 * @property {import('playwright-core').Browser} browser
 * @property {string} folder the open workspace, new and empty
 * @property {import('./browser.js').Window} window the page, where the test asks for none of its own
 * @property {import('./browser.js').Window} opener a page without the window's script that stays open through the file, for what a test begins with
 * @property {(options?: object) => Promise<import('./browser.js').Window>} open opens another page
 */

/**
 * Sets up one program, one model and one browser for a file of tests, and returns
 * how to add a test. Each test has a new folder, a new conversation and a page
 * that knows of no other, and fails on whatever went wrong on any of its pages.
 * @param {object} [options]
 * @param {(model: Stage['model']) => string} [options.settings] the settings file
 * @param {(model: Stage['model']) => Record<string, string>} [options.env] of the program
 * @param {boolean} [options.bare] leave folder and model to the tests
 */
export function suite(options = {}) {
  const stage = /** @type {Stage} */ ({})
  /** @type {import('./browser.js').Window[]} */
  let pages = []

  before(async () => {
    const [model, browser] = await Promise.all([startModel(), startBrowser()])
    const app = await startApp({ env: options.env?.(model), settings: options.settings?.(model) })
    Object.assign(stage, { app, model, browser })
    stage.open = async (with_ = {}) => {
      const opened = await openWindow(browser, app.origin, with_)
      pages.push(opened)
      return opened
    }
    if (!options.bare) {
      stage.opener = await openCaller(browser, app.origin)
      await stage.opener.useModel(model)
    }
  })
  after(async () => {
    await stage.browser?.close()
    await stage.app?.stop()
    await stage.model?.stop()
  })
  afterEach(async () => {
    const closing = pages
    pages = []
    for (const each of closing) await each.close()
  })

  /**
   * @param {string} name
   * @param {(stage: Stage) => Promise<void>} body
   * @param {object} [page] options of the page
   */
  return (name, body, page = {}) =>
    test(name, { timeout: 60_000 }, async () => {
      try {
        if (!options.bare) await newFolder(stage)
        stage.window = await stage.open(page)
        await body(stage)
        for (const each of pages) assert.deepEqual(each.faults, [], 'what went wrong on the page')
        assert.deepEqual(await stage.model.faults(), [], 'what was wrong with the requests')
      } catch (error) {
        for (const [i, each] of pages.entries()) {
          console.error(`kept: ${await each.save(`${name} ${i + 1}`).catch(String)}`)
        }
        console.error(stage.app.log().split('\n').slice(-30).join('\n'))
        throw error
      } finally {
        await settle(stage, pages)
      }
    })
}

/** Opens a new folder, which begins a new conversation. @param {Stage} stage */
async function newFolder(stage) {
  const parent = join(stage.app.home, 'work')
  mkdirSync(parent, { recursive: true })
  stage.folder = mkdtempSync(join(parent, 'folder-'))
  await stage.opener.go('desktop.Folders.Open', stage.folder)
}

/**
 * Ends what a failed test left running, so that the next one can begin.
 * @param {Stage} stage
 * @param {import('./browser.js').Window[]} pages
 */
async function settle(stage, pages) {
  const page = stage.opener ?? pages[0]
  if (!page) return
  for (const { id, mark } of await stage.app.sessions()) {
    if (mark !== 'running' && mark !== 'waiting') continue
    await page.go('desktop.Sessions.Show', id).catch(() => {})
    await settleShown(stage, page)
  }
  await settleShown(stage, page)
}

/**
 * Ends what is running in the conversation that is shown.
 * @param {Stage} stage
 * @param {import('./browser.js').Window} page
 */
async function settleShown(stage, page) {
  const { runs } = await stage.app.state()
  const active = runs.filter((run) => !run.ended)
  if (active.length === 0) return
  for (const { runId } of active) await page.go('main.App.Cancel', runId).catch(() => {})
  await until('the runs have ended', async () => (await stage.app.state()).runs.every((run) => run.ended))
}
