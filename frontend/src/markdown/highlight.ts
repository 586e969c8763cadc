/** Marks the words of code. Only what stands here is known: nothing is loaded later. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = {
  bash,
  cpp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}

let learnt = false

/** Gets to know the languages: not before there is code, because it takes time and memory. */
function learn(): void {
  if (learnt) return
  learnt = true
  for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
  hljs.registerAliases(['c', 'h'], { languageName: 'cpp' })
  hljs.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' })
}

/** Longer code, in characters, stays plain: marking it would hold up the page. */
const longest = 50_000

/** A stretch of code that looks the same; kind is empty for what is nothing special. */
export interface Token {
  text: string
  kind: '' | 'keyword' | 'string' | 'comment'
}

const marked: Record<string, Token['kind']> = {
  'hljs-keyword': 'keyword',
  'hljs-string': 'string',
  'hljs-comment': 'comment',
}
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const pieces = /<span class="([^"]*)">|<\/span>|&([a-z]+|#x27);|[^<&]+/g

/** The code in stretches; one where the language is not known or the code too long. */
export function tokensOf(code: string, language: string): Token[] {
  const html = highlight(code, language)
  if (html === '') return [{ text: code, kind: '' }]
  const tokens: Token[] = []
  const open: Token['kind'][] = []
  for (const [piece, names, entity] of html.matchAll(pieces)) {
    if (names !== undefined) {
      open.push(marked[names.split(' ')[0] ?? ''] ?? open.at(-1) ?? '')
      continue
    }
    if (piece === '</span>') {
      open.pop()
      continue
    }
    const text = entity === undefined ? piece : (entities[entity] ?? piece)
    const kind = open.at(-1) ?? ''
    const last = tokens.at(-1)
    if (last?.kind === kind) last.text += text
    else tokens.push({ text, kind })
  }
  return tokens
}

/**
 * The code as HTML: escaped text with spans of the classes `hljs-…`. Empty where
 * the language is not known or the code too long.
 */
export function highlight(code: string, language: string): string {
  learn()
  if (code.length > longest || hljs.getLanguage(language) === undefined) return ''
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}
