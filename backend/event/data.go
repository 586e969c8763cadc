package event

import (
	"encoding/json"

	"fairlead/backend/message"
)

// LifecycleStart is the first event of a run.
type LifecycleStart struct {
	Prompt string `json:"prompt"`
	// Blocks are the images and files that go with the prompt.
	Blocks   []Block `json:"blocks,omitempty"`
	Model    string  `json:"model"`
	MaxSteps int     `json:"maxSteps"`
	// Continues is the run that this one goes on with; the prompt is Fairlead's own
	// then. It is empty where the user gave a task.
	Continues string `json:"continues,omitempty"`
	// Compacts says that the run has no prompt: it sums up what was said so far.
	Compacts bool `json:"compacts,omitempty"`
	// Notices are what commands in the background have left since the last run, as far as
	// no result told of it.
	Notices []message.Notice `json:"notices,omitempty"`
}

// StepStarted says that a model call with its tool round begins.
type StepStarted struct {
	// Step counts from 1.
	Step     int `json:"step"`
	MaxSteps int `json:"maxSteps"`
}

// AssistantDelta is a piece of the reply's text.
type AssistantDelta struct {
	PartID  string `json:"partId"`
	Content string `json:"content"`
}

// ReasoningDelta is a piece of the model's reasoning.
type ReasoningDelta struct {
	PartID  string `json:"partId"`
	Content string `json:"content"`
}

// ToolCall says that the model asked for a call; the part is pending.
type ToolCall struct {
	CallID   string `json:"callId"`
	ToolName string `json:"toolName"`
	// Display says how the call is shown; absent where there is no such tool.
	Display *message.Display `json:"display,omitempty"`
	// Arguments is the object the call has; absent when the model wrote none.
	Arguments json.RawMessage `json:"arguments,omitempty" ts_type:"Record<string, unknown>"`
	// RawArguments is what the model wrote where that is no JSON object, or was
	// mended into one with each key once.
	RawArguments string `json:"rawArguments,omitempty"`
}

// ConfirmRequest asks the user to decide about a call.
type ConfirmRequest struct {
	// Kind is what the question is about.
	Kind message.QuestionKind `json:"kind"`
	// QuestionID names the question within its run. One that comes again because the user
	// wants more time keeps it.
	QuestionID string          `json:"questionId"`
	CallID     string          `json:"callId"`
	ToolName   string          `json:"toolName"`
	Arguments  json.RawMessage `json:"arguments" ts_type:"Record<string, unknown>"`
	Preview    message.Preview `json:"preview"`
	// Hash names exactly what is shown: the call and the state of its files. An
	// answer may carry it, and then holds for this question only.
	Hash string `json:"hash"`
	// Cause is why it is asked again, or at all, where that is more than that such calls
	// are always asked about; Reason is the same in English.
	Cause  *message.Cause `json:"cause,omitempty"`
	Reason string         `json:"reason,omitempty"`
	// ExpiresAt is when silence becomes a no, in milliseconds since 1970.
	ExpiresAt int64 `json:"expiresAt"`
}

// ConfirmResult says what was decided about a call.
type ConfirmResult struct {
	// Kind is that of the question, also where the mode decided without asking it.
	Kind      message.QuestionKind `json:"kind"`
	CallID    string               `json:"callId"`
	Decision  message.Verdict      `json:"decision"`
	Arguments json.RawMessage      `json:"arguments" ts_type:"Record<string, unknown>"`
	By        message.Decider      `json:"by"`
	// Reason is the user's, for the model.
	Reason string `json:"reason,omitempty"`
}

// ChangesRequest says that the user is asked about changes that a call has made in a copy: it
// sums up the ConfirmRequest that follows.
type ChangesRequest struct {
	// SetID names the changes until they are decided about.
	SetID  string       `json:"setId"`
	CallID string       `json:"callId"`
	Counts ChangeCounts `json:"counts"`
	// Held is how many of them are not applied unasked in any mode, and Conflicts how many of
	// these somebody else has changed meanwhile, or has open.
	Held      int `json:"held"`
	Conflicts int `json:"conflicts"`
	// ExpiresAt is when silence sets them aside, in milliseconds since 1970.
	ExpiresAt int64 `json:"expiresAt,omitempty"`
}

// ChangeCounts count changes.
type ChangeCounts struct {
	// Paths are all of them, Deleted those that are gone then, and Added and Removed the lines of
	// texts.
	Paths   int `json:"paths"`
	Deleted int `json:"deleted"`
	Added   int `json:"added"`
	Removed int `json:"removed"`
}

// DraftState is a draft: a copy of the workspace in which runs work, until it is decided about.
type DraftState struct {
	DraftID string `json:"draftId"`
	// Counts are of what is changed in it, compared with the workspace as it is now, and
	// Conflicts is how many of these somebody else has changed too, or has open.
	Counts    DraftCounts `json:"counts"`
	Conflicts int         `json:"conflicts"`
}

// DraftCounts count what is changed in a draft: all paths, and those that are gone in it.
type DraftCounts struct {
	Paths   int `json:"paths"`
	Deleted int `json:"deleted"`
}

// DraftOpened says that a run works in a draft, which may have been there before.
type DraftOpened DraftState

// DraftChanged says what is in a draft at the end of a run.
type DraftChanged DraftState

// DraftApplied says that changes of a draft were made in the workspace, and what is left in it.
type DraftApplied DraftState

// DraftDropped says that a draft was dropped, with what was in it.
type DraftDropped DraftState

// ChangesResult says what was decided about changes that a call has made in a copy.
type ChangesResult struct {
	SetID    string          `json:"setId"`
	CallID   string          `json:"callId"`
	Decision ChangesDecision `json:"decision"`
	// Paths are those that were chosen to be applied, where these are some, but no more than
	// MostPaths.
	Paths []string `json:"paths,omitempty"`
	// By is who decided.
	By message.Decider `json:"by"`
}

// ChangesDecision is what is done with changes.
type ChangesDecision string

// The decisions about changes.
const (
	ApplyChanges ChangesDecision = "apply"
	// ApplySome applies some paths, or some parts of texts, and drops the others.
	ApplySome    ChangesDecision = "some"
	DropChanges  ChangesDecision = "drop"
	AsideChanges ChangesDecision = "aside"
)

// ToolRunning says that a call has begun to run.
type ToolRunning struct {
	CallID string `json:"callId"`
}

// ToolProgress is live output of a running call.
type ToolProgress struct {
	CallID  string `json:"callId"`
	Content string `json:"content"`
}

// ToolResult is the result of a call.
type ToolResult struct {
	CallID  string `json:"callId"`
	Success bool   `json:"success"`
	// Content is the result as the model reads it, but for the notices.
	Content string `json:"content"`
	// Blocks are those of the result that are not text; in Content stand marks for them.
	Blocks     []Block          `json:"blocks,omitempty"`
	ErrorCode  message.ToolCode `json:"errorCode,omitempty"`
	DurationMs int64            `json:"durationMs"`
	Truncated  bool             `json:"truncated"`
	Changes    []message.Change `json:"changes"`
	// Data is what the tool knows of it, for programs.
	Data *message.ResultData `json:"data,omitempty"`
	// ProcessID names the command in the background that the call started, or that its
	// own was moved to; empty for other calls.
	ProcessID string `json:"processId,omitempty"`
	// Level is how far a command was confined; empty for a call that ran none.
	Level message.Level `json:"level,omitempty"`
	// Notices are what the user should know beside the result.
	Notices []message.Notice `json:"notices,omitempty"`
}

// StepCompleted closes a tool round.
type StepCompleted struct {
	Step     int `json:"step"`
	MaxSteps int `json:"maxSteps"`
	// ElapsedSeconds is the time since the step began, its model call included.
	ElapsedSeconds float64 `json:"elapsedSeconds"`
	ToolCallCount  int     `json:"toolCallCount"`
}

// RequestWeakened is published once in a run for each way in which its requests are
// weaker than asked.
type RequestWeakened struct {
	// What of them is weaker: effort, tools, schema or protocol.
	What message.WeakenedPart `json:"what"`
	// Asked is what was asked for, and Sent what goes out in its place; empty for nothing.
	Asked string `json:"asked"`
	Sent  string `json:"sent"`
	// Window is how many tokens the model takes at once, and Server the kind of server on
	// this computer that has loaded it so, such as ollama; for tools only.
	Window int    `json:"window,omitempty"`
	Server string `json:"server,omitempty"`
}

// LLMRetry says that an attempt failed and another follows after a wait.
type LLMRetry struct {
	// Attempt is the number of the attempt that follows, from 2.
	Attempt     int   `json:"attempt"`
	MaxAttempts int   `json:"maxAttempts"`
	DelayMs     int64 `json:"delayMs"`
	// Code is what the attempt failed with, as lifecycle.error would have it.
	Code    message.FailCode `json:"code"`
	Message string           `json:"message"`
	// Data are the details for programs; absent where nothing but Message tells.
	Data *message.FailData `json:"data,omitempty"`
	// Discard are the parts whose text no longer counts.
	Discard []string `json:"discard"`
}

// AssistantFinal replaces the text of a reply: what was streamed of it does not
// count any more, because a hook changed it, because the user who interrupted the
// run gave it another, or because the answer came in pieces.
type AssistantFinal struct {
	// PartID is the part that was streamed, the last one of an answer in pieces; one of
	// its own where nothing was.
	PartID  string `json:"partId"`
	Content string `json:"content"`
	// Discard are the parts of the pieces before: their text is in Content.
	Discard []string `json:"discard,omitempty"`
}

// GuardWarning says that a guard has stepped in.
type GuardWarning struct {
	Kind message.GuardKind `json:"kind"`
	// Data is what the guard measured; Detail is the same in English.
	Data   message.GuardData `json:"data"`
	Detail string            `json:"detail"`
}

// GuardRequest asks the user whether a run that a guard has paused may go on.
type GuardRequest struct {
	GuardID string            `json:"guardId"`
	Kind    message.GuardKind `json:"kind"`
	// Data is what the guard measured; Detail is the same in English.
	Data   message.GuardData `json:"data"`
	Detail string            `json:"detail"`
	// ExpiresAt is when silence becomes a stop, in milliseconds since 1970.
	ExpiresAt int64 `json:"expiresAt"`
}

// GuardResult says what was decided about it.
type GuardResult struct {
	GuardID  string               `json:"guardId"`
	Decision message.GuardVerdict `json:"decision"`
	By       message.Decider      `json:"by"`
}

// Prompt is what the user says while a run is active.
type Prompt struct {
	ID     string         `json:"promptId"`
	Text   string         `json:"text"`
	Target message.Target `json:"target"`
	// Blocks go with it. Their bytes are those of the part of a message, once it has joined.
	Blocks []Block `json:"blocks,omitempty"`
}

// PromptOf is a prompt as an event has it.
func PromptOf(p message.Prompt) Prompt { return Prompt{p.ID, p.Text, p.Target, BlocksOf(p.Blocks)} }

// PromptQueued says that a prompt waits for its turn.
type PromptQueued Prompt

// PromptChanged says that a prompt that waits was edited.
type PromptChanged Prompt

// PromptRemoved says that a prompt that waited was taken back.
type PromptRemoved Prompt

// PromptJoined says that a prompt was given to the model in the current run.
type PromptJoined Prompt

// RunInterrupt says that the run is to stop before its next model call.
type RunInterrupt struct {
	// Message is the reply that the run is to end with; empty for none.
	Message string `json:"message"`
}

// Compaction is a way to make space in the model's context.
type Compaction string

// The ways.
const (
	// Prune leaves out the outputs of older calls.
	Prune Compaction = "prune"
	// Compact puts a summary in the place of the older messages.
	Compact Compaction = "compact"
)

// ContextCompacted says that the model is shown less of what was said so far. The
// user and the store still have everything.
type ContextCompacted struct {
	// Before and After are what a request takes, in tokens; estimates.
	Before int        `json:"before"`
	After  int        `json:"after"`
	Mode   Compaction `json:"mode"`
}

// UsageData counts the tokens of one model call and of the run so far.
type UsageData struct {
	Call message.Usage `json:"call"`
	Run  message.Usage `json:"run"`
	// Estimated says that the provider did not say what the call took.
	Estimated bool `json:"estimated,omitempty"`
	// Window is how many tokens the model takes at once; 0 where nobody knows.
	Window int `json:"window,omitempty"`
}

// Decision says what the loop concludes from a reply.
type Decision struct {
	// Reason is tool_calls, final_reply, empty_reply, truncated, filtered or
	// step_limit.
	Reason string `json:"reason"`
	// Completed says that the run ends with this reply.
	Completed bool `json:"completed"`
}

// LifecycleEnd is the last event of a run that ended as it should.
type LifecycleEnd struct {
	Reason     message.Reason `json:"reason"`
	Content    string         `json:"content"`
	Steps      int            `json:"steps"`
	DurationMs int64          `json:"durationMs"`
	// Warnings are what the user should know of an early end; Warning is the same in English.
	Warnings []message.Guard `json:"warnings,omitempty"`
	Warning  string          `json:"warning,omitempty"`
}

// RecordGap stands in a saved run for lost events: those from From up to its own seq.
type RecordGap struct {
	From   int64     `json:"from"`
	Reason GapReason `json:"reason"`
}

// GapReason is why events of a saved run are lost.
type GapReason string

// The reasons why events are lost.
const (
	GapMissing    GapReason = "missing"
	GapUnreadable GapReason = "unreadable"
)

// LifecycleError is the last event of a run that was stopped or failed.
type LifecycleError struct {
	Reason  message.Reason   `json:"reason"`
	Code    message.FailCode `json:"code"`
	Message string           `json:"message"`
	// Data are the details for programs; absent where nothing but Message tells.
	Data *message.FailData `json:"data,omitempty"`
	// PartialContent is the text of the last reply as far as it came.
	PartialContent string `json:"partialContent,omitempty"`
	Steps          int    `json:"steps"`
	DurationMs     int64  `json:"durationMs"`
}
