/** Markdown to tokens and HTML. */
import { Marked, Lexer, type Token, type Tokens, type TokensList } from 'marked'

import { t } from '../i18n'
import { sanitize } from './sanitize'

/** What link references such as [name] stand for. */
export type Definitions = TokensList['links']

const marked = new Marked({ gfm: true })

/** Says that a link's text is being written: it can hold no other link. */
let inLink = false

/**
 * Reports whether a table would have far more cells than there is text: rows are filled up to the width of
 * the head, so that 200 KB of text could become a billion cells. Such a text is shown as it was written.
 */
function isBloated(text: string): boolean {
  const [head = '', rule = ''] = text.split('\n', 2)
  if (!/^[ |:-]+$/.test(rule) || !rule.includes('-')) return false
  const end = text.search(/\n[ \t]*\n/)
  const table = end < 0 ? text : text.slice(0, end)
  const cells = (head.split('|').length + 1) * table.split('\n').length
  return cells > table.length + leastBloated
}

/** So many cells are never too many. */
const leastBloated = 10_000

marked.use({
  tokenizer: {
    // False leaves it to marked, undefined says that there is no table.
    table: (text) => (isBloated(text) ? undefined : false),
  },
  renderer: {
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
    image: ({ href, text }: Tokens.Image) => chip(href, text),
    link({ href, title, tokens }: Tokens.Link) {
      const outer = inLink
      inLink = true
      let text: string
      try {
        text = this.parser.parseInline(tokens)
      } finally {
        inLink = outer
      }
      return inLink ? text : anchor(href, text, title)
    },
  },
})

/** Images are never loaded: a link says where they are. */
function chip(href: string, text: string): string {
  const label = `▢ ${t('transcript.image')}: ${escape(place(href) || text)}`
  return inLink || !/^https?:/i.test(href) ? label : anchor(href, label, text)
}

/** Host and path of an address; of another one than a web address nothing. */
function place(href: string): string {
  if (!URL.canParse(href)) return /^[a-z]+:/i.test(href) ? '' : href
  const { protocol, host, pathname } = new URL(href)
  return protocol.startsWith('http') ? host + pathname : ''
}

function anchor(href: string, html: string, title?: string | null): string {
  const words = title ? ` title="${escape(title)}"` : ''
  return `<a href="${escape(href)}"${words}>${html}</a>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (c) => entities[c] ?? c)
}

/**
 * The blocks of a text. Definitions found in it are added to the given ones,
 * which hold for the text too. What is nested too deep to be read is one block of
 * code, that is, shown as it was written.
 */
export function lex(text: string, definitions: Definitions): Token[] {
  const lexer = new Lexer({ ...marked.defaults })
  lexer.tokens.links = definitions
  try {
    return lexer.lex(text)
  } catch {
    return [{ type: 'code', raw: text, text }]
  }
}

/** The HTML of a block, safe to show. */
export function render(token: Token): string {
  let html: string
  try {
    html = marked.parser([token])
  } catch {
    html = `<pre>${escape(token.raw)}</pre>`
  }
  return sanitize(html)
}
