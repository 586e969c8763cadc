// Package hook lets parts of Fairlead watch the loop of a run, and alter what goes
// through it, at nine points. A run calls them in this order:
//
//	PreCall → [PreReasoning → ReasoningChunk* → PostReasoning →
//	(PreActing → ActingChunk* → PostActing)*]* → PostCall
//
// and Error once, when it fails. Several hooks at one point make a chain, by
// priority. The gate and the guards are no hooks: they come after PreActing, on
// exactly the bytes that will run (SPEC HK-02).
package hook

import (
	"context"

	"fairlead/backend/message"
)

// DefaultPriority is the priority of a hook that names none.
const DefaultPriority = 100

// Hook is one set of functions that watch or alter the loop; those that are nil are
// not called.
//
// A run never calls its hooks twice at once. Runs that share a hook call it side by
// side. The loop waits for a function to return, so one that takes long heeds its
// context.
//
// A function that returns nothing but an error only watches: when it fails, that is
// logged. One that returns a value too may alter what it is given, and when it fails,
// the run ends. It replaces what it alters, and does not write into it; the messages
// of PreReasoning are a copy of its own.
type Hook struct {
	// Name is what messages call the hook.
	Name string
	// Priority says which hook is called first: the one with the smaller number, of
	// equal ones the one registered first. 0 means DefaultPriority.
	Priority int

	// PreCall is told that a run begins.
	PreCall func(ctx context.Context, start Start) error
	// PreReasoning returns the messages of a request, which need not be those of the
	// history.
	PreReasoning func(ctx context.Context, messages []message.Message) ([]message.Message, error)
	// ReasoningChunk is told each piece of a reply as it comes. A reply that breaks
	// and is asked for again comes from its beginning.
	ReasoningChunk func(ctx context.Context, chunk Chunk) error
	// PostReasoning returns the reply that the loop acts on. The arguments of its
	// calls are nil or a JSON object.
	PostReasoning func(ctx context.Context, reply Reply) (Reply, error)
	// PreActing returns the call with the arguments to go on with, a JSON object; all
	// else of the call stays as it is. A *Refused refuses the call, and the run goes
	// on. The arguments it is given are nil where the model wrote no JSON object.
	PreActing func(ctx context.Context, call message.Call) (message.Call, error)
	// ActingChunk is told each piece of a call's live output.
	ActingChunk func(ctx context.Context, chunk ActingChunk) error
	// PostActing returns the result that the model is given.
	PostActing func(ctx context.Context, call message.Call, result message.Result) (message.Result, error)
	// PostCall returns the final reply.
	PostCall func(ctx context.Context, reply string) (string, error)
	// Error is told why a run failed.
	Error func(ctx context.Context, failure message.RunError) error
}

func (h Hook) priorityOrDefault() int {
	if h.Priority == 0 {
		return DefaultPriority
	}
	return h.Priority
}

// Start is a run that begins.
type Start struct {
	RunID     string
	SessionID string
	// Prompt is what the run works on.
	Prompt string
}

// Chunk is a piece of a reply.
type Chunk struct {
	// Reasoning says that the piece is of the reasoning, not of the text.
	Reasoning bool
	Text      string
}

// Reply is what the model answered in one step.
type Reply struct {
	Text      string
	Reasoning string
	// Calls are the calls that it asks for, in order.
	Calls []message.Call
}

// ActingChunk is a piece of a call's live output.
type ActingChunk struct {
	CallID string
	Text   string
}
