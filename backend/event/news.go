package event

import "fairlead/backend/message"

// WorkspaceChanged says that files of the workspace changed, by any program.
type WorkspaceChanged struct {
	// Paths are what changed, relative to the workspace, with slashes. They tell
	// where to look, not what happened.
	Paths []string `json:"paths"`
	// Full says that Paths is not all: look at everything again.
	Full bool `json:"full"`
	// Gone says that the folder itself was moved or deleted.
	Gone bool `json:"gone"`
	// Limited says why not everything is watched; empty when it is.
	Limited string `json:"limited,omitempty"`
}

// WindowChanged says that what the window works with changed: its folder, its
// model, its conversation or its settings. What shows them asks again.
type WindowChanged struct{}

// WindowClosing says that the window was to be closed while a run went on,
// and stayed open; closing it once more ends the run.
type WindowClosing struct{}

// WindowReview tells that the user chose, in a native dialog, to answer its question
// in the window.
type WindowReview struct {
	CallID string `json:"callId"`
}

// SessionsChanged says that a conversation was added to the list, left it, or is
// called or marked otherwise there, so that a list that is shown should be read again.
type SessionsChanged struct{}

// ProcessesChanged says that a command of a conversation was started, has ended, or
// is in the background by now, so that what shows them asks again.
type ProcessesChanged struct {
	SessionID string `json:"sessionId"`
}

// ProcessesNoticed says what commands in the background have left in the folder that no
// result told of, when their conversation was closed.
type ProcessesNoticed struct {
	SessionID string           `json:"sessionId"`
	Notices   []message.Notice `json:"notices"`
}

// JournalUndone tells that what a call changed in the folder was taken back, or a part of it
// (SPEC CHG-11).
type JournalUndone struct {
	// SetID is the change set that this made, RunID and CallID those of the call.
	SetID  string `json:"setId"`
	RunID  string `json:"runId"`
	CallID string `json:"callId"`
	// Paths are what was changed by that.
	Paths []message.Change `json:"paths"`
}

// JournalRedone tells that what was taken back was made again, or a part of it.
type JournalRedone JournalUndone

// EventType implements Data.
func (JournalUndone) EventType() Type { return TypeJournalUndone }

// EventType implements Data.
func (JournalRedone) EventType() Type { return TypeJournalRedone }

// EventType implements Data.
func (WorkspaceChanged) EventType() Type { return TypeWorkspaceChanged }

// EventType implements Data.
func (WindowChanged) EventType() Type { return TypeWindowChanged }

// EventType implements Data.
func (WindowClosing) EventType() Type { return TypeWindowClosing }

// EventType implements Data.
func (WindowReview) EventType() Type { return TypeWindowReview }

// EventType implements Data.
func (SessionsChanged) EventType() Type { return TypeSessionsChanged }

// EventType implements Data.
func (ProcessesChanged) EventType() Type { return TypeProcessesChanged }

// EventType implements Data.
func (ProcessesNoticed) EventType() Type { return TypeProcessesNoticed }
