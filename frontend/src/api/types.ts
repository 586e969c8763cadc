/*
 * The shapes that the page and the program exchange. The generated ones are made
 * of the program's own types; here they get what those cannot say: null, and the
 * texts that are allowed.
 */
import type {
  agent,
  backend,
  desktop,
  doctor,
  event,
  exchange,
  message,
  names,
  session,
  settings,
  skill,
  workspace,
} from '../../wailsjs/go/models'

export type Workspace = desktop.Workspace
export type Provider = desktop.Provider
/** A place where models are reached that the user named. */
export type OwnProvider = desktop.OwnProvider
/** A header of every request; {key} in its value stands for the key. */
export type Header = desktop.Header
export type LocalServer = desktop.LocalServer
export type RunState = desktop.RunState
/** A setting of the settings file. */
export interface Setting extends desktop.Setting {
  kind: 'text' | 'whole' | 'number' | 'switch' | 'duration'
  from: 'flag' | 'variable' | 'file' | 'default'
}
/** What the settings file can say and says, and where Fairlead's own files are. */
export interface SettingsList extends Omit<desktop.SettingsList, 'settings'> {
  settings: Setting[]
}
/** One of Fairlead's own files and folders. */
export type OwnPlace = 'file' | 'data' | 'state' | 'log'
/** What was found of one thing that a task needs. */
export interface Finding extends doctor.Finding {
  state: 'ok' | 'missing' | 'broken'
}
export type RunList = desktop.RunList
export type Started = desktop.Started
export type Answered = desktop.Answered
export type Queued = desktop.Queued
export type Moved = desktop.Moved
/** Tools that are switched on and off together. */
export type ToolGroup = desktop.ToolGroup
export type Cancelled = session.Cancelled
export type Listing = workspace.Listing
/** One entry of a folder. Paths are relative to the workspace, with slashes. */
export type TreeEntry = workspace.TreeEntry
/** A file to look at. Of a document it has what comes at once. */
export interface FilePreview extends Omit<backend.FilePreview, 'document'> {
  document?: DocumentPreview
}
/** Some of a document. */
export interface DocumentPreview extends Omit<backend.DocumentPreview, 'text'> {
  text?: DocumentText
}
export interface DocumentText extends Omit<exchange.Text, 'parts' | 'pictures'> {
  parts?: DocumentPart[]
  pictures?: Shown[]
}
/** A page, a slide, a chapter, or the rows of a sheet. */
export interface DocumentPart extends Omit<exchange.Part, 'layout'> {
  layout?: Layout
}
/** A picture; its bytes are in base64. */
export interface Shown {
  mediaType: string
  data: string
}
/** How a page looks, and where its words stand, in ten thousandths of its width and height. */
export interface Layout extends Shown {
  lines?: Word[][]
}
export type PageSize = exchange.Size
export type Word = exchange.Word
export type NameList = desktop.NameList
export type KnownFile = desktop.KnownFile
export type KnownFiles = desktop.KnownFiles
export type Name = names.Name
export type Change = message.Change
/** What is not text in a message or a result; without its bytes, of which ref is the address. */
export type Block = event.Block
export type Attached = desktop.Attached
export type Dropped = desktop.Dropped
export type FormField = message.FormField
/** How the text at a path changed. */
export type ReviewText = desktop.ReviewText
/** What lay at a path, in short. */
export type ReviewSide = desktop.ReviewSide
/** What is to be taken back, or made again. */
export type UndoTask = desktop.UndoTask
/** What was done. */
export type Undone = desktop.Undone
/** How much is kept to take changes back, in bytes. */
export type Space = desktop.Space
export type Notice = message.Notice
export type ResultData = message.ResultData
export type ToolError = message.ToolError
export type Usage = message.Usage
/** What one model call or more took; the cost is null where it is not known. */
export interface StepCost extends Omit<desktop.StepCost, 'cost'> {
  cost: number | null
}
export interface ContextStep extends Omit<desktop.ContextStep, 'cost'>, StepCost {}
/** What of the model's context a kind of thing takes. */
export interface Share extends Omit<agent.Share, 'kind'> {
  kind: 'system' | 'instructions' | 'tools' | 'summary' | 'user' | 'model' | 'results' | 'pictures'
}
/** What fills the model's context with a conversation, and what its steps took. */
export interface Context extends Omit<desktop.Context, 'parts' | 'steps' | 'total'> {
  parts: Share[]
  steps: ContextStep[]
  total: StepCost | null
}

/** How far the system confines a command to the folder. */
export type Level = 'full' | 'limited' | 'none'

/** How far commands are confined on this computer. */
export interface Confinement extends desktop.Confinement {
  /** Empty while that is not known. */
  level: Level | ''
}

/** What has become of what a run did to a path. */
export type Fate = 'applied' | 'undone' | 'partly' | 'changed' | 'lost'

/** A path that a run changed. */
export interface ReviewRow extends desktop.ReviewRow {
  op: 'create' | 'modify' | 'delete' | 'mkdir' | 'rmdir' | 'symlink' | 'mode'
  kind: 'file' | 'folder' | 'link' | 'other'
  state: Fate
}

export type Aside = desktop.AsideView

/** The draft of a conversation. What it began with is null where that was the folder as it was then. */
export interface DraftNote extends Omit<desktop.DraftNote, 'past'> {
  past: PastFolder | null
}

/** What is in the draft of a conversation. */
export type DraftView = desktop.DraftView
/** A folder at an earlier time, with which a draft began. */
export type PastFolder = desktop.PastFolder
/** A conversation that was forked from another one. */
export type Forked = desktop.Forked
export type DraftChoice = Pick<desktop.DraftChoice, 'paths' | 'withoutHunks'>

export interface Review {
  rows: ReviewRow[]
  aside: Aside[]
}

/** What the user wants of a path that somebody else has changed since. */
export type ConflictChoice = 'mine' | 'restore' | 'both' | 'merge'

/** What would become of a path. */
export interface UndoStep extends desktop.UndoStep {
  verdict: 'restore' | 'conflict' | 'impossible' | 'beside'
  becomes: 'returns' | 'goes' | 'changes'
  choices: ConflictChoice[]
}

export interface UndoPlan {
  steps: UndoStep[]
}

export type ApproveMode = 'ask' | 'preview' | 'draft' | 'writes' | 'none'
export type Theme = '' | 'light' | 'dark'
export type Verdict = 'approve' | 'reject' | 'modify'
export type Decider = 'user' | 'mode' | 'tour' | 'timeout' | 'cancel'
export type Arguments = Record<string, unknown>
/** When the model is given what was said while it works. */
export type Target = 'step' | 'run'
export type GuardVerdict = 'continue' | 'stop'

/** How much a model reasons before it answers; empty means as much as it does by itself. */
export type Effort = '' | 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface ModelChoice extends desktop.ModelChoice {
  effort: Effort
}

/** What is known of a model. */
export type ModelFacts = desktop.ModelFacts
/** The models of the provider in use. */
export type OfferedModels = desktop.OfferedModels

/** A model that is kept to be chosen again. */
export interface SavedModel extends desktop.SavedModel {
  effort: Effort
}

export interface TestedModel extends Omit<desktop.TestedModel, 'toolsFault'> {
  /** What the model did when it was told to call a tool; empty where it was not asked. */
  tools: 'called' | 'ignored' | ''
  /** Why it did not answer; null where it did, or was not asked. */
  toolsFault: desktop.Fault | null
}

export interface Model extends desktop.Model {
  effort: Effort
}

export interface State extends Omit<
  desktop.State,
  'workspace' | 'model' | 'queue' | 'favourites' | 'recentModels' | 'confinement' | 'moved' | 'draft'
> {
  workspace: Workspace | null
  model: Model | null
  favourites: SavedModel[]
  recentModels: SavedModel[]
  confinement: Confinement
  approve: ApproveMode
  theme: Theme
  /** What waits in the conversation that is shown, in order. */
  queue: Prompt[]
  /** Where the folder was before; null where nothing looks for it there. */
  moved: desktop.MovedFolder | null
  /** Null where the conversation has none. */
  draft: DraftNote | null
}

/** A conversation in the list. Its folder is null where that is the open one. */
export interface SessionEntry extends Omit<desktop.SessionEntry, 'folder'> {
  folder: Workspace | null
}

export interface SessionList extends Omit<desktop.SessionList, 'sessions'> {
  sessions: SessionEntry[]
}

/** What the system tells the user of while Fairlead is not in front. */
export type NoticeKind = 'needs' | 'done' | 'failed'
/** How the parts of the window are arranged. */
export type WindowLayout = settings.Layout
/** A place in a message where a text stands. */
export type Passage = desktop.Passage
/** What a text was found in. */
export interface Found extends Omit<desktop.Found, 'titles' | 'sessions'> {
  titles: SessionEntry[]
  sessions: SessionEntry[]
}

export interface Answer extends desktop.Answer {
  decision: Verdict
}

export interface GuardAnswer extends desktop.GuardAnswer {
  decision: GuardVerdict
}

/** What the user said while a run is active. */
export interface Prompt extends message.Prompt {
  target: Target
}

/** How much the folder suggests of one kind. */
export type Suggested = desktop.Suggested

/** One thing that the folder suggests. */
export interface Suggestion extends desktop.Suggestion {
  /** Whether it is used; empty before the user decided about it as it is now. */
  decision: '' | 'use' | 'skip'
}

export interface SuggestionList extends desktop.SuggestionList {
  suggestions: Suggestion[]
}

/** One of them with what is shown of it. */
export type SuggestionText = Suggestion & desktop.SuggestionText

/** What is known of a skill, and a skill that cannot be used. */
export type Skill = skill.Skill
export type LeftOut = skill.LeftOut

/** What is noted about the folder. */
export type Memory = desktop.Memory

export type PendingChange = message.PendingChange
export type Held = message.Held
export type NoCopy = message.NoCopy

export interface Preview extends message.Preview {
  effect: 'none' | 'files' | 'command' | 'network'
  /** How far a command is confined. */
  level?: Level | ''
}

/** How a call is shown; the tool says so itself. */
export interface Display extends Omit<message.Display, 'subject'> {
  /** Absent where a call is about nothing. */
  subject?: message.Subject
}

interface ToolCall extends Omit<event.ToolCall, 'display'> {
  /** Absent where there is no such tool. */
  display?: Display
}

/** What a question about a call is about. */
export type QuestionKind = 'edit' | 'command' | 'network' | 'call' | 'changes' | 'output'

/** Why a question is asked again, or at all. */
export interface Cause extends message.Cause {
  code: 'edited' | 'edit_unfit' | 'file_changed' | 'written'
}

interface ConfirmRequest extends Omit<event.ConfirmRequest, 'kind' | 'questionId'> {
  /** Absent, as questionId is, in runs that were saved by earlier versions. */
  kind?: QuestionKind
  questionId?: string
  cause?: Cause
  preview: Preview
}

interface ConfirmResult extends Omit<event.ConfirmResult, 'kind'> {
  /** Absent in runs that were saved by earlier versions. */
  kind?: QuestionKind
  decision: Verdict
  by: Decider
}

interface ToolResult extends event.ToolResult {
  /** How far a command was confined. */
  level?: Level
}

/** What a guard measured; empty in runs that were saved by earlier versions. */
export type GuardData = message.GuardData

/** The details of a failure. */
export interface FailData extends message.FailData {
  cause: 'run_limit' | 'silence' | 'stood_still' | 'repeats' | 'guard' | 'provider' | 'lost' | 'plain'
}

interface GuardWarning extends Omit<event.GuardWarning, 'data'> {
  data?: GuardData
}

interface GuardRequest extends Omit<event.GuardRequest, 'data'> {
  data?: GuardData
}

interface Retry extends event.LLMRetry {
  data?: FailData
}

interface LifecycleError extends event.LifecycleError {
  data?: FailData
}

interface GuardResult extends event.GuardResult {
  decision: GuardVerdict
  by: Decider
}

/** Events of a saved run are lost, up to the seq of this one. */
export interface RecordGap {
  from: number
  reason: 'missing' | 'unreadable'
}

/** The payload of each type of event. */
export interface EventMap {
  'lifecycle.start': event.LifecycleStart
  'step.started': event.StepStarted
  'assistant.delta': event.AssistantDelta
  'reasoning.delta': event.ReasoningDelta
  'assistant.final': event.AssistantFinal
  'tool.call': ToolCall
  'tool.confirm_request': ConfirmRequest
  'tool.confirm_result': ConfirmResult
  'changes.request': event.ChangesRequest
  'changes.result': event.ChangesResult
  'draft.opened': event.DraftState
  'draft.changed': event.DraftState
  'draft.applied': event.DraftState
  'draft.dropped': event.DraftState
  'tool.running': event.ToolRunning
  'tool.progress': event.ToolProgress
  'tool.result': ToolResult
  'step.completed': event.StepCompleted
  'request.weakened': event.RequestWeakened
  'llm.retry': Retry
  'guard.warning': GuardWarning
  'guard.request': GuardRequest
  'guard.result': GuardResult
  'prompt.queued': Prompt
  'prompt.changed': Prompt
  'prompt.removed': Prompt
  'prompt.joined': event.PromptJoined
  'run.interrupt': event.RunInterrupt
  'context.compacted': event.ContextCompacted
  usage: event.UsageData
  decision: event.Decision
  'record.gap': RecordGap
  'lifecycle.end': event.LifecycleEnd
  'lifecycle.error': LifecycleError
  'workspace.changed': event.WorkspaceChanged
  'window.changed': event.WindowChanged
  'window.closing': event.WindowClosing
  'window.review': event.WindowReview
  'sessions.changed': event.SessionsChanged
  'processes.changed': event.ProcessesChanged
  'journal.undone': event.JournalUndone
  'journal.redone': event.JournalRedone
}

export type EventType = keyof EventMap

/** An event of one type; `runId` is empty for news of the workspace and the window. */
export interface EnvelopeOf<K extends EventType> extends desktop.Envelope {
  type: K
  data: EventMap[K]
}

/** Any event; `type` tells which. */
export type Envelope = { [K in EventType]: EnvelopeOf<K> }[EventType]
