import { setTimeout as pause } from 'node:timers/promises'

/** How long a test waits for something to become true, in milliseconds. */
export const patience = 15_000

/**
 * Asks again and again until the answer is truthy, and returns it. What it throws
 * counts as a no; the last of it is in the error when time is up.
 * @template T
 * @param {string} what what is waited for, for the error
 * @param {() => T | Promise<T>} ask
 * @param {number} [within] milliseconds
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, within = patience) {
  const end = performance.now() + within
  for (;;) {
    let seen
    try {
      seen = await ask()
      if (seen) return seen
    } catch (error) {
      seen = error
    }
    if (performance.now() > end) {
      throw new Error(
        `not within ${within} ms: ${what}; last: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`,
      )
    }
    await pause(20)
  }
}
