package message

import (
	"encoding/json"
	"fmt"
	"time"
)

// PartType is what a part holds.
type PartType string

// The types of part. A part of any other type is kept as far as it has the fields of Part,
// and neither the model nor the user is shown anything of it.
const (
	TextPart      PartType = "text"
	ReasoningPart PartType = "reasoning"
	ToolPart      PartType = "tool"
	ImagePart     PartType = "image"
	FilePart      PartType = "file"
)

// Part is one piece of a message: text, reasoning, a tool call with all that became of
// it, or an image or file that goes with the text.
type Part struct {
	// ID is unique among all parts.
	ID string `json:"id"`
	// SessionID and MessageID name where the part belongs.
	SessionID string `json:"sessionID"`
	MessageID string `json:"messageID"`
	// Type decides which of the fields below are set.
	Type PartType `json:"type"`
	// Text is the content of a text or reasoning part.
	Text string `json:"text,omitempty"`
	// Details is the content of a reasoning part as the provider wants it back, an
	// array; nil for nothing.
	Details json.RawMessage `json:"details,omitempty"`
	// Synthetic marks text that Fairlead added to a user's message, such as
	// the listing of the folder.
	Synthetic bool `json:"synthetic,omitempty"`
	// Lost marks text that stands in place of something that was saved and cannot be read
	// any more.
	Lost bool `json:"lost,omitempty"`
	// Interrupted marks text that was cut off: by a cancel, a crash, a failure, or the
	// model's length limit.
	Interrupted bool `json:"interrupted,omitempty"`
	// Continues marks text that goes on, to the byte, where the text before it in the run
	// was cut at the model's length limit.
	Continues bool `json:"continues,omitempty"`
	// Covers makes the text a summary: the model is shown it in place of all messages
	// up to and including the one with this id. They are kept.
	Covers string `json:"covers,omitempty"`
	// Instructions is set where the text is that of a file of the workspace, which tells models
	// how to work on the files near it; nil elsewhere.
	Instructions *InstructionsFile `json:"instructions,omitempty"`
	// Tool is set for tool parts only.
	Tool *ToolUse `json:"tool,omitempty"`
	// Block is what an image or a file part holds, nil for other parts: an image or a file,
	// or a resource in a file part. It is shared by copies of the part, and never changed.
	Block *Block `json:"block,omitempty"`
	// Left is set where the part is an outline: long texts of it were left in the store.
	Left *Left `json:"left,omitempty"`
}

// InstructionsFile names a file with instructions as a model was given it.
type InstructionsFile struct {
	// Path is relative to the workspace, with slashes.
	Path string `json:"path"`
	// SHA256 is that of the text that was given, in hexadecimal, and Bytes its length.
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
}

// Clone returns a copy that shares nothing with the part that a call still changes.
func (p Part) Clone() Part {
	if p.Tool != nil {
		use := *p.Tool
		p.Tool = &use
	}
	return p
}

// Said is what the part says, for a model that is given text alone: its text, or a mark
// for an image or a file. It is empty for reasoning and calls.
func (p *Part) Said() string {
	switch {
	case p.Type == TextPart:
		return p.Text
	case p.Block != nil:
		return Content{*p.Block}.Text()
	}
	return ""
}

// ToolUse is a tool call as a part of a message.
type ToolUse struct {
	// CallID is the provider's id of the call, made unique within the session.
	CallID string `json:"callID"`
	// Name is the tool's name as the model wrote it.
	Name string `json:"name"`
	// Extra is what the provider sent with the call and wants back with it; nil for
	// nothing.
	Extra json.RawMessage `json:"extra,omitempty"`
	// State is how far the call has come.
	State State `json:"state"`
}

// Seen is what the model reads as the call's result, never empty. Of an output that
// was pruned it is a title, with the notices.
func (u *ToolUse) Seen() string {
	out := u.State.Output
	switch {
	case out == nil:
		return Result{}.Text()
	case !u.State.Pruned:
		return out.Told()
	}
	title := "(output left out to save space)"
	if out.Error != nil {
		title = fmt.Sprintf("%s: %s", out.Error.Code, title)
	}
	for _, picture := range out.Content.pictures() {
		picture.Pruned = true
		title += "\n" + picture.Mark()
	}
	return Result{Content: Text(title), Notices: out.Notices}.Told()
}

// Status is how far a tool call has come.
type Status string

// The statuses. A call moves pending → running → completed or failed, or from
// pending straight to failed when it was refused.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "error"
)

// State is the state of a tool call.
type State struct {
	Status Status `json:"status"`
	// Input is the call's arguments: always a valid JSON object, {} where the
	// model's own text was none.
	Input json.RawMessage `json:"input"`
	// Output is set once the call has ended.
	Output *Result `json:"output,omitempty"`
	// Interrupted marks a call that a cancel or a crash ended.
	Interrupted bool `json:"interrupted,omitempty"`
	// Pruned says that the model is shown the call and no more than a title of its
	// output, to save space; the output itself is kept.
	Pruned bool `json:"pruned,omitempty"`
	// StartedAt is when the call began to run; zero if it never did.
	StartedAt time.Time `json:"startedAt,omitzero"`
}

// TransitionError reports a change of status that the state machine forbids.
type TransitionError struct {
	CallID   string
	From, To Status
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("move call %s from %s to %s: not allowed", e.CallID, e.From, e.To)
}

// NewToolUse returns a pending call.
func NewToolUse(call Call) *ToolUse {
	input := call.Arguments
	if input == nil {
		input = json.RawMessage("{}")
	}
	return &ToolUse{CallID: call.ID, Name: call.Name, Extra: call.Extra, State: State{Status: Pending, Input: input}}
}

// Start moves a pending call to running, with the arguments it runs with.
func (u *ToolUse) Start(input json.RawMessage, at time.Time) error {
	if u.State.Status != Pending {
		return &TransitionError{u.CallID, u.State.Status, Running}
	}
	u.State.Status, u.State.Input, u.State.StartedAt = Running, input, at
	return nil
}

// Finish gives the call its result: a failed one from pending or running, a
// successful one from running only.
func (u *ToolUse) Finish(result Result) error {
	to := Completed
	if result.Error != nil {
		to = Failed
	}
	ended := u.State.Status == Completed || u.State.Status == Failed
	if ended || (to == Completed && u.State.Status != Running) {
		return &TransitionError{u.CallID, u.State.Status, to}
	}
	u.State.Status, u.State.Output = to, &result
	u.State.Interrupted = result.Error != nil && result.Error.Code == Cancelled
	return nil
}
