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
	// unsaid are notes that came then.
	unsaid []string
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

// note writes a line, once no question stands.
func (t *text) note(line string) {
	if t.asked != "" {
		t.unsaid = append(t.unsaid, line)
		return
	}
	t.writeNote("%s", line)
}

func (t *text) write(events []event.Event) error {
	for _, e := range events {
		if t.asked != "" && !closesQuestion(e, t.asked) {
			t.held = append(t.held, e)
			continue
		}
		held := t.held
		t.asked, t.held = "", nil
		for _, line := range t.unsaid {
			t.writeNote("%s", line)
		}
		t.unsaid = nil
		if err := t.writeEvent(e); err != nil {
			return err
		}
		if err := t.write(held); err != nil {
			return err
		}
	}
	return nil
}

// closesQuestion says that an event closes the question about a call, or of a guard, or asks
// it again.
func closesQuestion(e event.Event, id string) bool {
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

func (t *text) writeEvent(e event.Event) error {
	switch d := e.Data.(type) {
	case event.LifecycleStart:
		t.start(d)
	case event.ProcessesNoticed:
		t.writeNotices(d.Notices)
	case event.AssistantDelta:
		return t.writeDelta(d)
	case event.AssistantFinal:
		return t.writeReplacement(d)
	case event.ToolCall:
		about := summariseArguments(d)
		t.names[d.CallID] = message.Inline(d.ToolName) + " " + shortenText(about, 60)
		t.writeNote("→ %s %s", message.Inline(d.ToolName), shortenText(about, 160))
	case event.ConfirmRequest:
		if t.asking(milestoneOf(d.CallID, d.ExpiresAt)) {
			t.asked = d.CallID
		}
	case event.ConfirmResult:
		t.writeDecision(d)
	case event.ToolResult:
		t.writeResult(d)
	case event.RequestWeakened:
		t.writeNote("! %s", message.Inline(message.Weakened(d).String()))
	case event.LLMRetry:
		if len(d.Discard) > 0 && t.streaming {
			t.writeNote("(the text above is discarded)")
		}
		t.writeNote("! %s; attempt %d of %d in %s", d.Message, d.Attempt, d.MaxAttempts,
			(time.Duration(d.DelayMs) * time.Millisecond).Round(100*time.Millisecond))
	case event.GuardWarning:
		t.writeNote("! %s", message.Inline(d.Detail))
	case event.GuardRequest:
		if t.asking(milestoneOf(d.GuardID, d.ExpiresAt)) {
			t.asked = d.GuardID
		} else {
			t.noted = d.GuardID
			t.writeNote("? %s; may the run go on", message.Inline(d.Detail))
		}
	case event.GuardResult:
		t.writeGuardDecision(d)
	case event.PromptQueued:
		t.writeNote("» waits for the next %s: %s", d.Target, shortPrompt(d.Text))
	case event.PromptJoined:
		t.writeNote("» given to the model: %s", shortPrompt(d.Text))
	case event.RunInterrupt:
		t.writeNote("! interrupted: the run stops before it asks the model again")
	case event.ContextCompacted:
		t.writeNote("%s", compactedText(d))
	case event.LifecycleEnd:
		return t.writeEnd(d.Content, d.Warning)
	case event.LifecycleError:
		return t.writeFailure(d)
	}
	return nil
}

// start says what a run begins with that the user at the screen cannot know: that no
// model is running, or which of the prompts that waited it is.
func (t *text) start(d event.LifecycleStart) {
	switch {
	case t.begun:
		t.writeNote("» %s", shortPrompt(d.Prompt))
	case t.label != "":
		t.writeNote("%s", t.label)
	}
	t.begun = true
	t.writeNotices(d.Notices)
}

func (t *text) writeDelta(d event.AssistantDelta) error {
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

// writeReplacement writes the text that takes the place of what was streamed of a part. The
// pieces of an answer are that text already, unless there is something between them.
func (t *text) writeReplacement(d event.AssistantFinal) error {
	if len(d.Discard) > 0 && strings.HasSuffix(t.unbroken.String(), d.Content) {
		return nil
	}
	if t.streaming && t.part == d.PartID {
		by := "replaced by this:"
		if d.Content == "" {
			by = "discarded"
		}
		t.writeNote("(the text above is %s)", by)
	}
	t.breakLine()
	t.split = ""
	return t.writeDelta(event.AssistantDelta{PartID: d.PartID, Content: d.Content})
}

// breakLine ends the line of an answer that did not end it.
func (t *text) breakLine() {
	if t.midLine {
		fmt.Fprintln(t.out)
		t.midLine = false
	}
}

// writeNote writes a line of its own to standard error. A terminal that can not be
// written to any more is noticed at the next piece of the answer.
func (t *text) writeNote(format string, values ...any) {
	t.breakLine()
	t.unbroken.Reset()
	fmt.Fprintln(t.err, message.Visible(fmt.Sprintf(format, values...)))
}

func (t *text) writeResult(d event.ToolResult) {
	mark := "✓"
	if !d.Success {
		mark = "✗"
	}
	t.writeNote("%s %s (%s)", mark, t.names[d.CallID], durationText(d.DurationMs))
	lines := strings.Split(strings.TrimRight(d.Content, "\n"), "\n")
	more := 0
	if len(lines) > previewLines {
		more = len(lines) - previewLines
		lines = lines[:previewLines]
	}
	for _, line := range lines {
		t.writeNote(gutter+"%s", shortenText(line, 200))
	}
	if more > 0 {
		t.writeNote(gutter+"… %d more lines", more)
		for _, b := range d.Blocks { // their marks may be in those
			t.writeNote(gutter+"%s", shortenText(b.Mark(), 200))
		}
	}
	t.writeNotices(d.Notices)
}

// writeNotices writes what the user should know, each on a line of its own and none of them cut.
func (t *text) writeNotices(all []message.Notice) {
	for _, n := range all {
		t.writeNote("! %s", n)
	}
}

func (t *text) writeEnd(content, warning string) error {
	t.breakLine()
	if warning != "" {
		t.writeNote("! ended early: %s", warning)
	}
	if t.streaming || content == "" {
		return nil
	}
	_, err := fmt.Fprintln(t.out, message.Harmless(strings.TrimRight(content, "\n")))
	return err
}

func (t *text) writeFailure(d event.LifecycleError) error {
	if !t.streaming && d.PartialContent != "" {
		if _, err := fmt.Fprintln(t.out, message.Harmless(d.PartialContent)); err != nil {
			return err
		}
	}
	t.writeNote("error: %s", oneLine(d.Message))
	return nil
}
