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
)

// person does what the person section says: lines of the form
//
//	on EVENT [CALL]: ACTION; ACTION
//
// each of which is done once, when such an event is seen. The actions are
// approve, reject [REASON], stop (a reject that ends the run), modify JSON,
// extend, cancel, close, wait DURATION, and write FILE TEXT.
type person struct {
	t     *testing.T
	stage *stage
	lines []string
}

func newPerson(t *testing.T, stage *stage, text string) *person {
	t.Helper()
	p := &person{t: t, stage: stage}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			p.lines = append(p.lines, line)
		}
	}
	return p
}

func (p *person) see(e event.Event) {
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

func (p *person) do(action, runID, callID string) {
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
		p.must(p.stage.desk.Extend(runID, callID))
		return
	case "cancel":
		_, err := p.stage.sessions.Cancel(runID)
		p.must(err)
		return
	case "close":
		p.stage.desk.Close("standard input was closed")
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
	p.must(p.stage.desk.Confirm(runID, callID, decision))
}

func (p *person) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Error(err)
	}
}

func callOf(e event.Event) string {
	switch d := e.Data.(type) {
	case event.ToolCall:
		return d.CallID
	case event.ConfirmRequest:
		return d.CallID
	case event.ConfirmResult:
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
