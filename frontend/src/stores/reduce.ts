/**
 * The view of a run as a reduction of its events. Nothing but the events counts:
 * no clock, no order of arrival; feed.ts sees to it that they come in order,
 * each once.
 */
import type { Envelope, EventMap } from '../api/types'
import { appendOutput } from './output'
import type { Item, QuestionView, RoundItem, RunView, TextItem, ToolView } from './view'

type Handlers = {
  [Type in keyof EventMap]: (run: RunView, data: EventMap[Type], e: Envelope) => void
}

/** Brings the view up to an event: the one that follows run.lastSeq. */
export function reduce(run: RunView, e: Envelope): void {
  run.lastSeq = e.seq
  const handle = handlers[e.type as keyof EventMap] as
    ((run: RunView, data: unknown, e: Envelope) => void) | undefined
  handle?.(run, e.data, e)
}

const handlers: Partial<Handlers> = {
  'lifecycle.start': (run, data, e) => {
    run.sessionId = e.sessionId
    run.prompt = data.prompt
    run.model = data.model
    run.maxSteps = data.maxSteps
    run.startedAt = e.ts
  },
  'step.started': (run, data, e) => {
    run.step = data.step
    run.maxSteps = data.maxSteps
    advance(run, e.ts)
  },
  'assistant.delta': (run, data, e) => appendText(run, 'text', data, e.ts),
  'reasoning.delta': (run, data, e) => appendText(run, 'reasoning', data, e.ts),
  decision: (run, _, e) => advance(run, e.ts),
  'tool.call': (run, data, e) => {
    advance(run, e.ts)
    round(run).callIds.push(data.callId)
    run.tools.set(data.callId, {
      callId: data.callId,
      toolName: data.toolName,
      arguments: data.arguments ?? null,
      rawArguments: data.rawArguments,
      state: 'pending',
      output: '',
      outputDropped: 0,
      result: null,
      question: null,
      decision: null,
      ref: e.ref,
    })
  },
  'tool.confirm_request': (run, data, e) => {
    const tool = run.tools.get(data.callId)
    if (!tool) return
    tool.state = 'waiting'
    tool.question = question(tool, data, e)
  },
  'tool.confirm_result': (run, data, e) => {
    const tool = run.tools.get(data.callId)
    if (!tool) return
    const edits = data.decision === 'modify'
    tool.question = null
    tool.state = 'pending'
    tool.decision = {
      decision: data.decision,
      by: data.by,
      reason: data.reason ?? '',
      edited: edits || (tool.decision?.edited ?? false),
    }
    if (edits) {
      tool.arguments = data.arguments
      tool.rawArguments = undefined
      tool.ref = e.ref
    }
  },
  'tool.running': (run, data, e) => {
    const tool = run.tools.get(data.callId)
    if (!tool) return
    tool.state = 'running'
    tool.startedAt = e.ts
  },
  'tool.progress': (run, data) => {
    const tool = run.tools.get(data.callId)
    if (tool) appendOutput(tool, data.content)
  },
  'tool.result': (run, data, e) => {
    const tool = run.tools.get(data.callId)
    if (!tool) return
    const code = data.errorCode ?? ''
    tool.state = data.success ? 'done' : failedState(code)
    tool.question = null
    tool.result = {
      success: data.success,
      content: data.content,
      errorCode: code,
      durationMs: data.durationMs,
      truncated: data.truncated,
      changes: data.changes,
      ref: e.ref,
    }
  },
  'llm.retry': (run, data, e) => {
    advance(run, e.ts)
    run.items = run.items.filter((item) => !isText(item) || !data.discard.includes(item.partId))
    run.retry = {
      attempt: data.attempt,
      maxAttempts: data.maxAttempts,
      dueAt: e.ts + data.delayMs,
      message: data.message,
    }
  },
  'guard.warning': (run, data) => {
    run.items.push({ kind: 'guard', guardKind: data.kind, detail: data.detail })
  },
  usage: (run, data) => {
    run.usage = { call: data.call, run: data.run }
  },
  'lifecycle.end': (run, data, e) => {
    advance(run, e.ts)
    run.endedAt = e.ts
    run.end = {
      reason: data.reason,
      content: data.content,
      steps: data.steps,
      durationMs: data.durationMs,
      warning: data.warning,
    }
  },
  'lifecycle.error': (run, data, e) => {
    advance(run, e.ts)
    run.endedAt = e.ts
    run.end = {
      reason: data.reason,
      code: data.code,
      message: data.message,
      content: data.partialContent,
      steps: data.steps,
      durationMs: data.durationMs,
    }
  },
}

function isText(item: Item): item is TextItem {
  return item.kind === 'text' || item.kind === 'reasoning'
}

/** What follows a reply, or a failed attempt at one: no part of it grows any more. */
function advance(run: RunView, ts: number): void {
  run.retry = null
  closeTexts(run, ts)
}

/** Parts grow one after the other, so all that are open are at the end. */
function closeTexts(run: RunView, ts: number): void {
  for (let i = run.items.length - 1; i >= 0; i--) {
    const item = run.items[i]
    if (!item || !isText(item) || item.endedAt !== undefined) return
    item.endedAt = ts
  }
}

function appendText(
  run: RunView,
  kind: TextItem['kind'],
  data: { partId: string; content: string },
  ts: number,
): void {
  run.retry = null
  const last = run.items.at(-1)
  if (last && isText(last) && last.partId === data.partId) {
    last.text += data.content
    last.endedAt = undefined
    return
  }
  // A provider may turn back to a part: its text stays where it began.
  const earlier = run.items.findLast((item) => isText(item) && item.partId === data.partId)
  if (earlier && isText(earlier)) {
    earlier.text += data.content
    return
  }
  closeTexts(run, ts)
  run.items.push({ kind, partId: data.partId, text: data.content, startedAt: ts })
}

/** The calls of the step at work. */
function round(run: RunView): RoundItem {
  const last = run.items.at(-1)
  if (last?.kind === 'round' && last.step === run.step) return last
  const item: RoundItem = { kind: 'round', step: run.step, callIds: [] }
  run.items.push(item)
  // What was pushed is read back, because run may be a reactive proxy.
  return run.items.at(-1) as RoundItem
}

function question(tool: ToolView, data: EventMap['tool.confirm_request'], e: Envelope): QuestionView {
  const known = tool.question
  return {
    runId: e.runId,
    callId: data.callId,
    toolName: data.toolName,
    arguments: data.arguments,
    preview: data.preview,
    hash: data.hash,
    reason: data.reason ?? '',
    expiresAt: data.expiresAt,
    // More time for the same question does not put it behind the others.
    askedSeq: known && known.hash === data.hash ? known.askedSeq : e.seq,
    ref: e.ref,
  }
}

/** The state of a call that came to nothing, by one of message.ToolCode. */
function failedState(code: string): ToolView['state'] {
  switch (code) {
    case 'REJECTED':
    case 'CONFIRM_TIMEOUT':
      return 'rejected'
    case 'CANCELLED':
      return 'cancelled'
    default:
      return 'failed'
  }
}
