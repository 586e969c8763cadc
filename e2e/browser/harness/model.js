import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { root, temporary } from './places.js'
import { start } from './program.js'
import { until } from './wait.js'

/** Starts e2e/model, which it builds unless that was done for all files of tests. */
export async function startModel() {
  const program = start(process.env.FAIRLEAD_MODEL_SERVER ?? build(), [], {})
  const url = await until('the model says its address', () => /^http:\S+(?=\n)/.exec(program.stdout)?.[0])
  return new Model(program, url)
}

function build() {
  const path = join(temporary('model'), 'model')
  execFileSync('go', ['build', '-buildvcs=false', '-o', path, './e2e/model'], { cwd: root, stdio: 'inherit' })
  return path
}

/** The provider of the tests, which answers from a script, or as a provider that there is. */
class Model {
  /**
   * @param {ReturnType<typeof start>} program
   * @param {string} url
   */
  constructor(program, url) {
    this.program = program
    this.url = url
    /** The base URL that the window is given. */
    this.baseURL = `${url}/v1`
  }

  /**
   * Replaces the script: replies as in backend/llm/llmtest, one to a request.
   * @param {...string} replies
   */
  script(...replies) {
    return this.#put('/script', replies.join('\n---\n'))
  }

  /**
   * Answers as this provider does from now on, in place of a script.
   * @param {string} name one of the families of backend/llm/llmtest
   * @param {'well' | 'key' | 'quota' | 'overflow' | 'busy' | 'model'} mode
   * @returns {Promise<{models: string[], modes: string[]}>} those that it has
   */
  async family(name, mode = 'well') {
    return (await this.#put('/family', `${name} ${mode}`)).json()
  }

  /**
   * Asks every request for this key from now on; empty for none. What script or family was there is dropped.
   * @param {string} key
   */
  key(key) {
    return this.#put('/key', key)
  }

  /** The bodies of the requests to this script. */
  async requests() {
    return (await fetch(`${this.url}/requests`)).json()
  }

  /** What was wrong with them. */
  async faults() {
    return (await fetch(`${this.url}/faults`)).json()
  }

  async stop() {
    this.program.child.stdin.end()
    await this.program.ended
  }

  /**
   * @param {string} path
   * @param {string} body
   */
  async #put(path, body) {
    const answer = await fetch(this.url + path, { method: 'PUT', body })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer
  }
}

/**
 * A line of a script that calls a tool.
 * @param {string} id
 * @param {string} tool
 * @param {object} args
 */
export const call = (id, tool, args) => `call ${id} ${tool} ${JSON.stringify(args)}`

/**
 * A line of a script that says a text, however many lines it has.
 * @param {string} text
 */
export const say = (text) => `chunk ${JSON.stringify(text)}`

/**
 * What the last message of a kind in a request says, without what the program adds about the surroundings.
 * @param {{messages: {role: string, content: string}[]}} request
 * @param {string} role
 */
export function last(request, role) {
  const { content } = request.messages.filter((message) => message.role === role).at(-1)
  return content.replace(/\n\n<surroundings>[\s\S]*$/, '')
}
