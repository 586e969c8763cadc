package session_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// user does what the user section says: lines of the form
//
//	on EVENT [CALL]: ACTION; ACTION
//
// each of which is done once, when such an event is seen. The actions are
// approve, reject [REASON], stop (a reject that ends the run), modify JSON,
// extend, cancel, close, wait DURATION, and write FILE TEXT; of the loop: interrupt
// [REPLY], retry (now), continue and halt (a guard's question), queue TARGET TEXT,
// and change, remove or send (now) the prompt that was queued last.
type user struct {
	t     *testing.T
	stage *stage
	lines []string
	// queued is the prompt that was queued last, and runs are those that began for one.
	queued message.Prompt
	runs   []*session.Run
	// refused says that what the user does may come too late.
	refused bool
}

func newUser(t *testing.T, stage *stage, text string) *user {
	t.Helper()
	p := &user{t: t, stage: stage}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			p.lines = append(p.lines, line)
		}
	}
	return p
}

func (p *user) see(e event.Event) {
	callID := callOf(e)
	for i, line := range p.lines {
		when, what, _ := strings.Cut(line, ": ")
		fields := strings.Fields(strings.TrimPrefix(when, "on "))
		if fields[0] != string(e.Type) || len(fields) > 1 && fields[1] != callID {
			continue
		}
		p.lines = append(p.lines[:i:i], p.lines[i+1:]...)
		for action := range strings.SplitSeq(what, "; ") {
			p.do(action, e.RunID, callID)
		}
		return
	}
}

func (p *user) do(action, runID, callID string) {
	verb, rest, _ := strings.Cut(action, " ")
	decision := message.Decision{By: message.ByUser}
	switch verb {
	case "approve":
		decision.Verdict = message.Approve
	case "reject", "stop":
		decision.Verdict, decision.Reason, decision.Stop = message.Reject, rest, verb == "stop"
	case "modify":
		decision.Verdict, decision.Arguments = message.Modify, json.RawMessage(rest)
	case "extend":
		p.must(p.stage.broker.Extend(runID, callID))
		return
	case "interrupt":
		_, err := p.stage.sessions.InterruptRun(runID, rest)
		p.must(err)
		return
	case "retry":
		p.must(p.stage.sessions.RetryRun(runID))
		return
	case "continue":
		p.must(p.stage.broker.Decide(runID, callID, message.GuardContinue))
		return
	case "halt":
		p.must(p.stage.broker.Decide(runID, callID, message.GuardStop))
		return
	case "queue", "change", "remove", "send":
		p.queue(verb, rest)
		return
	case "cancel":
		_, err := p.stage.sessions.CancelRun(runID)
		p.must(err)
		return
	case "close":
		p.stage.broker.Close("standard input was closed")
		return
	case "wait":
		duration, err := time.ParseDuration(rest)
		p.must(err)
		<-time.After(duration)
		return
	case "write":
		name, text, _ := strings.Cut(rest, " ")
		p.must(os.WriteFile(filepath.Join(p.stage.dir, name), []byte(text+"\n"), 0o600))
		return
	default:
		p.t.Fatalf("unknown action %q", action)
	}
	p.must(p.stage.broker.Confirm(runID, callID, decision))
}

func (p *user) queue(verb, rest string) {
	target, text, _ := strings.Cut(rest, " ")
	var run *session.Run
	var err error
	switch verb {
	case "queue":
		p.queued, run, err = p.stage.session.QueuePrompt(text, message.Target(target))
	case "change":
		err = p.stage.session.ChangePrompt(p.queued.ID, text, message.Target(target))
	case "remove":
		err = p.stage.session.RemovePrompt(p.queued.ID)
	case "send":
		run, err = p.stage.session.SendPrompt(p.queued.ID)
	}
	p.must(err)
	if run != nil {
		p.runs = append(p.runs, run)
	}
}

func (p *user) must(err error) {
	if err != nil && !p.refused {
		p.t.Helper()
		p.t.Error(err)
	}
}

func callOf(e event.Event) string {
	switch d := e.Data.(type) {
	case event.GuardRequest:
		return d.GuardID
	case event.ToolCall:
		return d.CallID
	case event.ConfirmRequest:
		return d.CallID
	case event.ConfirmResult:
		return d.CallID
	case event.ChangesRequest:
		return d.CallID
	case event.ChangesResult:
		return d.CallID
	case event.ToolRunning:
		return d.CallID
	case event.ToolProgress:
		return d.CallID
	case event.ToolResult:
		return d.CallID
	}
	return ""
}

// next is the run that began for a prompt which found none running; nil for none.
func (p *user) next() *session.Run {
	if len(p.runs) == 0 {
		return nil
	}
	run := p.runs[0]
	p.runs = p.runs[1:]
	return run
}
