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
	// EffectNetwork is a tool that sends a request to another computer: what it
	// asks for tells that computer something.
	EffectNetwork Effect = "network"
)

// Preview is what the user is shown before a call runs.
type Preview struct {
	// Effect says what is about to happen.
	Effect Effect `json:"effect"`
	// Path is the file a file change is about, relative to the workspace.
	Path string `json:"path,omitempty"`
	// Memory reports whether Path is what the memory of the workspace is called, which lies outside
	// of it.
	Memory bool `json:"memory,omitempty"`
	// Diff is the unified diff of a file change.
	Diff string `json:"diff,omitempty"`
	// Added and Removed count the lines of Diff.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
	// Command is the whole command line of a command.
	Command string `json:"command,omitempty"`
	// Folder is where a command starts.
	Folder string `json:"folder,omitempty"`
	// Level is how far the system confines the command.
	Level Level `json:"level,omitempty"`
	// Confinement says in a sentence what the system keeps the command from.
	Confinement string `json:"confinement,omitempty"`
	// Addresses is whether requests to this computer and to private networks are refused;
	// empty where nothing is fetched.
	Addresses Addresses `json:"addresses,omitempty"`
	// Network says that the command asks for the network, which is a question of
	// its own (SPEC SEC-02).
	Network bool `json:"network,omitempty"`
	// URL is the whole address that a request goes to.
	URL string `json:"url,omitempty"`
	// Autorun says which programs run by themselves what the file says; empty for a file
	// that none does (SPEC SEC-08).
	Autorun Autorun `json:"autorun,omitempty"`
	// Changes are those that a call has made in a copy, a folder before what is in it, and More
	// is how many are left out.
	Changes []PendingChange `json:"changes,omitempty"`
	More    int             `json:"more,omitempty"`
	// Output are the lines of an output in which something is hidden, and Keys is how much is.
	Output string `json:"output,omitempty"`
	Keys   int    `json:"keys,omitempty"`
	// SetID names the changes of a copy until they are decided about.
	SetID string `json:"setId,omitempty"`
	// Copied reports whether a command works on a copy of the folder: what it changes is
	// applied afterwards.
	Copied bool `json:"copied,omitempty"`
	// NoCopy is why it does not; nil where it does, and where copies were not wanted.
	NoCopy *NoCopy `json:"noCopy,omitempty"`
	// ServerCall is the call of a tool of an MCP server; nil for any other.
	ServerCall *ServerCall `json:"serverCall,omitempty"`
	// Draft reports whether the call works in a draft, which is decided about later.
	Draft bool `json:"draft,omitempty"`
	// Undo is how far what the call changes can be taken back; nil where it changes nothing.
	Undo *Undo `json:"undo,omitempty"`
	// Edited says that the user edited what is shown: it is not what the model wrote.
	Edited bool `json:"edited,omitempty"`
	// Fingerprint names the state of the files the preview was computed from. An
	// approval given for one fingerprint does not hold for another.
	Fingerprint string `json:"-"`
}

// Addresses is how far the addresses that a request reaches are looked at.
type Addresses string

// The ways.
const (
	// AddressesChecked are refused where they are those of this computer or of a private
	// network.
	AddressesChecked Addresses = "checked"
	// AddressesUnchecked are found by the user's proxy and so not known here.
	AddressesUnchecked Addresses = "unchecked"
)

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
	// Reason is what the user wants the model to know of a Reject.
	Reason string
	// Stop ends the run after a Reject.
	Stop bool
	// Network says that a Reject is about the network alone.
	Network bool
	// Chosen is what an Approve applies of the changes of a call.
	Chosen Chosen
	// Hash says what was decided about. An answer to a question may carry the
	// hash of the request it answers; a decision of the gate carries the Call.Hash
	// of the call, and an Approve holds for a call with this hash only, once.
	Hash string
}

// Unapplied is why the changes of a call about which was decided so were not applied, and what
// becomes of them.
func (d Decision) Unapplied(fate ChangesFate) *ToolError {
	if d.By == ByTimeout {
		return &ToolError{ConfirmTimeout, "nobody answered the question whether to apply the changes of this call; " + fate.Sentence()}
	}
	text := "the changes of this call were refused; " + fate.Sentence()
	if d.By == ByUser {
		text = "the user rejected the changes of this call; " + fate.Sentence()
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	return &ToolError{Rejected, text}
}

// Withheld tells the model that keys in an output stay hidden from it.
func (d Decision) Withheld() string {
	text := "the keys in this output stay hidden"
	switch d.By {
	case ByTimeout:
		text += ", because nobody answered whether you may see them"
	case ByUser:
		text += ", as the user wants it"
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	return "(" + text + ")"
}

// Refused is the result of a call that was decided against.
func (d Decision) Refused() Result {
	if d.By == ByTimeout {
		return Fail(ConfirmTimeout, "nobody answered the question whether to run this; it was not run")
	}
	code, text := Rejected, "this call was refused; it was not run"
	switch {
	case d.Network:
		code, text = NetworkDenied, "the network was not allowed for this call; it was not run (a command can be run without the network)"
	case d.By == ByUser:
		text = "the user rejected this call; it was not run"
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	return Fail(code, text)
}
