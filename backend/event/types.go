package event

// The types of event.
const (
	TypeLifecycleStart Type = "lifecycle.start"
	TypeStepStarted    Type = "step.started"
	TypeAssistantDelta Type = "assistant.delta"
	TypeReasoningDelta Type = "reasoning.delta"
	TypeAssistantFinal Type = "assistant.final"
	TypeToolCall       Type = "tool.call"
	TypeConfirmRequest Type = "tool.confirm_request"
	TypeConfirmResult  Type = "tool.confirm_result"
	TypeChangesRequest Type = "changes.request"
	TypeChangesResult  Type = "changes.result"
	TypeDraftOpened    Type = "draft.opened"
	TypeDraftChanged   Type = "draft.changed"
	TypeDraftApplied   Type = "draft.applied"
	TypeDraftDropped   Type = "draft.dropped"
	TypeToolRunning    Type = "tool.running"
	TypeToolProgress   Type = "tool.progress"
	TypeToolResult     Type = "tool.result"
	TypeStepCompleted  Type = "step.completed"
	TypeWeakened       Type = "request.weakened"
	TypeLLMRetry       Type = "llm.retry"
	TypeGuardWarning   Type = "guard.warning"
	TypeGuardRequest   Type = "guard.request"
	TypeGuardResult    Type = "guard.result"
	TypePromptQueued   Type = "prompt.queued"
	TypePromptChanged  Type = "prompt.changed"
	TypePromptRemoved  Type = "prompt.removed"
	TypePromptJoined   Type = "prompt.joined"
	TypeRunInterrupt   Type = "run.interrupt"
	TypeCompacted      Type = "context.compacted"
	TypeUsage          Type = "usage"
	TypeDecision       Type = "decision"
	TypeRecordGap      Type = "record.gap"
	TypeLifecycleEnd   Type = "lifecycle.end"
	TypeLifecycleError Type = "lifecycle.error"

	// News of the workspace and of the window: no event of a run (SPEC EV-07).
	TypeWorkspaceChanged Type = "workspace.changed"
	TypeWindowChanged    Type = "window.changed"
	TypeWindowClosing    Type = "window.closing"
	TypeWindowReview     Type = "window.review"
	TypeSessionsChanged  Type = "sessions.changed"
	TypeProcessesChanged Type = "processes.changed"
	TypeProcessesNoticed Type = "processes.noticed"
	TypeJournalUndone    Type = "journal.undone"
	TypeJournalRedone    Type = "journal.redone"
)

// EventType implements Data.
func (LifecycleStart) EventType() Type { return TypeLifecycleStart }

// EventType implements Data.
func (StepStarted) EventType() Type { return TypeStepStarted }

// EventType implements Data.
func (AssistantDelta) EventType() Type { return TypeAssistantDelta }

// EventType implements Data.
func (ReasoningDelta) EventType() Type { return TypeReasoningDelta }

// EventType implements Data.
func (ToolCall) EventType() Type { return TypeToolCall }

// EventType implements Data.
func (ConfirmRequest) EventType() Type { return TypeConfirmRequest }

// EventType implements Data.
func (ConfirmResult) EventType() Type { return TypeConfirmResult }

// EventType implements Data.
func (ChangesRequest) EventType() Type { return TypeChangesRequest }

// EventType implements Data.
func (ChangesResult) EventType() Type { return TypeChangesResult }

// EventType implements Data.
func (DraftOpened) EventType() Type { return TypeDraftOpened }

// EventType implements Data.
func (DraftChanged) EventType() Type { return TypeDraftChanged }

// EventType implements Data.
func (DraftApplied) EventType() Type { return TypeDraftApplied }

// EventType implements Data.
func (DraftDropped) EventType() Type { return TypeDraftDropped }

// EventType implements Data.
func (ToolRunning) EventType() Type { return TypeToolRunning }

// EventType implements Data.
func (ToolProgress) EventType() Type { return TypeToolProgress }

// EventType implements Data.
func (ToolResult) EventType() Type { return TypeToolResult }

// EventType implements Data.
func (StepCompleted) EventType() Type { return TypeStepCompleted }

// EventType implements Data.
func (RequestWeakened) EventType() Type { return TypeWeakened }

// EventType implements Data.
func (LLMRetry) EventType() Type { return TypeLLMRetry }

// EventType implements Data.
func (GuardWarning) EventType() Type { return TypeGuardWarning }

// EventType implements Data.
func (AssistantFinal) EventType() Type { return TypeAssistantFinal }

// EventType implements Data.
func (GuardRequest) EventType() Type { return TypeGuardRequest }

// EventType implements Data.
func (GuardResult) EventType() Type { return TypeGuardResult }

// EventType implements Data.
func (PromptQueued) EventType() Type { return TypePromptQueued }

// EventType implements Data.
func (PromptChanged) EventType() Type { return TypePromptChanged }

// EventType implements Data.
func (PromptRemoved) EventType() Type { return TypePromptRemoved }

// EventType implements Data.
func (PromptJoined) EventType() Type { return TypePromptJoined }

// EventType implements Data.
func (RunInterrupt) EventType() Type { return TypeRunInterrupt }

// EventType implements Data.
func (ContextCompacted) EventType() Type { return TypeCompacted }

// EventType implements Data.
func (UsageData) EventType() Type { return TypeUsage }

// EventType implements Data.
func (Decision) EventType() Type { return TypeDecision }

// EventType implements Data.
func (RecordGap) EventType() Type { return TypeRecordGap }

// EventType implements Data.
func (LifecycleEnd) EventType() Type { return TypeLifecycleEnd }

// EventType implements Data.
func (LifecycleError) EventType() Type { return TypeLifecycleError }
