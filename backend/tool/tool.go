// Package tool says what a tool is, keeps the tools that exist, and runs calls
// to them: allow-list, groups, presets, argument check, time limit, and a Result
// whatever happens.
package tool

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"fairlead/backend/message"
)

// Tool is something a model can call. An implementation is safe for concurrent
// calls.
type Tool interface {
	// Definition describes the tool; it is the same on every call.
	Definition() Definition
	// Run carries out one call, whose arguments fit the schema. It returns soon
	// after ctx ends, with what it has by then; the dispatcher adds why it ended.
	Run(ctx context.Context, in Input) message.Result
}

// Previewer is a tool that can say what a call would do without doing it.
type Previewer interface {
	// Preview returns what the person is shown. A *message.ToolError says that
	// the call cannot succeed; the person is then not asked.
	Preview(ctx context.Context, in Input) (message.Preview, error)
}

// Questioner is a tool, marked as one to be confirmed, of which not every call is.
type Questioner interface {
	// Asks says whether a person decides about this call. It may say so of a call
	// and no longer once another call was approved.
	Asks(in Input) bool
}

// Limiter is a tool whose calls have a time limit of their own.
type Limiter interface {
	// Limit returns the limit of one call.
	Limit(in Input) time.Duration
}

// Poller is a tool, marked as one that polls, whose calls look at something that
// comes to an end.
type Poller interface {
	// Lives says whether what a call looks at still goes on. Of a polling tool
	// without this method it always does.
	Lives(in Input) bool
}

// Input is one call to a tool.
type Input struct {
	// CallID names the call.
	CallID string
	// Arguments is a JSON object that fits the tool's schema.
	Arguments json.RawMessage
	// Fingerprint is that of the preview that was approved; empty where nobody
	// was asked. A tool that changes files refuses with STALE_FILE when the file
	// is no longer what was shown.
	Fingerprint string
	// Progress takes live output while the call runs; never nil.
	Progress func(text string)

	objects []any
}

// Definition describes a tool to the model and to the gate.
type Definition struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments: an object.
	Parameters json.RawMessage
	// Confirm says that a person decides before a call runs.
	Confirm bool
	// Effect is what a call may change.
	Effect message.Effect
	// Polls says that a call looks at something that goes on by itself, so that
	// asking again is no loop.
	Polls bool
	// Group names the set of tools it is switched with.
	Group string
}

// ReadOnly says that a call changes nothing.
func (d Definition) ReadOnly() bool { return d.Effect == message.EffectNone }

// ErrTimeout is the cause of a context that ended because the call's own time
// limit passed.
var ErrTimeout = errors.New("tool time limit reached")
