/**
 * The view of a run as a reduction of its events. Nothing but the events counts:
 * no clock, no order of arrival; feed.ts ensures that they come in order,
 * each once.
 */
import type { Envelope, EnvelopeOf, EventMap, EventType, Preview, QuestionKind } from '../api/types'
import { appendOutput } from './output'
import type { Item, QuestionView, RoundItem, RunView, TextItem, ToolView } from './view'

type Handlers = { [K in EventType]?: (run: RunView, e: EnvelopeOf<K>) => void }

/** Brings the view up to an event: the one that follows run.lastSeq. */
export function reduce(run: RunView, e: Envelope): void {
  run.lastSeq = e.seq
  const handle = handlers[e.type] as ((run: RunView, e: Envelope) => void) | undefined
  handle?.(run, e)
}

const handlers: Handlers = {
  'lifecycle.start': (run, e) => {
    run.prompt = e.data.prompt
    run.blocks = e.data.blocks ?? []
    run.continued = Boolean(e.data.continues)
    run.compacts = e.data.compacts ?? false
    run.model = e.data.model
    run.notices = e.data.notices ?? []
    run.maxSteps = e.data.maxSteps
    run.startedAt = e.ts
  },
  'draft.opened': (run) => {
    run.drafting = true
  },
  'step.started': (run, e) => {
    run.step = e.data.step
    run.maxSteps = e.data.maxSteps
    advance(run, e.ts)
  },
  'assistant.delta': (run, e) => appendText(run, 'text', e),
  'reasoning.delta': (run, e) => appendText(run, 'reasoning', e),
  'assistant.final': (run, e) => {
    advance(run, e.ts)
    replaceText(run, e)
  },
  decision: (run, e) => advance(run, e.ts),
  'tool.call': (run, e) => {
    advance(run, e.ts)
    // Of arguments nested as deep as JSON may be, a cut event has nothing at all.
    if (!e.data.callId) return
    round(run).callIds.push(e.data.callId)
    run.tools.set(e.data.callId, {
      callId: e.data.callId,
      toolName: e.data.toolName,
      display: e.data.display ?? null,
      arguments: e.data.arguments ?? null,
      rawArguments: e.data.rawArguments,
      state: 'pending',
      output: '',
      outputDropped: 0,
      result: null,
      question: null,
      decision: null,
      ref: e.ref,
    })
  },
  'tool.confirm_request': (run, e) => {
    const tool = run.tools.get(e.data.callId)
    if (!tool) return
    tool.state = 'waiting'
    tool.question = question(tool, e)
    if (!isEdit(e.data)) return
    tool.arguments = e.data.arguments
    tool.rawArguments = undefined
    tool.ref = e.ref
    if (tool.decision) tool.decision.edited = true
  },
  'tool.confirm_result': (run, e) => {
    const tool = run.tools.get(e.data.callId)
    if (!tool) return
    tool.question = null
    tool.state = 'pending'
    tool.decision = {
      decision: e.data.decision,
      by: e.data.by,
      reason: e.data.reason ?? '',
      // An edit counts once it was found fit and is asked about.
      edited: tool.decision?.edited ?? false,
    }
  },
  'tool.running': (run, e) => {
    const tool = run.tools.get(e.data.callId)
    if (!tool) return
    tool.state = 'running'
    tool.startedAt = e.ts
  },
  'tool.progress': (run, e) => {
    const tool = run.tools.get(e.data.callId)
    if (tool) appendOutput(tool, e.data.content)
  },
  'tool.result': (run, e) => {
    const tool = run.tools.get(e.data.callId)
    if (!tool) return
    const code = e.data.errorCode ?? ''
    tool.state = e.data.success ? 'done' : failedState(code)
    tool.question = null
    tool.output = ''
    tool.result = {
      success: e.data.success,
      content: e.data.content,
      blocks: e.data.blocks ?? [],
      errorCode: code,
      durationMs: e.data.durationMs,
      truncated: e.data.truncated,
      // Of a cut event some may be without their path.
      changes: e.data.changes.filter((change) => change.path !== undefined),
      data: e.data.data ?? {},
      processId: e.data.processId,
      level: e.data.level,
      notices: e.data.notices ?? [],
      ref: e.ref,
    }
  },
  'request.weakened': (run, e) => {
    closeTexts(run, e.ts)
    run.items.push({ kind: 'weakened', ...e.data })
  },
  'llm.retry': (run, e) => {
    advance(run, e.ts)
    drop(run, e.data.discard)
    run.retry = {
      attempt: e.data.attempt,
      maxAttempts: e.data.maxAttempts,
      dueAt: e.ts + e.data.delayMs,
      code: e.data.code,
      data: e.data.data,
      message: e.data.message,
    }
  },
  'guard.warning': (run, e) => {
    // The call that repeats says so itself, in its own row.
    if (e.data.kind === 'doom_loop') return
    run.items.push({ kind: 'guard', guardKind: e.data.kind, data: e.data.data ?? {}, detail: e.data.detail })
  },
  'record.gap': (run, e) => {
    closeTexts(run, e.ts)
    run.items.push({ kind: 'guard', guardKind: 'gap', data: {}, detail: '' })
  },
  'guard.request': (run, e) => {
    run.guard = { runId: e.runId, ...e.data, data: e.data.data ?? {} }
  },
  'guard.result': (run, e) => {
    if (run.guard?.guardId === e.data.guardId) run.guard = null
  },
  'prompt.joined': (run, e) => {
    closeTexts(run, e.ts)
    run.items.push({
      kind: 'prompt',
      promptId: e.data.promptId,
      text: e.data.text,
      blocks: e.data.blocks ?? [],
      at: e.ts,
    })
  },
  'run.interrupt': (run) => {
    run.interrupted = true
  },
  'context.compacted': (run, e) => {
    closeTexts(run, e.ts)
    run.items.push({ kind: 'compacted', ...e.data })
    run.context = { tokens: e.data.after, estimated: true }
  },
  usage: (run, e) => {
    const { call, run: total, estimated = false, window = 0 } = e.data
    run.usage = { call, run: total, estimated, window }
    // What a summary was made of is not what the conversation takes.
    const tokens = call.prompt + call.completion
    if (tokens > 0 && !run.compacts) run.context = { tokens, estimated }
  },
  'lifecycle.end': (run, e) => {
    advance(run, e.ts)
    run.endedAt = e.ts
    run.end = {
      reason: e.data.reason,
      content: e.data.content,
      steps: e.data.steps,
      durationMs: e.data.durationMs,
      ref: e.ref,
    }
  },
  'lifecycle.error': (run, e) => {
    advance(run, e.ts)
    run.endedAt = e.ts
    run.end = {
      reason: e.data.reason,
      code: e.data.code,
      data: e.data.data,
      message: e.data.message,
      content: e.data.partialContent,
      steps: e.data.steps,
      durationMs: e.data.durationMs,
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

/** Parts grow one after the other, so only the last one can be open. */
function closeTexts(run: RunView, ts: number): void {
  const last = run.items.findLast(isText)
  if (last) last.endedAt ??= ts
}

/** Takes parts away whose text counts no more. */
function drop(run: RunView, discard: readonly string[]): void {
  if (discard.length === 0) return
  run.items = run.items.filter((item) => !isText(item) || !discard.includes(item.partId))
}

function appendText(
  run: RunView,
  kind: TextItem['kind'],
  { ts, data }: EnvelopeOf<'assistant.delta' | 'reasoning.delta'>,
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

/**
 * Gives a part another text, which can have that of parts before it; one that was not
 * streamed is a part of its own.
 */
function replaceText(run: RunView, { ts, data }: EnvelopeOf<'assistant.final'>): void {
  drop(run, data.discard ?? [])
  const part = run.items.find((item) => isText(item) && item.partId === data.partId)
  if (data.content === '') run.items = run.items.filter((item) => item !== part)
  else if (part && isText(part)) part.text = data.content
  else {
    const { partId, content } = data
    run.items.push({ kind: 'text', partId, text: content, startedAt: ts, endedAt: ts })
  }
}

/** The calls of the current step. */
function round(run: RunView): RoundItem {
  const last = run.items.at(-1)
  if (last?.kind === 'round' && last.step === run.step) return last
  const item: RoundItem = { kind: 'round', step: run.step, callIds: [] }
  run.items.push(item)
  // What was pushed is read back, because run may be a reactive proxy.
  return run.items.at(-1) as RoundItem
}

function question(tool: ToolView, e: EnvelopeOf<'tool.confirm_request'>): QuestionView {
  const { data } = e
  const known = tool.question
  return {
    runId: e.runId,
    callId: data.callId,
    toolName: data.toolName,
    display: tool.display,
    arguments: data.arguments,
    kind: data.kind ?? kindOf(data.preview),
    preview: data.preview,
    hash: data.hash,
    cause: data.cause,
    reason: data.reason ?? '',
    expiresAt: data.expiresAt,
    // More time for the same question does not put it behind the others.
    askedSeq: known && known.hash === data.hash ? known.askedSeq : e.seq,
    ref: e.ref,
  }
}

/** Reports whether it is asked about what the user has just edited: earlier versions told by the
    preview alone. */
const isEdit = ({ cause, preview }: EventMap['tool.confirm_request']): boolean =>
  cause === undefined ? preview.edited === true : cause.code === 'edited'

/** What a question is about that an earlier version asked. */
function kindOf({ effect }: Preview): QuestionKind {
  switch (effect) {
    case 'files':
      return 'edit'
    case 'none':
      return 'call'
    default:
      return effect
  }
}

/** The state of a call that failed, by one of message.ToolCode. */
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
