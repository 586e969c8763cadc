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

// terminal asks the person at the terminal.
type terminal struct {
	lines <-chan string
	out   io.Writer
	desk  *approve.Desk
	runID func() string
	shown *milestones
}

// milestones are the questions that the written events have come to. A question
// waits for its own, so that it stands below what led to it.
type milestones struct {
	mu      sync.Mutex
	reached map[string]chan struct{}
}

func (m *milestones) of(callID string) chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reached == nil {
		m.reached = map[string]chan struct{}{}
	}
	if m.reached[callID] == nil {
		m.reached[callID] = make(chan struct{}, 1)
	}
	return m.reached[callID]
}

// mark says that the events up to the question about a call are written.
func (m *milestones) mark(callID string) {
	select {
	case m.of(callID) <- struct{}{}:
	default: // marked already: the question was asked again
	}
}

// newTerminal reads the terminal's lines for as long as the process lives: a
// read cannot be called back. The end of the input refuses what is still asked.
func newTerminal(in io.Reader, out io.Writer, desk *approve.Desk, runID func() string) *terminal {
	lines := make(chan string)
	go func() {
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		desk.Close("standard input was closed")
	}()
	return &terminal{lines: lines, out: out, desk: desk, runID: runID, shown: &milestones{}}
}

// Ask implements approve.Asker.
func (t *terminal) Ask(ctx context.Context, request event.ConfirmRequest) (message.Decision, error) {
	select {
	case <-t.shown.of(request.CallID):
	case <-ctx.Done():
		return message.Decision{}, ctx.Err()
	}
	t.drain()
	fmt.Fprint(t.out, visible(question(request)))
	for {
		fmt.Fprint(t.out, "[y]es, [n]o, [r]eject with a reason, [e]dit, [s]top the run, [w]ait longer: ")
		answer, err := t.line(ctx)
		if err != nil {
			return message.Decision{}, err
		}
		decision, done, err := t.decide(ctx, strings.ToLower(strings.TrimSpace(answer)), request)
		if err != nil || done {
			return decision, err
		}
	}
}

// drain forgets what was typed before the question was there, so that it cannot
// be taken for the answer.
func (t *terminal) drain() {
	for {
		select {
		case <-t.lines:
		default:
			return
		}
	}
}

func (t *terminal) line(ctx context.Context) (string, error) {
	select {
	case line := <-t.lines:
		return line, nil
	case <-ctx.Done():
		fmt.Fprintln(t.out)
		return "", ctx.Err()
	}
}

// decide turns an answer into a decision. Bare Enter decides nothing.
func (t *terminal) decide(ctx context.Context, answer string, request event.ConfirmRequest) (message.Decision, bool, error) {
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
		reason, err := t.line(ctx)
		if err != nil {
			return decision, false, err
		}
		decision.Verdict, decision.Reason = message.Reject, reason
	case "e", "edit":
		edited, err := t.edit(ctx, request)
		if edited == nil || err != nil {
			return decision, false, err
		}
		decision.Verdict, decision.Arguments = message.Modify, edited
	case "w", "wait":
		return decision, false, t.desk.Extend(t.runID(), request.CallID)
	default:
		return decision, false, nil
	}
	return decision, true, nil
}

// edit asks for new arguments: a command as it is typed, anything else as JSON.
// Nothing typed means nothing changed.
func (t *terminal) edit(ctx context.Context, request event.ConfirmRequest) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(request.Arguments, &object); err != nil {
		return nil, fmt.Errorf("edit arguments: %w", err)
	}
	isCommand := request.Preview.Command != ""
	if isCommand {
		fmt.Fprint(t.out, "new command (Enter keeps it): ")
	} else {
		fmt.Fprintf(t.out, "now: %s\nnew arguments as JSON on one line (Enter keeps them): ", visible(string(request.Arguments)))
	}
	line, err := t.line(ctx)
	if err != nil || strings.TrimSpace(line) == "" {
		return nil, err
	}
	if !isCommand {
		if json.Unmarshal([]byte(line), &object) != nil {
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

// question is what the person is shown: the whole change or command, never cut.
func question(request event.ConfirmRequest) string {
	var out strings.Builder
	preview := request.Preview
	fmt.Fprintf(&out, "\n? %s", request.ToolName)
	if request.Reason != "" {
		fmt.Fprintf(&out, " (asked again: %s)", request.Reason)
	}
	switch {
	case preview.Command != "":
		fmt.Fprintf(&out, " in %s\n%s\n%s\n", preview.Folder, indent(preview.Command), preview.Confinement)
	case preview.Diff != "":
		fmt.Fprintf(&out, " %s (+%d −%d)\n%s\n", preview.Path, preview.Added, preview.Removed, indent(preview.Diff))
	default:
		fmt.Fprintf(&out, " %s\n%s\n", preview.Path, indent(string(request.Arguments)))
	}
	return out.String()
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
