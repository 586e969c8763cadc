package message

import "encoding/json"

// Effect is what running a tool may change. It decides how calls are scheduled
// and which confirmation modes let them pass.
type Effect string

// The effects.
const (
	// EffectNone is a tool that only reads.
	EffectNone Effect = "none"
	// EffectFiles is a tool that changes files of the workspace itself.
	EffectFiles Effect = "files"
	// EffectCommand is a tool that runs a program, which may change anything the
	// system lets it.
	EffectCommand Effect = "command"
)

// Preview is what a person is shown before a call runs.
type Preview struct {
	// Effect says what is about to happen.
	Effect Effect `json:"effect"`
	// Path is the file a file change is about, relative to the workspace.
	Path string `json:"path,omitempty"`
	// Diff is the unified diff of a file change.
	Diff string `json:"diff,omitempty"`
	// Added and Removed count the lines of Diff.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
	// Command is the whole command line of a command.
	Command string `json:"command,omitempty"`
	// Folder is where a command starts.
	Folder string `json:"folder,omitempty"`
	// Confinement says in a sentence what the system keeps the command from.
	Confinement string `json:"confinement,omitempty"`
	// Reason says why the person is asked about a call again, or at all.
	Reason string `json:"-"`
	// Fingerprint names the state of the files the preview was computed from. An
	// approval given for one fingerprint does not hold for another.
	Fingerprint string `json:"-"`
}

// Verdict is what was decided about a call.
type Verdict string

// The verdicts.
const (
	Approve Verdict = "approve"
	Reject  Verdict = "reject"
	Modify  Verdict = "modify"
)

// Decider says who or what decided.
type Decider string

// The deciders.
const (
	ByUser    Decider = "user"
	ByMode    Decider = "mode"
	ByTour    Decider = "tour"
	ByTimeout Decider = "timeout"
	ByCancel  Decider = "cancel"
)

// Decision is the answer to a confirmation.
type Decision struct {
	Verdict Verdict
	By      Decider
	// Arguments are the edited arguments of a Modify.
	Arguments json.RawMessage
	// Reason is what the person wants the model to know of a Reject.
	Reason string
	// Stop ends the run after a Reject.
	Stop bool
	// Hash says what was decided about. An answer to a question may carry the
	// hash of the request it answers; a decision of the gate carries the Call.Hash
	// of the call, and an Approve holds for a call with this hash only, once.
	Hash string
}
