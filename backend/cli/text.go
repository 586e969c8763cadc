package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// previewLines is how much of a tool's result the person sees; the model sees it
// all.
const previewLines = 12

// text writes a run for people: the answer to standard output, everything else
// to standard error. Where the answer goes to a terminal it is written as it
// streams, else once, when it is final.
type text struct {
	out, err  io.Writer
	streaming bool
	// label says before the run what the model really is; empty for a real one.
	label string
	// asking is called when everything before a question is written.
	asking func(callID string)

	// held are events that came while the question about the call asked stands:
	// what they say must not stand between it and the answer.
	asked string
	held  []event.Event
	// midLine says that the last piece of the answer did not end its line.
	midLine bool
	// names are what the calls are called, by their ids.
	names map[string]string
}

func newText(out, err io.Writer, streaming bool, label string, asking func(callID string)) *text {
	return &text{out: out, err: err, streaming: streaming, label: label, asking: asking, names: map[string]string{}}
}

func (t *text) write(events []event.Event) error {
	for _, e := range events {
		if t.asked != "" && !answers(e, t.asked) {
			t.held = append(t.held, e)
			continue
		}
		held := t.held
		t.asked, t.held = "", nil
		if err := t.one(e); err != nil {
			return err
		}
		if err := t.write(held); err != nil {
			return err
		}
	}
	return nil
}

// answers says that an event closes the question about a call, or asks it again.
func answers(e event.Event, callID string) bool {
	switch d := e.Data.(type) {
	case event.ConfirmResult:
		return d.CallID == callID
	case event.ConfirmRequest:
		return d.CallID == callID
	}
	return false
}

func (t *text) one(e event.Event) error {
	switch d := e.Data.(type) {
	case event.LifecycleStart:
		if t.label != "" {
			t.note("%s", t.label)
		}
	case event.AssistantDelta:
		return t.delta(d.Content)
	case event.ToolCall:
		about := arguments(d)
		t.names[d.CallID] = message.Inline(d.ToolName) + " " + shortened(about, 60)
		t.note("→ %s %s", message.Inline(d.ToolName), shortened(about, 160))
	case event.ConfirmRequest:
		t.asked = d.CallID
		t.asking(d.CallID)
	case event.ConfirmResult:
		t.decided(d)
	case event.ToolResult:
		t.result(d)
	case event.LLMRetry:
		if len(d.Discard) > 0 && t.streaming {
			t.note("(the text above is discarded)")
		}
		t.note("! %s; attempt %d of %d in %s", d.Message, d.Attempt, d.MaxAttempts,
			(time.Duration(d.DelayMs) * time.Millisecond).Round(100*time.Millisecond))
	case event.GuardWarning:
		t.note("! %s", d.Detail)
	case event.LifecycleEnd:
		return t.end(d.Content, d.Warning)
	case event.LifecycleError:
		return t.failed(d)
	}
	return nil
}

func (t *text) delta(content string) error {
	if !t.streaming || content == "" {
		return nil
	}
	t.midLine = !strings.HasSuffix(content, "\n")
	_, err := io.WriteString(t.out, message.Visible(content))
	return err
}

// note writes a line of its own to standard error. A terminal that can not be
// written to any more is noticed at the next piece of the answer.
func (t *text) note(format string, values ...any) {
	if t.midLine {
		fmt.Fprintln(t.out)
		t.midLine = false
	}
	fmt.Fprintln(t.err, message.Visible(fmt.Sprintf(format, values...)))
}

func (t *text) decided(d event.ConfirmResult) {
	switch {
	case d.By == message.ByTour:
		t.note("  %s by the guided tour", past(d.Decision))
	case d.By == message.ByTimeout:
		t.note("  not answered in time: not run")
	case d.By == message.ByMode && d.Decision == message.Reject:
		t.note("  refused: %s", d.Reason)
	}
}

func past(v message.Verdict) string {
	if v == message.Approve {
		return "approved"
	}
	return "refused"
}

func (t *text) result(d event.ToolResult) {
	mark := "✓"
	if !d.Success {
		mark = "✗"
	}
	t.note("%s %s (%s)", mark, t.names[d.CallID], took(d.DurationMs))
	lines := strings.Split(strings.TrimRight(d.Content, "\n"), "\n")
	more := 0
	if len(lines) > previewLines {
		more = len(lines) - previewLines
		lines = lines[:previewLines]
	}
	for _, line := range lines {
		t.note(gutter+"%s", shortened(line, 200))
	}
	if more > 0 {
		t.note(gutter+"… %d more lines", more)
	}
}

func (t *text) end(content, warning string) error {
	if t.midLine {
		fmt.Fprintln(t.out)
	}
	if warning != "" {
		t.note("! ended early: %s", warning)
	}
	if t.streaming {
		return nil
	}
	_, err := fmt.Fprintln(t.out, strings.TrimRight(content, "\n"))
	return err
}

func (t *text) failed(d event.LifecycleError) error {
	if !t.streaming && d.PartialContent != "" {
		if _, err := fmt.Fprintln(t.out, d.PartialContent); err != nil {
			return err
		}
	}
	t.note("error: %s", oneLine(d.Message))
	return nil
}

// took writes a duration as people do.
func took(milliseconds int64) string {
	if milliseconds < 1000 {
		return fmt.Sprintf("%d ms", milliseconds)
	}
	return fmt.Sprintf("%.1f s", float64(milliseconds)/1000)
}

// arguments says in one line what a call is about: its command, pattern or path,
// else all it has. The whole is shown where the person decides.
func arguments(d event.ToolCall) string {
	line := d.RawArguments
	if d.Arguments != nil {
		line = string(d.Arguments)
	}
	var about struct{ Command, Pattern, Path string }
	if json.Unmarshal(d.Arguments, &about) == nil {
		line = cmp.Or(about.Command, about.Pattern, about.Path, line)
	}
	return oneLine(line)
}

// shortened is text cut to so many characters.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
