// Package llm says what a model is: something that answers one request with a
// stream of text, reasoning and tool calls, or fails with a typed error. How a
// provider is reached lives in the packages below it.
package llm

import (
	"context"
	"encoding/json"

	"fairlead/backend/message"
)

// Model answers requests. An implementation is safe for use by several runs at
// once.
type Model interface {
	// Stream makes one attempt at req. It calls receive from the caller's own
	// goroutine for everything that comes in, then returns the whole reply. An
	// attempt that fails returns an *Error beside what had come until then; an
	// attempt whose context ended returns the context's cause. Nothing of a reply
	// that comes with an error may be executed.
	Stream(ctx context.Context, req Request, receive func(Delta)) (Reply, error)
}

// Request is everything a model needs for one reply.
type Request struct {
	// System is the system prompt.
	System string
	// Messages is the conversation, oldest first. Every tool part in it has ended.
	Messages []message.Message
	// Tools are the tools on offer, in a stable order; none means a plain reply.
	Tools []Tool
	// Choice is whether the model may call tools, or which one it must; empty means auto.
	Choice ToolChoice
	// Sequential asks for no more than one call in the reply. Not every provider can
	// be asked.
	Sequential bool
}

// Tool is a tool as the model sees it.
type Tool struct {
	Name        string
	Description string
	// Parameters is a JSON Schema.
	Parameters json.RawMessage
}

// ToolChoice is "auto", "none", or the name of the one tool the model must call.
type ToolChoice string

// The choices that name no tool.
const (
	ChoiceAuto ToolChoice = "auto"
	ChoiceNone ToolChoice = "none"
)

// DeltaKind says what came in.
type DeltaKind int

// The kinds of delta.
const (
	// Activity is a sign of life without text: a keep-alive, an empty piece, or one of a
	// call.
	Activity DeltaKind = iota
	// TextDelta and ReasoningDelta are pieces of the reply. One without text is a piece
	// that is held back until more of it has come.
	TextDelta
	ReasoningDelta
	// TextRecalled turns all text so far, which it holds, into reasoning.
	TextRecalled
	// RequestWeakened comes before a request that is weaker than asked.
	RequestWeakened
)

// Delta is something that came in while a reply is streamed.
type Delta struct {
	Kind DeltaKind
	Text string
	// Call says that the activity is a piece of a call.
	Call bool
	// Weakened is set for RequestWeakened only.
	Weakened message.Weakened
}

// Finish is why the model stopped, after the rule that calls decide: a reply
// with calls that was not cut finishes with FinishCalls whatever the provider
// said.
type Finish string

// The ways a reply ends.
const (
	FinishStop   Finish = "stop"
	FinishCalls  Finish = "tool_calls"
	FinishLength Finish = "length"
	FinishFilter Finish = "content_filter"
	// FinishLeaked is a reply with a call in its text that could not be read twice.
	FinishLeaked Finish = "leaked"
)

// MaxText is the most text that a reply may have, and the most reasoning, in bytes (SPEC
// SEC-11).
const MaxText = 4 << 20

// Reply is one whole answer of a model.
type Reply struct {
	Text      string
	Reasoning string
	// Details is the reasoning as the provider wants it back, an array; nil for none.
	Details json.RawMessage
	// Calls are the tool calls in the order in which the model opened them. Their
	// ids are the provider's own: they may be empty or repeat earlier ones.
	Calls  []message.Call
	Finish Finish
	// Usage is nil when the provider did not say.
	Usage *message.Usage
	// Window is how many tokens the model takes at once, where that is known
	// with this reply; 0 else.
	Window int
}
