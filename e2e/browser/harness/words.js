import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { root } from './places.js'

/*
 * The words of the page, read from its own dictionaries, so that a test names a
 * text by its key and holds in both languages.
 */

const typescript = createRequire(join(root, 'frontend/package.json'))('typescript')

/** @type {Record<string, Record<string, any>>} */
const dictionaries = { en: await read('en'), 'zh-CN': await read('zh-CN') }

/** @param {string} language */
async function read(language) {
  const folder = join(root, 'frontend/src/i18n', language)
  const sections = {}
  for (const name of readdirSync(folder)) {
    const source = typescript.transpile(readFileSync(join(folder, name), 'utf8'), {
      module: typescript.ModuleKind.ESNext,
      target: typescript.ScriptTarget.ESNext,
    })
    Object.assign(sections, await import(`data:text/javascript,${encodeURIComponent(source)}`))
  }
  return sections
}

/**
 * The text of a key such as `shell.send`, with `{name}` replaced by parameters.
 * @param {string} language en or zh-CN
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function words(language, key, params = {}) {
  let text = dictionaries[language]
  for (const part of key.split('.')) text = text?.[part]
  if (typeof text === 'object') text = params.n === 1 ? (text.one ?? text.other) : text.other
  if (typeof text !== 'string') throw new Error(`no words ${key} in ${language}`)
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole))
}

/**
 * The same as a pattern, in which a parameter that is not given stands for any text.
 * @param {string} language
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function pattern(language, key, params = {}) {
  const literal = words(language, key, params).replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(literal.replaceAll(/\{\w+\}/g, '.+'))
}
