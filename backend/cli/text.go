package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// previewLines is how much of a tool's result the user sees; the model sees it
// all.
const previewLines = 12

// text writes runs for people: the answers to standard output, everything else to
// standard error. Where an answer goes to a terminal it is written as it streams,
// else once, when it is final.
type text struct {
	out, err  io.Writer
	streaming bool
	// label says before the run what the model really is; empty for a real one.
	label  string
	asking asking

	// held are events that came while the question asked stands here: what they say
	// must not stand between it and the answer.
	asked string
	held  []event.Event
	// noted is the question of a guard that is asked elsewhere, and is a line here.
	noted string
	// part is the part of the answer that was written last, and midLine says that its
	// last piece did not end its line. split is the beginning of a character whose rest
	// the next piece brings.
	part    string
	midLine bool
	split   string
	// unbroken is what was written of answers since the last line of our own.
	unbroken strings.Builder
	// begun says that a run was written before.
	begun bool
	// names are what the calls are called, by their ids.
	names map[string]string
}

func newText(out, err io.Writer, streaming bool, label string, asking asking) *text {
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

// answers says that an event closes the question about a call, or of a guard, or asks
// it again.
func answers(e event.Event, id string) bool {
	switch d := e.Data.(type) {
	case event.ConfirmResult:
		return d.CallID == id
	case event.ConfirmRequest:
		return d.CallID == id
	case event.GuardResult:
		return d.GuardID == id
	case event.GuardRequest:
		return d.GuardID == id
	}
	return false
}

func (t *text) one(e event.Event) error {
	switch d := e.Data.(type) {
	case event.LifecycleStart:
		t.start(d)
	case event.ProcessesNoticed:
		t.notices(d.Notices)
	case event.AssistantDelta:
		return t.delta(d)
	case event.AssistantFinal:
		return t.replaced(d)
	case event.ToolCall:
		about := arguments(d)
		t.names[d.CallID] = message.Inline(d.ToolName) + " " + shortened(about, 60)
		t.note("→ %s %s", message.Inline(d.ToolName), shortened(about, 160))
	case event.ConfirmRequest:
		if t.asking(milestone(d.CallID, d.ExpiresAt)) {
			t.asked = d.CallID
		}
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
		t.note("! %s", message.Inline(d.Detail))
	case event.GuardRequest:
		if t.asking(milestone(d.GuardID, d.ExpiresAt)) {
			t.asked = d.GuardID
		} else {
			t.noted = d.GuardID
			t.note("? %s; may the run go on", message.Inline(d.Detail))
		}
	case event.GuardResult:
		t.guarded(d)
	case event.PromptQueued:
		t.note("» waits for the next %s: %s", d.Target, aside(d.Text))
	case event.PromptJoined:
		t.note("» given to the model: %s", aside(d.Text))
	case event.RunInterrupt:
		t.note("! interrupted: the run stops before it asks the model again")
	case event.ContextCompacted:
		t.note("%s", compacted(d))
	case event.LifecycleEnd:
		return t.end(d.Content, d.Warning)
	case event.LifecycleError:
		return t.failed(d)
	}
	return nil
}

// start says what a run begins with that the user at the screen cannot know: that no
// model is running, or which of the prompts that waited it is.
func (t *text) start(d event.LifecycleStart) {
	switch {
	case t.begun:
		t.note("» %s", aside(d.Prompt))
	case t.label != "":
		t.note("%s", t.label)
	}
	t.begun = true
	t.notices(d.Notices)
}

func (t *text) delta(d event.AssistantDelta) error {
	if !t.streaming || d.Content == "" {
		return nil
	}
	if t.part != d.PartID {
		t.split = ""
	}
	t.part = d.PartID
	content := t.split + d.Content
	content, t.split = wholeCharacters(content)
	if content == "" {
		return nil
	}
	t.midLine = !strings.HasSuffix(content, "\n")
	t.unbroken.WriteString(content)
	_, err := io.WriteString(t.out, message.Harmless(content))
	return err
}

// wholeCharacters splits off the beginning of a character at the end of a text.
func wholeCharacters(text string) (whole, rest string) {
	for at := len(text) - 1; at >= 0 && at >= len(text)-utf8.UTFMax; at-- {
		if utf8.RuneStart(text[at]) {
			if !utf8.FullRuneInString(text[at:]) {
				return text[:at], text[at:]
			}
			break
		}
	}
	return text, ""
}

// replaced writes the text that takes the place of what was streamed of a part. The
// pieces of an answer are that text already, unless there is something between them.
func (t *text) replaced(d event.AssistantFinal) error {
	if len(d.Discard) > 0 && strings.HasSuffix(t.unbroken.String(), d.Content) {
		return nil
	}
	if t.streaming && t.part == d.PartID {
		t.note("(the text above is replaced by this:)")
	}
	t.breakLine()
	t.split = ""
	return t.delta(event.AssistantDelta{PartID: d.PartID, Content: d.Content})
}

// breakLine ends the line of an answer that did not end it.
func (t *text) breakLine() {
	if t.midLine {
		fmt.Fprintln(t.out)
		t.midLine = false
	}
}

// note writes a line of its own to standard error. A terminal that can not be
// written to any more is noticed at the next piece of the answer.
func (t *text) note(format string, values ...any) {
	t.breakLine()
	t.unbroken.Reset()
	fmt.Fprintln(t.err, message.Visible(fmt.Sprintf(format, values...)))
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
		for _, b := range d.Blocks { // their marks may be in those
			t.note(gutter+"%s", shortened(b.Mark(), 200))
		}
	}
	t.notices(d.Notices)
}

// notices writes what the user should know, each on a line of its own and none of them cut.
func (t *text) notices(all []message.Notice) {
	for _, n := range all {
		t.note("! %s", n)
	}
}

func (t *text) end(content, warning string) error {
	t.breakLine()
	if warning != "" {
		t.note("! ended early: %s", warning)
	}
	if t.streaming || content == "" {
		return nil
	}
	_, err := fmt.Fprintln(t.out, message.Harmless(strings.TrimRight(content, "\n")))
	return err
}

func (t *text) failed(d event.LifecycleError) error {
	if !t.streaming && d.PartialContent != "" {
		if _, err := fmt.Fprintln(t.out, message.Harmless(d.PartialContent)); err != nil {
			return err
		}
	}
	t.note("error: %s", oneLine(d.Message))
	return nil
}
