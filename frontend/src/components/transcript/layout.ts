/** What the transcript shows of a run, row by row. */
import type {
  CompactedItem,
  GuardItem,
  Item,
  PromptItem,
  RunView,
  TextItem,
  ToolView,
  WeakenedItem,
} from '../../stores/view'
import { explores } from './describe'

export type Row =
  | { kind: 'text' | 'reasoning'; key: string; item: TextItem }
  | { kind: 'guard'; key: string; item: GuardItem }
  | { kind: 'compacted'; key: string; item: CompactedItem }
  | { kind: 'weakened'; key: string; item: WeakenedItem }
  | { kind: 'tool'; key: string; tool: ToolView }
  /** Calls that only look around, folded into one row. */
  | { kind: 'explored'; key: string; tools: ToolView[] }
  /** Calls that were asked for at once. */
  | { kind: 'parallel'; key: string; tools: ToolView[] }

/** Rows that belong together: what the user said, if anything, and what was done about it. */
export interface Passage {
  key: string
  prompt: PromptItem | null
  rows: Row[]
}

/** The rows of a run, parted by what was said while it was running. */
export function passagesOf(run: RunView): Passage[] {
  let passage: Passage = { key: '', prompt: null, rows: [] }
  const passages = [passage]
  for (const [i, item] of run.items.entries()) {
    if (item.kind === 'prompt') {
      passage = { key: item.promptId, prompt: item, rows: [] }
      passages.push(passage)
    } else addItem(passage.rows, run, item, i)
  }
  return passages
}

/** Adds the row of an item. Looking around in consecutive steps makes one row. */
function addItem(rows: Row[], run: RunView, item: Exclude<Item, PromptItem>, i: number): void {
  switch (item.kind) {
    case 'round':
      addRound(
        rows,
        item.callIds.flatMap((id) => run.tools.get(id) ?? []),
      )
      break
    case 'guard':
      rows.push({ kind: item.kind, key: `guard ${i}`, item })
      break
    case 'compacted':
      rows.push({ kind: item.kind, key: `compacted ${i}`, item })
      break
    case 'weakened':
      rows.push({ kind: item.kind, key: `weakened ${i}`, item })
      break
    default:
      rows.push({ kind: item.kind, key: `${item.kind} ${item.partId}`, item })
  }
}

function addRound(rows: Row[], tools: readonly ToolView[]): void {
  const [first] = tools
  if (tools.length > 1 && first && tools.some((tool) => !explores(tool))) {
    rows.push({ kind: 'parallel', key: `parallel ${first.callId}`, tools: [...tools] })
    return
  }
  for (const tool of tools) addCall(rows, tool)
}

function addCall(rows: Row[], tool: ToolView): void {
  const last = rows.at(-1)
  if (explores(tool)) {
    if (last?.kind === 'explored') {
      last.tools.push(tool)
      return
    }
    if (last?.kind === 'tool' && explores(last.tool)) {
      rows[rows.length - 1] = {
        kind: 'explored',
        key: `explored ${last.tool.callId}`,
        tools: [last.tool, tool],
      }
      return
    }
  }
  rows.push({ kind: 'tool', key: `tool ${tool.callId}`, tool })
}
