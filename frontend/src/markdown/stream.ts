/**
 * Markdown that grows. Only the blocks at the end of the text can still change,
 * so only they are read again when some is added: the work is that of the tail,
 * however long the text is. Blocks before it keep their identity.
 */
import type { Token, Tokens } from 'marked'
import remend from 'remend'

import { highlight } from './highlight'
import { lex, render, type Definitions } from './parse'

/** A piece of a message that is shown on its own. */
export type Block = HtmlBlock | CodeBlock

export interface HtmlBlock {
  readonly kind: 'html'
  /** Counts the blocks of a message from 0. */
  readonly id: number
  /** Safe to show. */
  readonly html: string
}

export interface CodeBlock {
  readonly kind: 'code'
  readonly id: number
  /** As the model wrote it; may be empty or unknown. */
  readonly language: string
  readonly code: string
  /** The code with marked words, safe to show; empty while it grows or where there are none. */
  readonly html: string
}

/** A block that no further text can change, but for late definitions. */
interface Settled {
  readonly raw: string
  /** Null where nothing is to be seen, as of a definition. */
  readonly block: Block | null
  /** How many definitions there were. */
  readonly definitions: number
}

const completion = { linkMode: 'text-only', katex: false, inlineKatex: false } as const

export class BlockStream {
  private settled: Settled[] = []
  private shown: Block[] = []
  private live: readonly Block[] = []
  private definitions: Definitions = Object.create(null) as Definitions
  /** The text after what is settled. */
  private tail = ''
  /** How much of the message has been taken. */
  private taken = 0

  /** The length of what is read anew each time, in characters; code costs nothing. */
  get cost(): number {
    return this.live.at(-1)?.kind === 'code' ? 0 : this.tail.length
  }

  /** The blocks of a message so far: its whole text, of which only the end is new. */
  update(text: string): readonly Block[] {
    // The rest of a line break may be still to come.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    this.tail += unixLines(text.slice(this.taken, end))
    this.taken = end
    const tokens = lex(this.tail, this.known())
    this.settle(tokens.slice(0, finalTokens(tokens, this.tail)))
    this.showLive(tokens.slice(finalTokens(tokens, this.tail)))
    return [...this.shown, ...this.live]
  }

  /**
   * The blocks of the whole message. It is read once more, because a link may
   * have been used before it was defined; blocks that stay as they were are the
   * same objects.
   */
  end(text: string): readonly Block[] {
    const before = this.settled
    const all: Definitions = Object.create(null) as Definitions
    const tokens = lex(unixLines(text), all)
    const count = Object.keys(all).length
    this.settled = []
    this.shown = []
    this.live = []
    for (const token of tokens) {
      if (token.type === 'space') continue
      const known = before[this.settled.length]
      const same =
        known?.raw === token.raw &&
        (known.definitions === count || !token.raw.includes('[')) &&
        (known.block === null || known.block.id === this.shown.length)
      this.keep(token.raw, same ? known.block : this.build(token), count)
    }
    this.tail = ''
    this.taken = text.length
    return this.shown
  }

  private settle(tokens: readonly Token[]): void {
    let length = 0
    for (const token of tokens) {
      length += token.raw.length
      if (token.type === 'space') continue
      if (token.type === 'def') {
        const { tag, href, title } = token as Tokens.Def
        this.definitions[tag] ??= { href, title }
      }
      this.keep(token.raw, this.build(token), Object.keys(this.definitions).length)
    }
    this.tail = this.tail.slice(length)
  }

  private keep(raw: string, block: Block | null, definitions: number): void {
    this.settled.push({ raw, block, definitions })
    if (block) this.shown.push(block)
  }

  private build(token: Token): Block | null {
    const block = blockOf(token, this.shown.length)
    const known = this.live[0]
    return block?.kind === 'html' && known?.id === block.id && sameBlock(known, block) ? known : block
  }

  /** What may still change is completed, so that it looks as it will when it is whole. */
  private showLive(tokens: readonly Token[]): void {
    const before = this.live
    const last = tokens.findLastIndex((token) => token.type !== 'space')
    const live: Block[] = []
    for (const [i, token] of tokens.entries()) {
      const id = this.shown.length + live.length
      if (token.type === 'space') continue
      const block =
        token.type === 'code'
          ? codeBlock(token as Tokens.Code, id, false)
          : this.preview(token, id, i === last)
      if (block === null) continue
      const known = before.find((other) => other.id === id)
      live.push(known && sameBlock(known, block) ? known : block)
    }
    this.live = live
  }

  private preview(token: Token, id: number, unfinished: boolean): HtmlBlock | null {
    const tokens = unfinished ? lex(remend(token.raw, completion), this.known()) : [token]
    const html = tokens.map(render).join('')
    return html.trim() === '' ? null : { kind: 'html', id, html }
  }

  /** The definitions so far, for reading text whose own are not final. */
  private known(): Definitions {
    return Object.assign(Object.create(null) as Definitions, this.definitions)
  }
}

/** A block of a text that is whole, with its lines, which count from 1. */
export interface PlacedBlock {
  readonly block: Block
  readonly first: number
  readonly last: number
}

/** The blocks of a whole text. */
export function placedBlocks(text: string): PlacedBlock[] {
  const placed: PlacedBlock[] = []
  let line = 1
  for (const token of lex(unixLines(text), Object.create(null) as Definitions)) {
    const lines = token.raw.split('\n').length - 1
    const block = token.type === 'space' ? null : blockOf(token, placed.length)
    const own = token.raw.trimEnd().split('\n').length
    if (block) placed.push({ block, first: line, last: line + own - 1 })
    line += lines
  }
  return placed
}

/** The block of a token; null where nothing is to be seen. */
function blockOf(token: Token, id: number): Block | null {
  if (token.type === 'code') return codeBlock(token as Tokens.Code, id, true)
  const html = render(token)
  return html.trim() === '' ? null : { kind: 'html', id, html }
}

/**
 * How many of the tokens can be taken as final. The last one never is. Neither is
 * the one before it while the last line is unfinished: what looks like the
 * beginning of another block may turn out to go on with it.
 */
function finalTokens(tokens: readonly Token[], text: string): number {
  const last = tokens.findLastIndex((token) => token.type !== 'space')
  const token = tokens[last]
  if (!token || text.endsWith('\n') || token.raw.includes('\n')) return Math.max(last, 0)
  const before = tokens.slice(0, last).findLastIndex((other) => other.type !== 'space')
  return Math.max(before, 0)
}

function codeBlock({ text, lang }: Tokens.Code, id: number, whole: boolean): CodeBlock {
  const language = /^\S*/.exec(lang ?? '')?.[0] ?? ''
  return { kind: 'code', id, language, code: text, html: whole ? highlight(text, language) : '' }
}

function sameBlock(a: Block, b: Block): boolean {
  if (a.kind === 'code') return b.kind === 'code' && a.code === b.code && a.language === b.language
  return b.kind === 'html' && a.html === b.html
}

function unixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}
