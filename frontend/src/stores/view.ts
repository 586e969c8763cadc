/**
 * What the page shows of a run. The reducer (reduce.ts) builds it from the
 * events of the run and from nothing else, so that a reload gives the same view.
 * All times are milliseconds since 1970.
 */
import type {
  Block,
  Cause,
  Change,
  Display,
  FailData,
  GuardData,
  Level,
  Notice,
  Preview,
  QuestionKind,
  ResultData,
  Usage,
} from '../api/types'

/** How far a tool call has come. */
export type ToolState = 'pending' | 'waiting' | 'running' | 'done' | 'failed' | 'rejected' | 'cancelled'

/** A run from its prompt to its end. */
export interface RunView {
  readonly runId: string
  readonly sessionId: string
  /** What was asked for. */
  prompt: string
  /** The images and files that came with it. */
  blocks: Block[]
  /** It goes on with an earlier run; the prompt is Fairlead's own then. */
  continued: boolean
  /** It has no prompt: what was said before is summed up. */
  compacts: boolean
  model: string
  /** What commands in the background have left since the run before. */
  notices: Notice[]
  maxSteps: number
  /** The current step, from 1; 0 before the first one. */
  step: number
  startedAt: number
  endedAt?: number
  /** What happened, in order. */
  items: Item[]
  /** It works in a draft. */
  drafting: boolean
  /** The tool calls by callId, in the order they were asked for. */
  tools: Map<string, ToolView>
  usage: UsageView | null
  /** How many tokens the conversation takes, as last counted; null where nobody has. */
  context: ContextView | null
  /** A guard has paused it and asks whether it may go on. */
  guard: GuardView | null
  /** It stops before its next model call, because the user said so. */
  interrupted: boolean
  /** An attempt failed and the next one is due. */
  retry: RetryView | null
  end: EndView | null
  /** The seq of the last event that is in this view. */
  lastSeq: number
}

export type Item = TextItem | RoundItem | GuardItem | PromptItem | CompactedItem | WeakenedItem

/** A part of a reply: its text, or the reasoning before it. */
export interface TextItem {
  kind: 'text' | 'reasoning'
  partId: string
  text: string
  startedAt: number
  /** Absent while the part grows. */
  endedAt?: number
}

/** The tool calls of a step. */
export interface RoundItem {
  kind: 'round'
  step: number
  callIds: string[]
}

/** A guard stepped in. */
export interface GuardItem {
  kind: 'guard'
  guardKind: string
  data: GuardData
  /** The program's sentence. */
  detail: string
}

/** What the user said while the run was active; the model was given it here. */
export interface PromptItem {
  kind: 'prompt'
  promptId: string
  text: string
  /** The images and files that came with it. */
  blocks: Block[]
  at: number
}

/** From here on the model is shown less of what was said before. */
export interface CompactedItem {
  kind: 'compacted'
  /** One of event.Compaction. */
  mode: string
  /** What a request took and takes, in tokens. */
  before: number
  after: number
}

/** Requests go out weaker than they were asked for. */
export interface WeakenedItem {
  kind: 'weakened'
  /** What of them: effort, tools, schema or protocol. */
  what: string
  asked: string
  /** What goes out in its place; empty for nothing. */
  sent: string
  /** For tools, how many tokens the model takes at once, and the kind of server that has
      loaded it so on this computer. */
  window?: number
  server?: string
}

export interface UsageView {
  call: Usage
  run: Usage
  /** The provider did not say what the call took. */
  estimated: boolean
  /** How many tokens the model takes at once; 0 where that is not known. */
  window: number
}

export interface ContextView {
  tokens: number
  /** The provider did not say how many these are. */
  estimated: boolean
}

/** What a guard asks. */
export interface GuardView {
  runId: string
  guardId: string
  /** One of message.GuardKind. */
  kind: string
  /** What it measured; empty where an earlier version asked. */
  data: GuardData
  /** The same in the program's sentence. */
  detail: string
  expiresAt: number
}

export interface RetryView {
  /** The number of the attempt that follows, from 2. */
  attempt: number
  maxAttempts: number
  dueAt: number
  /** What the attempt failed with: a code of lifecycle.error. */
  code: string
  data?: FailData
  /** The program's sentence. */
  message: string
}

/** How a run ended. */
export interface EndView {
  /** One of message.Reason. */
  reason: string
  /** One of message.FailCode; only where the run did not come to its end. */
  code?: string
  data?: FailData
  /** The program's sentence. */
  message?: string
  content?: string
  steps: number
  durationMs: number
  /** Set when the content was cut: the address of the whole event. */
  ref?: string
}

export interface ToolView {
  readonly callId: string
  toolName: string
  /** How the call is shown; null where there is no such tool. */
  display: Display | null
  /** What the call was asked for or, once edited, runs with; null when the model wrote no object. */
  arguments: Record<string, unknown> | null
  rawArguments?: string
  state: ToolState
  /** Live output, its last part where it is long; empty once there is a result. */
  output: string
  /** Lines of the live output that are no longer in it. */
  outputDropped: number
  result: ResultView | null
  /** What the user is asked about the call now. */
  question: QuestionView | null
  decision: DecisionView | null
  startedAt?: number
  /** Set when the arguments were cut: the address of the whole event. */
  ref?: string
}

export interface ResultView {
  success: boolean
  content: string
  /** What of it is not text. */
  blocks: Block[]
  errorCode: string
  durationMs: number
  truncated: boolean
  changes: Change[]
  /** What the tool knows of it; empty for one that was saved by an earlier version. */
  data: ResultData
  /** Names the command in the background that the call started, or that its own became. */
  processId?: string
  /** How far a command was confined; absent for a call that ran none. */
  level?: Level
  /** What the user should know beside the result. */
  notices: Notice[]
  /** Set when the content was cut: the address of the whole event. */
  ref?: string
}

export interface DecisionView {
  decision: 'approve' | 'reject' | 'modify'
  /** One of message.Decider. */
  by: string
  reason: string
  /** The user changed the arguments. */
  edited: boolean
}

export interface QuestionView {
  runId: string
  callId: string
  toolName: string
  /** How the call is shown; null where there is no such tool. */
  display: Display | null
  arguments: Record<string, unknown>
  /** What it is about. */
  kind: QuestionKind
  preview: Preview
  hash: string
  /** Why it asks again, or at all; absent the first time. */
  cause?: Cause
  /** The same in the program's sentence. */
  reason: string
  expiresAt: number
  /** The seq of the event that first asked this: questions are answered in this order. */
  askedSeq: number
  /** Set when something was cut: the address of the whole event. */
  ref?: string
}

/** A run that nothing is known of yet. */
export function createRun(runId: string, sessionId: string): RunView {
  return {
    runId,
    sessionId,
    prompt: '',
    blocks: [],
    continued: false,
    compacts: false,
    model: '',
    notices: [],
    maxSteps: 0,
    step: 0,
    startedAt: 0,
    items: [],
    drafting: false,
    tools: new Map(),
    usage: null,
    context: null,
    guard: null,
    interrupted: false,
    retry: null,
    end: null,
    lastSeq: 0,
  }
}
