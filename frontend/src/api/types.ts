/* The shapes that the page and the program exchange. */

export interface Workspace {
  path: string
  name: string
}

export interface Model {
  provider: string
  title: string
  baseUrl: string
  model: string
  keySource: string
}

export interface RunState {
  runId: string
  ended: boolean
}

export type ApproveMode = 'ask' | 'writes' | 'all' | 'none'

export interface State {
  version: string
  system: string
  language: string
  theme: string
  workspace: Workspace | null
  recent: string[]
  documents: string
  model: Model | null
  tour: boolean
  approve: ApproveMode
  nativeDialogs: boolean
  limited: string
  sessionId: string
  runs: RunState[]
  warnings: string[]
}

export interface Provider {
  name: string
  title: string
  baseUrl: string
  needsKey: boolean
  keyEnv: string
}

export interface LocalServer {
  provider: string
  title: string
  baseUrl: string
  models: string[]
}

export interface ModelChoice {
  provider: string
  baseUrl: string
  model: string
  key: string
  keep: string
}

export interface TestedModel {
  url: string
  listed: boolean
  total: number
  known: boolean
  ms: number
  ref: string
}

export interface Started {
  runId: string
  sessionId: string
}

export type Verdict = 'approve' | 'reject' | 'modify'
export type Decider = 'user' | 'mode' | 'tour' | 'timeout' | 'cancel'

export interface Answer {
  runId: string
  callId: string
  decision: Verdict
  /** The JSON object of a modify, as text. */
  arguments?: string
  reason?: string
  stop?: boolean
  hash: string
}

/** One entry of a folder. Paths are relative to the workspace, with slashes. */
export interface TreeEntry {
  name: string
  path: string
  folder: boolean
  link: boolean
  secret: boolean
  size: number
}

export interface Listing {
  path: string
  entries: TreeEntry[]
  more: boolean
}

export interface FilePreview {
  path: string
  text: string
  encoding: string
  truncated: boolean
  binary: boolean
  size: number
}

export interface Preview {
  effect: 'none' | 'files' | 'command'
  path?: string
  diff?: string
  added?: number
  removed?: number
  command?: string
  folder?: string
  confinement?: string
}

export interface Change {
  path: string
  kind: string
  added: number
  removed: number
}

export interface Usage {
  prompt: number
  completion: number
  reasoning: number
  cached: number
}

export type Arguments = Record<string, unknown>

/** The payload of each type of event. */
export interface EventMap {
  'lifecycle.start': { prompt: string; model: string; maxSteps: number }
  'step.started': { step: number; maxSteps: number }
  'assistant.delta': { partId: string; content: string }
  'reasoning.delta': { partId: string; content: string }
  'tool.call': { callId: string; toolName: string; arguments?: Arguments; rawArguments?: string }
  'tool.confirm_request': {
    callId: string
    toolName: string
    arguments: Arguments
    preview: Preview
    hash: string
    reason?: string
    /** Milliseconds since 1970. */
    expiresAt: number
  }
  'tool.confirm_result': {
    callId: string
    decision: Verdict
    arguments: Arguments
    by: Decider
    reason?: string
  }
  'tool.running': { callId: string }
  'tool.progress': { callId: string; content: string }
  'tool.result': {
    callId: string
    success: boolean
    content: string
    errorCode?: string
    durationMs: number
    truncated: boolean
    changes: Change[]
  }
  'step.completed': { step: number; maxSteps: number; elapsedSeconds: number; toolCallCount: number }
  'llm.retry': { attempt: number; maxAttempts: number; delayMs: number; message: string; discard: string[] }
  'guard.warning': { kind: string; detail: string }
  usage: { call: Usage; run: Usage }
  decision: { reason: string; completed: boolean }
  'lifecycle.end': { reason: string; content: string; steps: number; durationMs: number; warning?: string }
  'lifecycle.error': {
    reason: string
    code: string
    message: string
    partialContent?: string
    steps: number
    durationMs: number
  }
  'workspace.changed': { paths: string[]; full: boolean; gone: boolean; limited?: string }
  'window.changed': Record<string, never>
  'window.closing': Record<string, never>
}

export type EventType = keyof EventMap

/** An event of one type; `runId` is empty for news of the workspace and the window. */
export interface EnvelopeOf<K extends EventType> {
  seq: number
  runId: string
  sessionId: string
  /** Milliseconds since 1970. */
  ts: number
  type: K
  data: EventMap[K]
  /** The address of the whole event, when long texts in data were cut. */
  ref?: string
}

/** Any event; `type` tells which. */
export type Envelope = { [K in EventType]: EnvelopeOf<K> }[EventType]
