// Package tooltest is the conformance suite that every tool passes (SPEC
// TOOL-06): a sane definition, bad arguments, outside paths, cancel, time limit,
// huge output, CRLF, Unicode, concurrent calls, no goroutine left behind.
package tooltest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool"

	"go.uber.org/goleak"
)

const (
	// prompt is how soon a call returns after its context ended. The product
	// aims at a tenth of it; the rest is for busy test machines.
	prompt = time.Second
	// maxCharacters bounds what a model is given: the 32,000 characters of SPEC
	// §13 and some room for notices.
	maxCharacters = 34_000
	// callers is how many calls run at the same time.
	callers = 8
)

// Case says how to drive one tool through the suite. Arguments are JSON.
type Case struct {
	// Tool is the tool under test.
	Tool tool.Tool
	// Unasked says that the tool changes something and that nobody is asked all the
	// same.
	Unasked bool
	// Before makes the state that the calls need; it runs before every call. May
	// be nil.
	Before func()
	// Good is a call that succeeds.
	Good string
	// Outside are calls with paths that lead outside the workspace; none for a
	// tool without paths.
	Outside []string
	// Slow is a call that would run for at least ten seconds; empty for a tool
	// that has none, whose Good is used then.
	Slow string
	// Huge is a call with far more output than a model is given; empty for a
	// tool whose output is always small.
	Huge string
	// CRLF is a call about a text with CRLF line endings, Unicode one about a
	// text with characters of one to four bytes.
	CRLF, Unicode Probe
}

// Probe is a call with an expected outcome.
type Probe struct {
	// Arguments is the call.
	Arguments string
	// Want is a text that the result contains.
	Want string
	// After checks what the call left behind. May be nil.
	After func(t *testing.T)
}

// Conform runs every case through the suite, each in a subtest of the tool's
// name.
func Conform(t *testing.T, cases ...Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Tool.Definition().Name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			t.Run("definition", func(t *testing.T) { checkDefinition(t, c.Tool, c.Unasked) })
			t.Run("good", c.good)
			t.Run("bad arguments", c.badArguments)
			t.Run("outside", c.outside)
			t.Run("cancelled before", c.cancelledBefore)
			t.Run("cancel", func(t *testing.T) { c.ends(t, context.Canceled) })
			t.Run("timeout", func(t *testing.T) { c.ends(t, tool.ErrTimeout) })
			t.Run("huge output", c.huge)
			t.Run("CRLF", func(t *testing.T) { c.probe(t, c.CRLF) })
			t.Run("Unicode", func(t *testing.T) { c.probe(t, c.Unicode) })
			t.Run("concurrent calls", c.concurrent)
		})
	}
}

// call runs the tool once and checks what holds for every result.
func (c Case) call(ctx context.Context, t *testing.T, arguments string) message.Result {
	t.Helper()
	if c.Before != nil {
		c.Before()
	}
	result := c.Tool.Run(ctx, input(arguments))
	if text := result.Text(); !utf8.ValidString(text) {
		t.Errorf("Run(%.100s): result is not valid UTF-8: %.200q", arguments, text)
	}
	if result.Error != nil && (result.Error.Code == "" || result.Error.Message == "") {
		t.Errorf("Run(%.100s): error without code or message: %+v", arguments, *result.Error)
	}
	return result
}

func input(arguments string) tool.Input {
	return tool.Input{CallID: "call-1", Arguments: json.RawMessage(arguments), Progress: func(string) {}}
}

func (c Case) good(t *testing.T) {
	result := c.call(t.Context(), t, c.Good)
	if !result.Success() {
		t.Fatalf("Run(%s) failed: %v", c.Good, result.Error)
	}
	previewer, ok := c.Tool.(tool.Previewer)
	if !ok {
		if c.Tool.Definition().Confirm {
			t.Error("a tool that asks for confirmation has no preview")
		}
		return
	}
	if c.Before != nil {
		c.Before()
	}
	preview, err := previewer.Preview(t.Context(), input(c.Good))
	if err != nil {
		t.Fatalf("Preview(%s): %v", c.Good, err)
	}
	if want := c.Tool.Definition().Effect; preview.Effect != want {
		t.Errorf("preview has effect %q, the definition %q", preview.Effect, want)
	}
}

func (c Case) badArguments(t *testing.T) {
	for _, arguments := range badArguments(t, c.Tool.Definition().Parameters) {
		c.refused(t, arguments, message.InvalidArguments)
	}
}

func (c Case) outside(t *testing.T) {
	for _, arguments := range c.Outside {
		c.refused(t, arguments, message.PathOutsideWorkspace)
	}
}

// refused checks that neither a run nor a preview accepts the arguments.
func (c Case) refused(t *testing.T, arguments string, code message.ToolCode) {
	t.Helper()
	result := c.call(t.Context(), t, arguments)
	if result.Success() || result.Error.Code != code {
		t.Errorf("Run(%s) = %.200q, want %s", arguments, result.Text(), code)
	}
	if result.Content.Text() != "" || len(result.Changes) > 0 {
		t.Errorf("Run(%s) was refused but gave content %.200q, changes %v", arguments, result.Content.Text(), result.Changes)
	}
	previewer, ok := c.Tool.(tool.Previewer)
	if !ok {
		return
	}
	_, err := previewer.Preview(t.Context(), input(arguments))
	var failure *message.ToolError
	if !errors.As(err, &failure) || failure.Code != code {
		t.Errorf("Preview(%s) = %v, want %s", arguments, err, code)
	}
}

func (c Case) cancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	result := c.call(ctx, t, c.slow())
	if took := time.Since(began); took > prompt {
		t.Errorf("returned %v after it was called with a cancelled context", took)
	}
	if len(result.Changes) > 0 {
		t.Errorf("changed %v although cancelled before it began", result.Changes)
	}
}

// ends checks that a call returns soon after its context ended for cause.
func (c Case) ends(t *testing.T, cause error) {
	const running = 50 * time.Millisecond
	ctx, cancel := context.WithTimeoutCause(t.Context(), running, cause)
	defer cancel()
	began := time.Now()
	c.call(ctx, t, c.slow())
	if took := time.Since(began); took > running+prompt {
		t.Errorf("returned %v after it began, with a context that ended after %v", took, running)
	}
}

func (c Case) slow() string {
	if c.Slow == "" {
		return c.Good
	}
	return c.Slow
}

func (c Case) huge(t *testing.T) {
	if c.Huge == "" {
		t.Skip("the tool's output is always small")
	}
	result := c.call(t.Context(), t, c.Huge)
	if n := utf8.RuneCountInString(result.Text()); n > maxCharacters {
		t.Errorf("result has %d characters, more than %d", n, maxCharacters)
	}
	if !result.Truncated {
		t.Error("a shortened result does not say Truncated")
	}
}

func (c Case) concurrent(t *testing.T) {
	if c.Before != nil {
		c.Before()
	}
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			result := c.Tool.Run(t.Context(), input(c.Good))
			if !utf8.ValidString(result.Text()) {
				t.Error("result is not valid UTF-8")
			}
		})
	}
	group.Wait()
}
