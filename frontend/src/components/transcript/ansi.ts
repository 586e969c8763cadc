/**
 * Text of a terminal as spans. Of its escape sequences the ones for weight and
 * lines are followed (ECMA-48 SGR); color is not shown, and the rest is left out:
 * nothing here is a terminal that a cursor moves in.
 */

/** Text with the classes of its style; without any where it is plain. */
export interface Span {
  text: string
  style: string
}

/** A stretch of lines that does not change any more, or the last one, which may. */
export interface Chunk {
  readonly id: number
  readonly spans: readonly Span[]
}

/** How many lines make a chunk. */
const chunkLines = 100

const styles: Readonly<Record<number, string>> = {
  1: 'sgr-bold',
  2: 'sgr-dim',
  3: 'sgr-italic',
  4: 'sgr-underline',
  7: 'sgr-inverse',
  9: 'sgr-strike',
}
/** What each code switches off. */
const ends: Readonly<Record<number, readonly string[]>> = {
  22: ['sgr-bold', 'sgr-dim'],
  23: ['sgr-italic'],
  24: ['sgr-underline'],
  27: ['sgr-inverse'],
  29: ['sgr-strike'],
}

// In this order: a complete sequence, its beginning at the end of the text, a
// line break, a return, and plain text. Sequences: CSI, OSC, and those of two signs.
const token =
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-Z\\^-~]|(\u001b[^]*$)|(\n)|(\r)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f\u001b]|[^\u0000-\u0008\u000a-\u001f\u007f]+/g

/** Takes the output of a command as it comes. */
export class AnsiText {
  private done: Chunk[] = []
  /** The lines of the current chunk. */
  private spans: Span[] = []
  private lines = 0
  /** The current line, which a return begins anew. */
  private line: Span[] = []
  private returned = false
  private style = new Set<string>()
  /** The beginning of a sequence whose end has not come. */
  private rest = ''

  push(text: string): void {
    const whole = this.rest + text
    this.rest = ''
    for (const match of whole.matchAll(token)) {
      const [all, parameters, final, unfinished, lineBreak, carriageReturn] = match
      if (final !== undefined) {
        if (final === 'm') this.setStyle(parameters ?? '')
      } else if (unfinished !== undefined) {
        // What is too long to be a sequence is not kept.
        this.rest = unfinished.length > 4096 ? '' : unfinished
      } else if (lineBreak !== undefined) {
        this.endLine()
      } else if (carriageReturn !== undefined) {
        this.returned = true
      } else if (!isControl(all)) {
        this.write(all)
      }
    }
  }

  /** The lines so far, in stretches; those that did not change are the same objects. */
  chunks(): readonly Chunk[] {
    const spans = [...this.spans, ...this.line]
    return spans.length === 0 ? this.done : [...this.done, { id: this.done.length, spans }]
  }

  private write(text: string): void {
    if (this.returned) this.line = []
    this.returned = false
    append(this.line, text, [...this.style].join(' '))
  }

  private endLine(): void {
    this.returned = false
    for (const { text, style } of this.line) append(this.spans, text, style)
    append(this.spans, '\n', '')
    this.line = []
    if (++this.lines < chunkLines) return
    this.done = [...this.done, { id: this.done.length, spans: this.spans }]
    this.spans = []
    this.lines = 0
  }

  private setStyle(parameters: string): void {
    const codes = parameters.split(/[;:]/).map(Number)
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0
      if (code === 0) this.style.clear()
      // A color in numbers: what follows belongs to it.
      if (code === 38 || code === 48 || code === 58) i += codes[i + 1] === 5 ? 2 : 4
      const style = styles[code]
      if (style !== undefined) this.style.add(style)
      for (const off of ends[code] ?? []) this.style.delete(off)
    }
  }
}

/** A whole text as spans. */
export function spansOf(text: string): readonly Span[] {
  const reader = new AnsiText()
  reader.push(text)
  return reader.chunks().flatMap((chunk) => chunk.spans)
}

function append(spans: Span[], text: string, style: string): void {
  const last = spans.at(-1)
  if (last?.style === style) spans[spans.length - 1] = { text: last.text + text, style }
  else spans.push({ text, style })
}

function isControl(text: string): boolean {
  const code = text.codePointAt(0) ?? 0
  return (code < 0x20 && code !== 9) || code === 0x7f
}
