import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { chromium } from 'playwright-core'

import { evidence } from './places.js'
import { patience } from './wait.js'
import { words } from './words.js'

/** The most JSON that one event or one result may bring (SPEC EV-06), and what the window library puts around it. */
const maxJSON = 8192
const wrapping = 128

/** The key of the tests. It goes to the program and never comes back (SPEC SEC-01). */
export const canary = 'sk-canary-0f9e8d7c6b5a4321'

/** The development build puts a script of its own into the page, whose faults are not the page's. */
const foreign = /\/wails\/ipc\.js/
/** What a browser asks for by itself and a window does not. */
const unasked = /\/favicon\.ico/

/** The size of a page, unless a test gives another, in pixels. */
const viewport = { width: 1280, height: 800 }

/** Starts the system's Chromium, in the form that has no window and costs a sixth less. */
export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

/**
 * Opens the window's page, which shares no storage with any other that is open. A page
 * that was closed is used again where only the language is given: making one costs a
 * browser more than showing it.
 * @param {import('playwright-core').Browser} browser
 * @param {string} origin
 * @param {import('playwright-core').BrowserContextOptions & {language?: string}} [options]
 */
export async function openWindow(browser, origin, { language = 'en', ...options } = {}) {
  const plain = Object.keys(options).length === 0
  const fits = (each) => each.language === language && each.page.context().browser() === browser
  const at = plain ? idle.findLastIndex(fits) : -1
  const page = at < 0 ? await newPage(browser, language, options) : idle.splice(at, 1)[0].page
  const opened = new Window(page, origin, language, plain)
  await opened.load()
  return opened
}

/** Pages that were closed and emptied. @type {{language: string, page: import('playwright-core').Page}[]} */
const idle = []

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} language
 * @param {import('playwright-core').BrowserContextOptions} options
 */
async function newPage(browser, language, options) {
  const context = await browser.newContext({
    viewport,
    locale: language === 'en' ? 'en-US' : language,
    ...options,
  })
  context.setDefaultTimeout(patience)
  return context.newPage()
}

/**
 * Opens a page from which bound methods can be called, and which draws nothing.
 * @param {import('playwright-core').Browser} browser
 * @param {string} origin
 */
export async function openCaller(browser, origin) {
  const context = await browser.newContext()
  context.setDefaultTimeout(patience)
  await context.route('**/assets/**', (route) => route.abort())
  const opened = new Window(await context.newPage(), origin, 'en')
  await opened.page.goto(origin)
  await opened.connected()
  return opened
}

/** A page of the window in a browser, with all that must never happen noted as a fault. */
export class Window {
  /**
   * @param {import('playwright-core').Page} page
   * @param {string} origin
   * @param {string} language
   * @param {boolean} [again] whether the page can be used again after it was closed
   */
  constructor(page, origin, language, again = false) {
    this.page = page
    this.origin = origin
    this.language = language
    this.again = again
    this.closed = false
    /** What went wrong on the page. @type {string[]} */
    this.faults = []
    /** What the console said. @type {string[]} */
    this.console = []
    /** The largest frame that came from the program, in bytes. */
    this.largest = 0
    /** Console errors that a test expects. @type {RegExp[]} */
    this.expected = []
    this.#watch()
  }

  /** Loads the page, again where it was loaded before. */
  async load() {
    await this.page.goto(this.origin)
    await this.page.locator('#app > *').first().waitFor({ state: 'attached' })
    await this.connected()
  }

  /**
   * Waits until events reach the page: in a browser they have a connection of their own,
   * and what happens before it is there is lost. A call takes the same way.
   */
  connected() {
    return this.page.evaluate(() => window.runtime.Environment())
  }

  /** Closes the page, and takes from it all that it kept and was given. */
  async close() {
    if (this.closed) return
    this.closed = true
    const { page } = this
    const context = page.context()
    if (!this.again || page.isClosed() || context.pages().length > 1) {
      await context.close()
      return
    }
    await page.goto('about:blank')
    page.removeAllListeners()
    await page.unrouteAll()
    await page.setViewportSize(viewport)
    await context.clearCookies()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes: 'all' })
    // A page that was left behind could be gone back to.
    await cdp.send('Page.resetNavigationHistory')
    await cdp.detach()
    idle.push({ language: this.language, page })
  }

  /**
   * A text of the page by its key in the dictionary.
   * @param {string} key
   * @param {Record<string, string | number>} [params]
   */
  words(key, params) {
    return words(this.language, key, params)
  }

  /**
   * @param {Parameters<import('playwright-core').Page['getByRole']>[0]} role
   * @param {string | RegExp} name its key in the dictionary, or a pattern
   */
  get(role, name) {
    const exact = typeof name === 'string'
    return this.page.getByRole(role, { name: exact ? this.words(name) : name, exact })
  }

  /**
   * Presses the button with that key of the dictionary.
   * @param {string} key
   */
  press(key) {
    return this.get('button', key).click()
  }

  /** Chooses what a text finds in a field that is searched. @param {string} key @param {string} text */
  async choose(key, text) {
    await this.get('combobox', key).fill(text)
    await this.page.keyboard.press('Enter')
  }

  /** The field where a task is written. */
  get composer() {
    return this.get('textbox', 'shell.composer.label')
  }

  /** The conversation. */
  get transcript() {
    return this.get('log', 'transcript.label')
  }

  /** The list of conversations. */
  get sidebar() {
    return this.get('navigation', 'sessions.label')
  }

  /**
   * A conversation in the list, by its title.
   * @param {string} title
   */
  row(title) {
    return this.sidebar.locator('[data-session]').filter({ hasText: title }).getByRole('button').first()
  }

  /** Shows the finished rounds that are folded, each on a line. */
  async unfold() {
    const folded = this.transcript.locator('[data-work][aria-expanded=false]')
    while ((await folded.count()) > 0) await folded.first().click()
  }

  /** The question that waits for an answer. */
  get card() {
    return this.page.locator('section').filter({ has: this.get('button', 'confirm.approve') })
  }

  /**
   * The question of a guard, by its kind.
   * @param {string} kind
   */
  guard(kind) {
    return this.get('region', `confirm.guard.kinds.${kind}`)
  }

  /** What was said while a task is running, as long as it waits. */
  get tray() {
    return this.get('region', 'queue.label')
  }

  /**
   * A message in the tray, by what it says.
   * @param {string} text
   */
  waiting(text) {
    return this.tray.getByRole('listitem').filter({ hasText: text })
  }

  /**
   * Gives a task as the user does.
   * @param {string} prompt
   */
  async send(prompt) {
    await this.composer.fill(prompt)
    await this.press('shell.composer.send')
  }

  /**
   * Waits for the words of a run's end, which are the key's.
   * @param {string} key
   * @param {Record<string, string | number>} [params]
   */
  async ended(key = 'ends.done', params) {
    const words = this.page.locator('.end .words').last()
    await words.filter({ hasText: this.words(key, params) }).waitFor()
    return words
  }

  /**
   * Calls a bound method as the page does: `go('desktop.Folders.Open', path)`.
   * @param {string} method
   * @param {...unknown} args
   * @returns {Promise<any>}
   */
  go(method, ...args) {
    return this.page.evaluate(
      ([path, given]) => path.split('.').reduce((at, name) => at[name], window.go)(...given),
      [method, args],
    )
  }

  /** Chooses the scripted model. @param {{baseURL: string}} model */
  useModel({ baseURL }) {
    const choice = { provider: '', baseUrl: baseURL, model: 'scripted', key: '', keep: 'session' }
    return this.go('desktop.Models.Use', choice)
  }

  /**
   * Chooses folder and model, and loads the page with them.
   * @param {string} folder
   * @param {{baseURL: string}} model
   */
  async workIn(folder, model) {
    await this.go('desktop.Folders.Open', folder)
    await this.useModel(model)
    await this.load()
  }

  /**
   * Keeps what there is to see of a failure.
   * @param {string} name
   */
  async save(name) {
    mkdirSync(evidence, { recursive: true })
    const path = join(evidence, name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80))
    await this.page.screenshot({ path: `${path}.png` })
    writeFileSync(`${path}.html`, await this.page.content())
    writeFileSync(`${path}.txt`, [...this.faults, '', ...this.console].join('\n'))
    return `${path}.{png,html,txt}`
  }

  #watch() {
    const { page } = this
    page.on('pageerror', (error) => {
      if (!foreign.test(error.stack ?? '')) this.faults.push(`uncaught: ${error.stack}`)
    })
    page.on('console', (message) => {
      const text = `${message.type()}: ${message.text()} (${message.location().url})`
      this.console.push(text)
      const known = [foreign, unasked, ...this.expected].some((pattern) => pattern.test(text))
      if (['error', 'warning', 'assert'].includes(message.type()) && !known) this.faults.push(text)
    })
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('popup', (popup) => this.faults.push(`popup: ${popup.url()}`))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.origin !== this.origin && !['data:', 'blob:'].includes(url.protocol)) {
        this.faults.push(`request outside the app: ${request.url()}`)
      }
    })
    page.on('response', async (response) => {
      if (!response.url().includes('/fairlead/')) return
      // A reload takes away the body of what was being read.
      const body = await response.text().catch(() => '')
      if (body.includes(canary)) this.faults.push(`the key is in ${response.url()}`)
    })
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => this.#frame(payload.toString()))
    })
  }

  /** @param {string} frame */
  #frame(frame) {
    const size = Buffer.byteLength(frame)
    this.largest = Math.max(this.largest, size)
    if (frame.includes(canary)) this.faults.push(`the key is in ${frame.slice(0, 200)}`)
    if (size > maxJSON + wrapping) {
      this.faults.push(`a frame of ${size} bytes (SPEC EV-06): ${frame.slice(0, 200)}`)
    }
  }
}
