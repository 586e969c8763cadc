// Package tool says what a tool is, keeps the tools that exist, and prepares calls
// to them: allow-list, groups, presets, argument check, and a plan that can be shown,
// and run once, with a result whatever happens.
package tool

import (
	"context"
	"encoding/json"
	"errors"

	"fairlead/backend/message"
)

// Tool is something a model can call. An implementation is safe for concurrent
// calls.
type Tool interface {
	// Definition describes the tool; it is the same on every call.
	Definition() Definition
	// Prepare works out what one call, whose arguments fit the schema, would do, without
	// doing it. A *message.ToolError says that the call cannot succeed; nobody is asked
	// about it then. It returns soon after ctx ends. What takes long and changes nothing,
	// such as a search, belongs into the plan's Run.
	Prepare(ctx context.Context, in Input) (Plan, error)
}

// Poller is a tool, marked as one that polls, whose calls look at something that
// comes to an end.
type Poller interface {
	// Lives reports whether what a call looks at still goes on. Of a polling tool
	// without this method it always does.
	Lives(in Input) bool
}

// Input is one call to a tool.
type Input struct {
	// CallID names the call.
	CallID string
	// Arguments is a JSON object that fits the tool's schema.
	Arguments json.RawMessage

	objects []any
}

// Definition describes a tool to the model and to the gate.
type Definition struct {
	Name        string
	Description string
	// Prompt is what the system prompt says while the tool is offered, such as a list of what it
	// can be used for; empty for nothing.
	Prompt string
	// Parameters is the JSON Schema of the arguments: an object.
	Parameters json.RawMessage
	// Confirm is set where the user may have to decide about a call; its plan tells.
	Confirm bool
	// Effect is what a call may change.
	Effect message.Effect
	// Polls is set where a call looks at something that goes on by itself, so that
	// asking again is no loop.
	Polls bool
	// Group names the set of tools it is switched with.
	Group string
	// Essential is set where a model with a small window is offered it too.
	Essential bool
	// Display is what entry points show of a call.
	message.Display
}

// ReadOnly reports whether a call changes nothing.
func (d Definition) ReadOnly() bool { return d.Effect == message.EffectNone }

// ErrTimeout is the cause of a context that ended because the call's own time
// limit passed.
var ErrTimeout = errors.New("tool time limit reached")
