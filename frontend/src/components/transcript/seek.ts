/** Where in a run a place is that was found: what must be unfolded for it, and its element. */
import type { Passage as Found } from '../../api/types'
import type { Passage, Row } from './layout'

/** The keys of the folded rows that a place lies in. */
export function foldsAround(passages: readonly Passage[], wanted: Found): string[] {
  return passages.flatMap(({ rows }) => rows.flatMap((row) => foldsIn(row, wanted) ?? []))
}

/** The keys of the folded rows from a row to a place in it; null where it is not in there. */
function foldsIn(row: Row, wanted: Found): string[] | null {
  switch (row.kind) {
    case 'work':
      for (const inner of row.rows) {
        const keys = foldsIn(inner, wanted)
        if (keys) return [row.key, ...keys]
      }
      return null
    case 'explored':
      return row.tools.some(({ callId }) => callId === wanted.callId) ? [row.key] : null
    case 'parallel':
      return row.tools.some(({ callId }) => callId === wanted.callId) ? [] : null
    case 'tool':
      return row.tool.callId === wanted.callId ? [] : null
    case 'text':
      return row.item.partId === wanted.partId ? [] : null
    default:
      return null
  }
}

/** The element of a place in that of its run. Of what the user said it is the message that has the text. */
export function elementOf(turn: HTMLElement | null, wanted: Found): Element | undefined {
  if (wanted.callId !== '') return withData(turn, 'call', wanted.callId)
  const part = withData(turn, 'part', wanted.partId)
  if (part) return part
  const said = [...(turn?.querySelectorAll('[data-said]') ?? [])]
  const words = flat(wanted.before.replace(/^…/, '') + wanted.match)
  return said.find((each) => flat(each.textContent).includes(words)) ?? said[0]
}

function withData(turn: HTMLElement | null, kind: 'call' | 'part', id: string): Element | undefined {
  const all = [...(turn?.querySelectorAll<HTMLElement>(`[data-${kind}]`) ?? [])]
  return all.find((each) => each.dataset[kind] === id)
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
