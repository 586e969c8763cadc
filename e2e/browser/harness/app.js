import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { dist, root, temporary } from './places.js'
import { start } from './program.js'
import { until } from './wait.js'

/** The build that serves its page to browsers, too. */
const build = process.env.FAIRLEAD_WINDOW ?? join(root, 'bin/fairlead-dev')

/** The settings of the tests, unless they give others: one attempt, so that errors show at once. */
const defaults = 'attempts = 1\n'

/**
 * The real program with its window, in folders of its own.
 * @param {{settings?: string, env?: Record<string, string>}} [options]
 */
export async function startApp(options = {}) {
  const app = new App(temporary('app'), options)
  await app.start()
  return app
}

class App {
  /**
   * @param {string} home
   * @param {{settings?: string, env?: Record<string, string>}} options
   */
  constructor(home, options) {
    this.home = home
    this.data = join(home, 'data')
    this.env = options.env ?? {}
    mkdirSync(this.data)
    writeFileSync(join(this.data, 'config.toml'), options.settings ?? defaults)
  }

  async start() {
    const port = await freePort()
    this.origin = `http://127.0.0.1:${port}`
    this.program = start(build, [], {
      cwd: this.home,
      env: {
        ...environment(),
        HOME: this.home,
        FAIRLEAD_DATA_DIR: this.data,
        assetdir: dist,
        devserver: `127.0.0.1:${port}`,
        ...this.env,
      },
    })
    await until('the program answers', async () => {
      if (this.program.child.exitCode !== null) throw new Error(`it ended: ${this.program.stderr}`)
      return (await fetch(`${this.origin}/fairlead/state`)).ok
    })
  }

  /** Closes the program as the system does at the end of a session. */
  async stop() {
    await this.program.stop()
  }

  /** Closes it and opens it again. */
  async restart() {
    await this.stop()
    await this.start()
  }

  /** What the program read: its state as a page gets it. */
  async state() {
    return (await fetch(`${this.origin}/fairlead/state`)).json()
  }

  /** The settings file. */
  settings() {
    return readFileSync(join(this.data, 'config.toml'), 'utf8')
  }

  /** The conversations that a page lists. */
  async sessions() {
    return (await (await fetch(`${this.origin}/fairlead/sessions?limit=1000`)).json()).sessions
  }

  /** Ends it as a crash does, and opens it again. */
  async crash() {
    this.program.child.kill('SIGKILL')
    await this.program.ended
    await this.start()
  }

  /**
   * The events of a run.
   * @param {string} runId
   */
  async events(runId) {
    return (await fetch(`${this.origin}/fairlead/runs/${runId}/events?after=0`)).json()
  }

  /** What it printed and logged. */
  log() {
    let log = ''
    try {
      log = readFileSync(join(this.data, 'logs/fairlead.log'), 'utf8')
    } catch {
      // Nothing was logged.
    }
    return `${this.program.stdout}${this.program.stderr}\n${log}`
  }
}

/**
 * The environment of the tests, without keys of the user who runs them, with no Ollama of
 * theirs, and without questions for a title, to which a script has no answers.
 */
function environment() {
  const own = Object.entries(process.env).filter(([name]) => !name.endsWith('_API_KEY'))
  return { ...Object.fromEntries(own), OLLAMA_HOST: '127.0.0.1:1', FAIRLEAD_MODEL_TITLES: 'false' }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
