/** The text of a document as its reader writes it: lines, of which some are headings or the rows of a
    table in Markdown. All else is shown as it is. */

export type TextBlock =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'text'; text: string }

const headingForm = /^(#{1,6}) (.*)$/
const ruleForm = /^(\|---)+\|$/

/** The blocks of a text. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const heading = headingForm.exec(line)
    if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' })
    } else if (line.startsWith('|') && ruleForm.test(lines[i + 1] ?? '')) {
      const rows = [cellsOf(line)]
      for (i += 2; lines[i]?.startsWith('|'); i++) rows.push(cellsOf(lines[i] ?? ''))
      i--
      blocks.push({ kind: 'table', rows })
    } else {
      const last = blocks.at(-1)
      if (last?.kind === 'text') last.text += `\n${line}`
      else blocks.push({ kind: 'text', text: line })
    }
  }
  return blocks.filter((block) => block.kind !== 'text' || block.text.trim() !== '').map(trimmed)
}

/** A text without the empty lines around it. */
function trimmed(block: TextBlock): TextBlock {
  return block.kind === 'text' ? { ...block, text: block.text.replaceAll(/^\n+|\s+$/g, '') } : block
}

/** A piece of a text; of a link it has the address. */
export interface TextPiece {
  text: string
  href?: string
}

const linkForm = /\[([^\]\n]+)\]\(((?:https?|mailto):[^)\s]+)\)/g

/** The pieces of a text, with the links that its reader writes as Markdown. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (const { 0: whole, 1: label = '', 2: href, index } of text.matchAll(linkForm)) {
    if (index > from) pieces.push({ text: text.slice(from, index) })
    pieces.push({ text: label, href })
    from = index + whole.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

/** The cells of a row. */
function cellsOf(line: string): string[] {
  const cells = line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
  return cells.map((cell) =>
    cell
      .trim()
      .replaceAll(String.raw`\|`, '|')
      .replaceAll(/<br ?\/?>/g, '\n'),
  )
}
