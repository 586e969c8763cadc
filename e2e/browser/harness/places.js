import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The page as it was built. */
export const dist = process.env.FAIRLEAD_PAGE ?? join(root, 'frontend/dist')

/** What is left of a failed test goes here. */
export const evidence = process.env.FAIRLEAD_EVIDENCE ?? join(tmpdir(), 'fairlead-browser')

/**
 * A new folder that lasts as long as the process.
 * @param {string} name
 */
export function temporary(name) {
  const dir = mkdtempSync(join(tmpdir(), `fairlead-${name}-`))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
  return dir
}
