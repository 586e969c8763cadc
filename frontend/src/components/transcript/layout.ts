/** What the transcript shows of a run, row by row. */
import type { GuardItem, RunView, TextItem, ToolView } from '../../stores/view'

export type Row =
  | { kind: 'text' | 'reasoning'; key: string; item: TextItem }
  | { kind: 'guard'; key: string; item: GuardItem }
  | { kind: 'tool'; key: string; tool: ToolView }
  /** Calls that only look around, folded into one row. */
  | { kind: 'explored'; key: string; tools: ToolView[] }
  /** Calls that were asked for at once. */
  | { kind: 'parallel'; key: string; tools: ToolView[] }

const explores: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files'])

/** The rows of a run. Looking around in consecutive steps makes one row. */
export function rowsOf(run: RunView): Row[] {
  const rows: Row[] = []
  for (const [i, item] of run.items.entries()) {
    if (item.kind === 'round') {
      addRound(
        rows,
        item.callIds.flatMap((id) => run.tools.get(id) ?? []),
      )
    } else if (item.kind === 'guard') {
      rows.push({ kind: 'guard', key: `guard ${i}`, item })
    } else {
      rows.push({ kind: item.kind, key: `${item.kind} ${item.partId}`, item })
    }
  }
  return rows
}

function addRound(rows: Row[], tools: readonly ToolView[]): void {
  const [first] = tools
  if (tools.length > 1 && first && tools.some((tool) => !explores.has(tool.toolName))) {
    rows.push({ kind: 'parallel', key: `parallel ${first.callId}`, tools: [...tools] })
    return
  }
  for (const tool of tools) addCall(rows, tool)
}

function addCall(rows: Row[], tool: ToolView): void {
  const last = rows.at(-1)
  if (explores.has(tool.toolName)) {
    if (last?.kind === 'explored') {
      last.tools.push(tool)
      return
    }
    if (last?.kind === 'tool' && explores.has(last.tool.toolName)) {
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
