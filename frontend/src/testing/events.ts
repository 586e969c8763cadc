/** Events for tests: made by hand, or those of the loop's own scenarios. */
import type { Display, Envelope, EventMap, EventType, ResultData } from '../api/types'
import { reduce } from '../stores/reduce'
import { createRun, type RunView } from '../stores/view'
import displays from './displays.json'

/** One event without what it has from its place in the run. */
export type Step = {
  [K in EventType]: readonly [type: K, data: EventMap[K], more?: Partial<Envelope>]
}[EventType]

/** When the runs of the tests begin, in milliseconds since 1970. */
export const begin = 1_800_000_000_000

/** The events of a run: seq from 1, a second between two. */
export function eventsOf(steps: readonly Step[], runId = 'run-1', sessionId = 'session-1'): Envelope[] {
  return steps.map(
    ([type, data, more], i) =>
      ({ seq: i + 1, runId, sessionId, ts: begin + i * 1000, type, data, ...more }) as Envelope,
  )
}

/** The view of a run with these events. */
export function viewOf(events: readonly Envelope[]): RunView {
  const run = createRun(events[0]?.runId ?? 'run-1', 'session-1')
  for (const e of events) reduce(run, e)
  return run
}

/** The beginning of a run, for tests that are about what follows. */
export const start: readonly Step[] = [
  ['lifecycle.start', { prompt: 'Fix the parser', model: 'scripted', maxSteps: 50 }],
  ['step.started', { step: 1, maxSteps: 50 }],
]

const builtIn: ReadonlyMap<string, Display> = new Map(Object.entries(displays))

/** How calls to a built-in tool are shown; undefined for another one. */
export const displayOf = (toolName: string): Display | undefined => builtIn.get(toolName)

/** A call that is asked for. */
export const call = (callId: string, toolName: string, args: Record<string, unknown>): Step => [
  'tool.call',
  { callId, toolName, display: displayOf(toolName), arguments: args },
]

/** A call that has succeeded. */
export const succeeded = (callId: string, content: string, durationMs = 300, data?: ResultData): Step => [
  'tool.result',
  { callId, success: true, content, durationMs, truncated: false, changes: [], ...(data && { data }) },
]

/** A call whose command goes on in the background. */
export const started = (callId: string, content: string, processId: string, data?: ResultData): Step => [
  'tool.result',
  {
    callId,
    success: true,
    content,
    data: data ?? { processId, running: true },
    processId,
    durationMs: 300,
    truncated: false,
    changes: [],
  },
]

/** A call that has failed. */
export const failed = (callId: string, errorCode: string, content: string, data?: ResultData): Step => [
  'tool.result',
  {
    callId,
    success: false,
    content,
    errorCode,
    durationMs: 300,
    truncated: false,
    changes: [],
    ...(data && { data }),
  },
]

const files: Record<string, string> = import.meta.glob(
  '../../../backend/session/testdata/scenarios/*.txtar',
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)

/** The runs of the scenarios of backend/session/testdata by name, each with its events. */
export const scenarios: readonly (readonly [name: string, events: Envelope[]])[] = Object.entries(
  files,
).flatMap(([path, text]) =>
  runsOf(text).map((steps, i) => {
    const name = path.split('/').at(-1) ?? path
    return [i === 0 ? name : `${name}, run ${i + 1}`, eventsOf(steps)] as const
  }),
)

function runsOf(txtar: string): Step[][] {
  const section = /^-- events --\n([\s\S]*?)(?=^-- )/m.exec(txtar)?.[1] ?? ''
  const runs: Step[][] = []
  for (const line of section.split('\n')) {
    if (line === '') continue
    const space = line.indexOf(' ')
    const type = line.slice(0, space)
    if (type === 'lifecycle.start') runs.push([])
    const data = JSON.parse(line.slice(space + 1)) as { toolName?: string }
    // The scenarios leave it out.
    if (type === 'tool.call') Object.assign(data, { display: displayOf(data.toolName ?? '') })
    runs.at(-1)?.push([type, data] as unknown as Step)
  }
  return runs
}
