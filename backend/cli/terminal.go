package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// terminal asks the user at the terminal.
type terminal struct {
	out    io.Writer
	broker *approve.Broker
	runID  func() string
	forget func()
	size   func() (columns, lines int)
	shown  *milestones
	in     io.Reader
	// reading begins with the first question: a run that asks nothing leaves the
	// terminal alone.
	reading sync.Once
	// ended is closed at the end of the input.
	ended chan struct{}

	mu sync.Mutex
	// open takes the lines typed while a question stands; nil when none does.
	open *answering
}

// answering is where the lines of one question go until it is done.
type answering struct {
	lines chan string
	done  <-chan struct{}
}

func newTerminal(streams Streams, broker *approve.Broker, runID func() string) *terminal {
	return &terminal{
		in: streams.In, out: streams.Err, broker: broker, runID: runID,
		forget: streams.Forget, size: streams.Size, shown: &milestones{}, ended: make(chan struct{}),
	}
}

// read takes the terminal's lines for as long as the process lives: a read
// cannot be called back. The end of the input refuses what is still asked.
func (t *terminal) read() {
	lines := bufio.NewScanner(t.in)
	lines.Buffer(nil, maxInputLine)
	for lines.Scan() {
		t.takeLine(lines.Text())
	}
	t.broker.Close("standard input was closed")
	close(t.ended)
}

// takeLine passes a line to the question that stands. What is typed while none does
// is forgotten, so that it cannot be taken for the answer to the next one.
func (t *terminal) takeLine(line string) {
	t.mu.Lock()
	open := t.open
	t.mu.Unlock()
	if open == nil {
		return
	}
	select {
	case open.lines <- line:
	case <-open.done:
	}
}

// listenForAnswers begins to take lines; half a line typed before does not count.
func (t *terminal) listenForAnswers(ctx context.Context) *answering {
	t.forget()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = &answering{lines: make(chan string), done: ctx.Done()}
	return t.open
}

func (t *terminal) stopListening() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = nil
}

// posed is a question as it is put to the user.
type posed struct {
	// milestone is what it waits for.
	milestone string
	// title names it where it is longer than the screen.
	title string
	// text is the question, its lines folded at so many columns.
	text func(columns int) string
	// choices are what can be typed.
	choices string
	// decide takes an answer, in lower case, and reports whether it decided.
	decide func(ctx context.Context, answers *answering, answer string) (decided bool, err error)
}

// askQuestion shows a question once everything before it is written, and takes answers until
// one decides.
func (t *terminal) askQuestion(ctx context.Context, q posed) error {
	if err := t.shown.awaitReached(ctx, q.milestone); err != nil {
		return err
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	columns, lines := t.size()
	text := q.text(columns)
	fmt.Fprint(t.out, text)
	if n := strings.Count(text, "\n"); n+2 > lines {
		fmt.Fprintf(t.out, "%s: %d lines above; scroll up and read them all before you answer\n", q.title, n)
	}
	answers := t.listenForAnswers(ctx)
	defer t.stopListening()
	t.reading.Do(func() { go t.read() })
	for {
		fmt.Fprint(t.out, q.choices)
		answer, err := t.nextLine(ctx, answers)
		if err != nil {
			return err
		}
		decided, err := q.decide(ctx, answers, strings.ToLower(strings.TrimSpace(answer)))
		if err != nil || decided {
			return err
		}
	}
}

// Ask implements approve.Asker.
func (t *terminal) Ask(ctx context.Context, request event.ConfirmRequest) (decision message.Decision, err error) {
	err = t.askQuestion(ctx, posed{
		milestone: milestoneOf(request.CallID, request.ExpiresAt), title: titleOf(request),
		text:    func(columns int) string { return questionText(request, columns) },
		choices: choicesOf(request.Kind),
		decide: func(ctx context.Context, answers *answering, answer string) (decided bool, err error) {
			decision, decided, err = t.readDecision(ctx, answers, answer, request)
			return decided, err
		},
	})
	return decision, err
}

// choicesOf is what can be typed at a question.
func choicesOf(kind message.QuestionKind) string {
	if !editable(kind) {
		return "[y]es, apply all, [n]o, drop all, [r]eject with a reason, [c]hoose, [d]iff, [s]top the run, [w]ait longer: "
	}
	return "[y]es, [n]o, [r]eject with a reason, [e]dit, [s]top the run, [w]ait longer: "
}

// editable reports whether the call can be changed: what it has done already is applied or
// dropped as it is.
func editable(kind message.QuestionKind) bool { return !kind.IsAfter() }

func (t *terminal) nextLine(ctx context.Context, answers *answering) (string, error) {
	select {
	case line := <-answers.lines:
		return line, nil
	case <-ctx.Done():
		fmt.Fprintln(t.out)
		return "", ctx.Err()
	}
}

// readDecision turns an answer into a decision. Bare Enter decides nothing.
func (t *terminal) readDecision(
	ctx context.Context, answers *answering, answer string, request event.ConfirmRequest,
) (message.Decision, bool, error) {
	decision := message.Decision{By: message.ByUser}
	switch answer {
	case "y", "yes":
		decision.Verdict = message.Approve
	case "n", "no":
		decision.Verdict = message.Reject
	case "s", "stop":
		decision.Verdict, decision.Stop = message.Reject, true
	case "r", "reject":
		fmt.Fprint(t.out, "reason: ")
		reason, err := t.nextLine(ctx, answers)
		if err != nil {
			return decision, false, err
		}
		decision.Verdict, decision.Reason = message.Reject, reason
	case "e", "edit":
		if !editable(request.Kind) {
			return decision, false, nil
		}
		edited, err := t.readEdit(ctx, answers, request)
		if edited == nil || err != nil {
			return decision, false, err
		}
		decision.Verdict, decision.Arguments = message.Modify, edited
	case "c", "choose":
		if editable(request.Kind) {
			return decision, false, nil
		}
		paths, err := t.chooseChanges(ctx, answers, request)
		if paths == nil || err != nil {
			return decision, false, err
		}
		decision.Verdict, decision.Chosen.Paths = message.Approve, paths
	case "d", "diff":
		t.showDiffs(request)
		return decision, false, nil
	case "w", "wait":
		return decision, false, t.broker.Extend(t.runID(), request.CallID)
	default:
		return decision, false, nil
	}
	return decision, true, nil
}

// readEdit asks for new arguments: a command as it is typed, anything else as JSON.
// Nothing typed means nothing changed.
func (t *terminal) readEdit(ctx context.Context, answers *answering, request event.ConfirmRequest) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(request.Arguments, &object); err != nil {
		return nil, fmt.Errorf("edit arguments: %w", err)
	}
	isCommand := request.Preview.Command != ""
	if isCommand {
		fmt.Fprint(t.out, "new command (Enter keeps it): ")
	} else {
		fmt.Fprintf(t.out, "now: %s\nnew arguments as JSON on one line (Enter keeps them): ", message.Visible(string(request.Arguments)))
	}
	line, err := t.nextLine(ctx, answers)
	if err != nil || strings.TrimSpace(line) == "" {
		return nil, err
	}
	if !isCommand {
		if json.Unmarshal([]byte(line), &object) != nil || object == nil {
			fmt.Fprintln(t.out, "that is not a JSON object; nothing was changed")
			return nil, nil
		}
		return json.RawMessage(line), nil
	}
	if object["command"], err = json.Marshal(line); err != nil {
		return nil, fmt.Errorf("edit command: %w", err)
	}
	return json.Marshal(object)
}
