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
  /** Rounds that are finished, folded into one row. */
  | WorkRow

export interface WorkRow {
  kind: 'work'
  key: string
  rows: Row[]
}

/** Rows that belong together: what the user said, if anything, and what was done about it. */
export interface Passage {
  key: string
  prompt: PromptItem | null
  rows: Row[]
}

/**
 * The rows of a run, parted by what was said while it was running. Of the first items, as many
 * as `settled` says, those rows are folded that are not worth seeing by themselves and that
 * `held` does not name.
 */
export function passagesOf(run: RunView, settled = 0, held: ReadonlySet<string> = new Set()): Passage[] {
  let passage: Passage = { key: '', prompt: null, rows: [] }
  const passages = [passage]
  /** How many of the rows of the passage are of settled items alone. */
  let done = 0
  const fold = () => {
    passage.rows = [...folded(passage.rows.slice(0, done), held), ...passage.rows.slice(done)]
  }
  for (const [i, item] of run.items.entries()) {
    if (item.kind === 'prompt') {
      fold()
      passage = { key: item.promptId, prompt: item, rows: [] }
      passages.push(passage)
      done = 0
      continue
    }
    addItem(passage.rows, run, item, i)
    // A row of items on both sides is of the later ones.
    done = i < settled ? passage.rows.length : Math.min(done, passage.rows.length - 1)
  }
  fold()
  return passages
}

/**
 * How many of the first items of a run are settled: the rounds before the last one, and the last
 * one too once the run is complete with words after it.
 */
export function settledItems({ items, end }: RunView): number {
  const last = items.findLastIndex((item) => item.kind === 'round')
  if (last < 0) return 0
  if (end?.reason === 'completed') {
    const answer = items.findIndex((item, i) => i > last && item.kind === 'text' && item.text.trim() !== '')
    if (answer >= 0) return answer
  }
  return 1 + items.findLastIndex((item, i) => i < last && (item.kind === 'round' || item.kind === 'prompt'))
}

/** The rows with what is folded of them as one row each. */
function folded(rows: readonly Row[], held: ReadonlySet<string>): Row[] {
  const shown: Row[] = []
  let work: Row[] = []
  const close = () => {
    const [first] = work
    // A single row says more than how many there are.
    if (first && work.length > 1 && work.some((row) => callsOf(row).length > 0)) {
      shown.push({ kind: 'work', key: `work ${first.key}`, rows: work })
    } else shown.push(...work)
    work = []
  }
  for (const row of rows) {
    if (isQuiet(row) && !held.has(row.key)) work.push(row)
    else {
      close()
      shown.push(row)
    }
  }
  close()
  return shown
}

/** The calls of a row. */
export function callsOf(row: Row): ToolView[] {
  if (row.kind === 'tool') return [row.tool]
  if (row.kind === 'work') return row.rows.flatMap(callsOf)
  return 'tools' in row ? row.tools : []
}

/** Reports whether nothing of a row needs to be seen by itself: no failure, no warning, no question. */
function isQuiet(row: Row): boolean {
  if (row.kind === 'text' || row.kind === 'reasoning') return true
  const calls = callsOf(row)
  return calls.length > 0 && calls.every(({ state, result }) => state === 'done' && !result?.notices.length)
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
