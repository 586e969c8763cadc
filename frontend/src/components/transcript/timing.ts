/** When calls ran, and for how long. All times are milliseconds. */
import type { ToolView } from '../../stores/view'
import { callsOf, type Row } from './layout'

/** A stretch of time. */
export interface Interval {
  from: number
  to: number
}

/** When a call ran; until now while it does, nothing where it never did. */
export function ranFrom(tool: ToolView, now: number): Interval | null {
  if (tool.startedAt === undefined) return null
  const to = tool.result ? tool.startedAt + tool.result.durationMs : Math.max(now, tool.startedAt)
  return { from: tool.startedAt, to }
}

/** From the first call's beginning to the last one's end. */
export function ranTogether(tools: readonly ToolView[], now: number): Interval | null {
  const ran = tools.flatMap((tool) => ranFrom(tool, now) ?? [])
  if (ran.length === 0) return null
  return { from: Math.min(...ran.map(({ from }) => from)), to: Math.max(...ran.map(({ to }) => to)) }
}

/** Reports whether some of the calls ran, or run, at the same time. */
export function overlap(tools: readonly ToolView[]): boolean {
  const ran = tools.flatMap((tool) => ranFrom(tool, Infinity) ?? []).toSorted((a, b) => a.from - b.from)
  return ran.some((one, i) => i > 0 && one.from < Math.max(...ran.slice(0, i).map(({ to }) => to)))
}

/** How long it took from the beginning of the first of some rows to the end of the last one. */
export function workedFor(rows: readonly Row[]): number {
  const calls = ranTogether(rows.flatMap(callsOf), 0)
  const words = rows.flatMap((row) => (row.kind === 'text' || row.kind === 'reasoning' ? row.item : []))
  const froms = words.map(({ startedAt }) => startedAt)
  const tos = words.map(({ startedAt, endedAt }) => endedAt ?? startedAt)
  if (calls) {
    froms.push(calls.from)
    tos.push(calls.to)
  }
  return froms.length === 0 ? 0 : Math.max(...tos) - Math.min(...froms)
}
