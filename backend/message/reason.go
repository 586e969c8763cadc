package message

import "time"

// Reason is why a run ended. Every run has exactly one.
type Reason string

// The reasons a run can end for.
const (
	ReasonCompleted       Reason = "completed"
	ReasonMaxSteps        Reason = "max_steps"
	ReasonTimeout         Reason = "timeout"
	ReasonBudget          Reason = "budget"
	ReasonDoomLoop        Reason = "doom_loop"
	ReasonCancelled       Reason = "cancelled"
	ReasonInterrupted     Reason = "interrupted"
	ReasonRejected        Reason = "rejected"
	ReasonContextOverflow Reason = "context_overflow"
	ReasonFiltered        Reason = "filtered"
	ReasonError           Reason = "error"
)

// Continuable says that a run which ended so can be gone on with where it stopped
// (SPEC LOOP-14).
func (r Reason) Continuable() bool {
	switch r {
	case ReasonMaxSteps, ReasonTimeout, ReasonBudget, ReasonDoomLoop, ReasonInterrupted, ReasonError:
		return true
	}
	return false
}

// FailCode is the code of a run that did not end well (SPEC EV-09).
type FailCode string

// The codes of failed runs.
const (
	CodeRateLimited     FailCode = "RATE_LIMITED"
	CodeQuota           FailCode = "QUOTA"
	CodeOverloaded      FailCode = "OVERLOADED"
	CodeAuth            FailCode = "AUTH"
	CodeModelNotFound   FailCode = "MODEL_NOT_FOUND"
	CodeBadRequest      FailCode = "BAD_REQUEST"
	CodeFiltered        FailCode = "FILTERED"
	CodeContextOverflow FailCode = "CONTEXT_OVERFLOW"
	CodeNetwork         FailCode = "NETWORK"
	CodeMalformed       FailCode = "MALFORMED"
	CodeTruncated       FailCode = "TRUNCATED"
	CodeEmptyReply      FailCode = "EMPTY_REPLY"
	CodeTimeout         FailCode = "TIMEOUT"
	CodeBudget          FailCode = "BUDGET"
	CodeDoomLoop        FailCode = "DOOM_LOOP"
	CodeCancelled       FailCode = "CANCELLED"
	CodeRejected        FailCode = "REJECTED"
	CodeToolFailed      FailCode = "TOOL_FAILED"
	CodeHookFailed      FailCode = "HOOK_FAILED"
	CodeTooLarge        FailCode = "TOO_LARGE"
	CodeNothingSaved    FailCode = "NOTHING_SAVED"
	CodeStorage         FailCode = "STORAGE"
	CodeInternal        FailCode = "INTERNAL"
)

// RunError is why a run did not end well, in words for the user.
type RunError struct {
	Code FailCode `json:"code"`
	// Message says what was tried, what went wrong and what to do next.
	Message string `json:"message"`
	// Data are the details for programs; nil where nothing but Message tells.
	Data *FailData `json:"data,omitempty"`
}

// Usage counts tokens.
type Usage struct {
	// Prompt counts what was sent, Completion what was generated.
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
	// Reasoning is the part of Completion that was reasoning, Cached the part of
	// Prompt that the provider had in its cache.
	Reasoning int `json:"reasoning"`
	Cached    int `json:"cached"`
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Prompt + v.Prompt, u.Completion + v.Completion, u.Reasoning + v.Reasoning, u.Cached + v.Cached}
}

// CallRecord is a call of a finished run, for the caller that started the run.
type CallRecord struct {
	ID        string
	Name      string
	Arguments string
	Result    Result
	StartedAt time.Time
	Duration  time.Duration
}

// Failed reports whether the call failed by itself. One that the user refused, or that an
// interrupt kept from running, did not.
func (c CallRecord) Failed() bool {
	err := c.Result.Error
	return err != nil && err.Code != Rejected && err.Code != ConfirmTimeout && err.Code != Cancelled
}
