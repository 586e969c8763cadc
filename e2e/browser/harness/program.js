import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { patience } from './wait.js'

/**
 * Starts a program whose output is kept and which ends with this process.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const program = {
    child,
    stdout: '',
    stderr: '',
    ended: once(child, 'exit'),
    /** Tells it to end and waits for that. @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const killer = setTimeout(() => child.kill('SIGKILL'), patience)
      await program.ended
      clearTimeout(killer)
      if (child.signalCode === 'SIGKILL')
        throw new Error(`${command} did not end within ${patience} ms of ${signal}`)
    },
  }
  child.stdout.setEncoding('utf8').on('data', (text) => (program.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (program.stderr += text))
  process.on('exit', () => child.kill('SIGKILL'))
  return program
}
