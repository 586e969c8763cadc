// Package tooltest is the conformance suite that every tool passes (SPEC
// TOOL-06): a sane definition, bad arguments, outside paths, cancel, time limit,
// huge output, CRLF, Unicode, concurrent calls, no goroutine left behind.
package tooltest

import (
	"context"
	"encoding/json"
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
	// §13 and some space for notices.
	maxCharacters = 34_000
	// callers is how many calls run at the same time.
	callers = 8
)

// Case says how to drive one tool through the suite. Arguments are JSON.
type Case struct {
	// Tool is the tool under test.
	Tool tool.Tool
	// Unasked is set where the tool changes something and nobody is asked all the
	// same.
	Unasked bool
	// Before makes the state that the calls need; it runs before every call. May
	// be nil.
	Before func()
	// Untouched checks that nothing has changed since Before. May be nil.
	Untouched func(t *testing.T)
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
			t.Run("good", c.testGood)
			t.Run("plans", c.plans)
			t.Run("changes", c.changes)
			t.Run("bad arguments", c.badArguments)
			t.Run("outside", c.testOutside)
			t.Run("cancelled before", c.cancelledBefore)
			t.Run("cancel", func(t *testing.T) { c.testEnds(t, context.Canceled) })
			t.Run("timeout", func(t *testing.T) { c.testEnds(t, tool.ErrTimeout) })
			t.Run("huge output", c.testHuge)
			t.Run("CRLF", func(t *testing.T) { c.testProbe(t, c.CRLF) })
			t.Run("Unicode", func(t *testing.T) { c.testProbe(t, c.Unicode) })
			t.Run("concurrent calls", c.testConcurrent)
		})
	}
}

// callTool carries out one call and checks what holds for every result.
func (c Case) callTool(ctx context.Context, t *testing.T, arguments string) message.Result {
	t.Helper()
	if c.Before != nil {
		c.Before()
	}
	result := Run(ctx, c.Tool, newInput(arguments))
	if text := result.Text(); !utf8.ValidString(text) {
		t.Errorf("call(%.100s): result is not valid UTF-8: %.200q", arguments, text)
	}
	if result.Error != nil && (result.Error.Code == "" || result.Error.Message == "") {
		t.Errorf("call(%.100s): error without code or message: %+v", arguments, *result.Error)
	}
	return result
}

func newInput(arguments string) tool.Input {
	return tool.Input{CallID: "call-1", Arguments: json.RawMessage(arguments)}
}

func (c Case) testGood(t *testing.T) {
	result := c.callTool(t.Context(), t, c.Good)
	if !result.Success() {
		t.Fatalf("call(%s) failed: %v", c.Good, result.Error)
	}
}

// plans checks that a call is prepared without being carried out, and can be discarded.
func (c Case) plans(t *testing.T) {
	if c.Before != nil {
		c.Before()
	}
	plan, err := c.Tool.Prepare(t.Context(), newInput(c.Good))
	if err != nil {
		t.Fatalf("Prepare(%s): %v", c.Good, err)
	}
	definition := c.Tool.Definition()
	if plan.Preview.Effect != definition.Effect && (plan.Asks || plan.Preview.Effect != "") {
		t.Errorf("preview has effect %q, the definition %q", plan.Preview.Effect, definition.Effect)
	}
	if plan.Asks && !definition.Confirm {
		t.Error("a plan asks, but the tool is not marked as one to be confirmed")
	}
	if plan.Check != nil {
		if err := plan.Check(t.Context()); err != nil {
			t.Errorf("Check of what nobody changed: %v", err)
		}
	}
	if plan.Discard != nil {
		plan.Discard()
	}
	c.untouched(t)
	// Had it been carried out, it might not succeed again.
	if result := Run(t.Context(), c.Tool, newInput(c.Good)); !result.Success() {
		t.Errorf("call(%s) after a plan that was discarded: %v", c.Good, result.Error)
	}
}

func (c Case) untouched(t *testing.T) {
	t.Helper()
	if c.Untouched != nil {
		c.Untouched(t)
	}
}

// changes checks that changes that wait for a decision are not made before it, are shown,
// and can be dropped and applied. A call without such changes passes.
func (c Case) changes(t *testing.T) {
	for _, apply := range []bool{false, true} {
		if c.Before != nil {
			c.Before()
		}
		plan, err := c.Tool.Prepare(t.Context(), newInput(c.Good))
		if err != nil {
			t.Fatalf("Prepare(%s): %v", c.Good, err)
		}
		changes := plan.Run(t.Context(), func(string) {}).Changes
		if changes == nil {
			return
		}
		c.untouched(t)
		if p := changes.Preview; p.Effect != message.EffectFiles || p.Diff == "" || p.Fingerprint == "" {
			t.Errorf("changes are shown as effect %q with %d bytes of diff, fingerprint %q", p.Effect, len(p.Diff), p.Fingerprint)
		}
		if !c.Tool.Definition().Confirm {
			t.Error("changes are asked about, but the tool is not marked as one to be confirmed")
		}
		if !apply {
			if result := changes.Drop(t.Context()); !result.Success() || len(result.Changes) > 0 {
				t.Errorf("dropped with %v, changes %v", result.Error, result.Changes)
			}
			c.untouched(t)
			continue
		}
		if result := changes.Apply(t.Context(), message.Chosen{}); !result.Success() || len(result.Changes) == 0 {
			t.Errorf("applied with %v, changes %v", result.Error, result.Changes)
		}
	}
}

func (c Case) badArguments(t *testing.T) {
	for _, arguments := range badArguments(t, c.Tool.Definition().Parameters) {
		c.testRefused(t, arguments, message.InvalidArguments)
	}
}

func (c Case) testOutside(t *testing.T) {
	for _, arguments := range c.Outside {
		c.testRefused(t, arguments, message.PathOutsideWorkspace)
	}
}

// testRefused checks that the arguments are not accepted.
func (c Case) testRefused(t *testing.T, arguments string, code message.ToolCode) {
	t.Helper()
	result := c.callTool(t.Context(), t, arguments)
	if result.Success() || result.Error.Code != code {
		t.Errorf("call(%s) = %.200q, want %s", arguments, result.Text(), code)
	}
	if result.Content.Text() != "" || len(result.Changes) > 0 {
		t.Errorf("call(%s) was refused but gave content %.200q, changes %v", arguments, result.Content.Text(), result.Changes)
	}
}

func (c Case) cancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	result := c.callTool(ctx, t, c.slowArguments())
	if took := time.Since(began); took > prompt {
		t.Errorf("returned %v after it was called with a cancelled context", took)
	}
	if len(result.Changes) > 0 {
		t.Errorf("changed %v although cancelled before it began", result.Changes)
	}
}

// testEnds checks that a call returns soon after its context ended for cause.
func (c Case) testEnds(t *testing.T, cause error) {
	const running = 50 * time.Millisecond
	ctx, cancel := context.WithTimeoutCause(t.Context(), running, cause)
	defer cancel()
	began := time.Now()
	c.callTool(ctx, t, c.slowArguments())
	if took := time.Since(began); took > running+prompt {
		t.Errorf("returned %v after it began, with a context that ended after %v", took, running)
	}
}

func (c Case) slowArguments() string {
	if c.Slow == "" {
		return c.Good
	}
	return c.Slow
}

func (c Case) testHuge(t *testing.T) {
	if c.Huge == "" {
		t.Skip("the tool's output is always small")
	}
	result := c.callTool(t.Context(), t, c.Huge)
	if n := utf8.RuneCountInString(result.Text()); n > maxCharacters {
		t.Errorf("result has %d characters, more than %d", n, maxCharacters)
	}
	if !result.Truncated {
		t.Error("a shortened result does not say Truncated")
	}
}

func (c Case) testConcurrent(t *testing.T) {
	if c.Before != nil {
		c.Before()
	}
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			result := Run(t.Context(), c.Tool, newInput(c.Good))
			if !utf8.ValidString(result.Text()) {
				t.Error("result is not valid UTF-8")
			}
		})
	}
	group.Wait()
}
