package tool

import (
	"context"
	"strings"
	"time"

	"fairlead/backend/message"
)

// Plan is one call, worked out and not yet carried out. It is run at most once, or
// discarded.
type Plan struct {
	// Preview is what the user is shown of the call. A plan that nobody is asked about
	// needs none.
	Preview message.Preview
	// Asks reports whether the user decides before the plan is run. It counts for tools
	// that are marked to be confirmed.
	Asks bool
	// Limit is how long Run may take; 0 is the default of all calls.
	Limit time.Duration
	// Extra is how much longer Run may take, whatever the limit, because something has to be made
	// ready first that later calls find ready.
	Extra time.Duration
	// Touches are the files and folders of the workspace that the call is about, as the model
	// wrote them.
	Touches []string
	// Check returns an error when the state that the plan was made from has changed: the
	// call is prepared again then. It is nil where nothing can change.
	Check func(ctx context.Context) error
	// Run carries the call out. It returns soon after ctx ended, with what it has by then;
	// the dispatcher adds why it ended. progress takes live output. State that changed
	// since Check is no reason to overwrite it: Run then fails with STALE_FILE.
	Run func(ctx context.Context, progress func(text string)) Outcome
	// Discard releases what a plan holds that is not run; nil where it holds nothing.
	Discard func()
}

// Outcome is the result of a call, and its changes.
type Outcome struct {
	Result message.Result
	// Changes are those that the call has made in a copy, and about which the user
	// decides; nil for none.
	Changes *Changes
	// Withheld is what is hidden in the result, and the user may let the model have; nil for
	// nothing.
	Withheld *Withheld
}

// Withheld is a part of an output that is hidden from the model.
type Withheld struct {
	// Preview is what the user is shown. Its fingerprint names the whole output.
	Preview message.Preview
	// Shown is the output with something hidden, as the result has it, and Whole is all of it.
	Shown, Whole string
}

// Release returns a result with what was hidden in it.
func (w *Withheld) Release(result message.Result) message.Result {
	result.Content = result.Content.Map(func(text string) string { return strings.Replace(text, w.Shown, w.Whole, 1) })
	return result
}

// Changes are what a call has done and not yet applied. Where the user is asked about those
// alone that are held, ApplyRest is called first. One of Apply, Drop and SetAside is called
// then, once. What they return is added to the result of the call.
type Changes struct {
	// Preview is what the user is shown: all changes. Its fingerprint names the contents.
	Preview message.Preview
	// Held shows those that are held whatever the mode is. Where none are, nothing is left
	// once the others are applied.
	Held message.Preview
	// ApplyRest makes those that are not held; nil where all are.
	ApplyRest func(ctx context.Context) message.Result
	// Apply makes what is chosen of them, and lets go of the rest. Its result has the files
	// that were changed.
	Apply func(ctx context.Context, chosen message.Chosen) message.Result
	// Drop lets go of them. ctx leaves it a moment also where the run was cancelled.
	Drop func(ctx context.Context) message.Result
	// SetAside keeps them, to be decided about later, because nobody has decided; nil where
	// they are dropped then.
	SetAside func(ctx context.Context) message.Result
}
