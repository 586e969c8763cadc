import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

import { dist, root } from '../browser/harness/places.js'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

/** The policy that the window puts on its page, from the program's own source. */
function policy() {
  const source = readFileSync(join(root, 'backend/desktop/routes.go'), 'utf8')
  const [, value = ''] = /const policy = ((?:"[^"]*"(?: \+\s*)?)+)/.exec(source) ?? []
  const parts = [...value.matchAll(/"([^"]*)"/g)].map(([, part]) => part)
  if (parts.length === 0) throw new Error('backend/desktop/routes.go has no policy')
  return parts.join('')
}

/**
 * Serves the built page, and what it reads from the program from the picture that
 * is shown.
 * @param {() => import('./pictures.mjs').Scene} shown
 */
export async function serve(shown) {
  const csp = policy()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    response.setHeader('Content-Security-Policy', csp)
    if (url.pathname.startsWith('/fairlead/')) {
      const found = read(shown(), url)
      response.statusCode = found === undefined ? 404 : found.refused ? 422 : 200
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(found?.refused ?? found ?? null))
      return
    }
    try {
      const path = normalize(url.pathname === '/' ? '/index.html' : url.pathname)
      const body = readFileSync(join(dist, path))
      response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream')
      response.end(body)
    } catch {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/**
 * @param {import('./pictures.mjs').Scene} scene
 * @param {URL} url
 */
function read(scene, url) {
  const given = scene.reads?.[decodeURIComponent(url.pathname.replace('/fairlead/', '') + url.search)]
  if (given !== undefined) return given
  const [, what, run, seq] =
    /^\/fairlead\/(\w+)(?:\/([^/]+)\/(?:events|runs)(?:\/(\d+))?)?$/.exec(url.pathname) ?? []
  const path = url.searchParams.get('path') ?? ''
  switch (what) {
    case 'state':
      return scene.state
    case 'models':
      return scene.models ?? []
    case 'tree':
      return scene.tree?.[path === '' ? '.' : path]
    case 'file':
      return scene.files?.[path]
    case 'sessions':
      return run === undefined
        ? { sessions: scene.sessions ?? [], more: false, archived: scene.archived ?? 0 }
        : { runs: [], earlier: false }
    case 'runs': {
      const events = scene.runs?.[run] ?? []
      if (seq !== undefined) return events.find((event) => event.seq === Number(seq))
      return events.filter((event) => event.seq > Number(url.searchParams.get('after')))
    }
  }
}
