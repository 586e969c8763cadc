package approve

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"fairlead/backend/message"
)

// Desk holds the questions that are open, of all runs. Answers are given here.
type Desk struct {
	mu     sync.Mutex
	open   map[key]*question
	closed string
	// turn is held by the one question that an Asker is busy with, so that a
	// person never has two dialogs to answer at once (SPEC HITL-06).
	turn chan struct{}
}

// key names a question: a call of a run.
type key struct{ runID, callID string }

// question is one open question. Its channels hold one value, and whoever closes
// it first takes it from the desk, so that only one answer can count.
type question struct {
	// hash names what is shown.
	hash   string
	answer chan message.Decision
	extend chan struct{}
}

// NewDesk returns an empty desk.
func NewDesk() *Desk {
	return &Desk{open: map[key]*question{}, turn: make(chan struct{}, 1)}
}

// Confirm answers the question about a call. The answer counts once: for an
// unknown call, or one decided already, it returns NOT_FOUND; for a decision
// that is none, INVALID_PARAMS, and the question stays open. A decision with a
// hash is one about what a request with this hash showed: when the question has
// become another one since, it is NOT_FOUND too.
func (d *Desk) Confirm(runID, callID string, decision message.Decision) error {
	if err := checkDecision(decision); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.open[key{runID, callID}]
	if q == nil || decision.Hash != "" && decision.Hash != q.hash {
		return unknown(callID)
	}
	delete(d.open, key{runID, callID})
	q.answer <- decision
	return nil
}

// Extend gives the person the whole time again.
func (d *Desk) Extend(runID, callID string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.open[key{runID, callID}]
	if q == nil {
		return unknown(callID)
	}
	select {
	case q.extend <- struct{}{}:
	default: // an extension that was not seen yet does for both
	}
	return nil
}

// Close rejects every open question, and every later one, with this reason:
// whoever could answer has gone.
func (d *Desk) Close(reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = reason
	for k, q := range d.open {
		delete(d.open, k)
		q.answer <- message.Decision{Verdict: message.Reject, By: message.ByCancel, Reason: reason}
	}
}

// put opens a question; take closes it without an answer.
func (d *Desk) put(k key, hash string) *question {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := &question{hash: hash, answer: make(chan message.Decision, 1), extend: make(chan struct{}, 1)}
	if d.closed != "" {
		q.answer <- message.Decision{Verdict: message.Reject, By: message.ByCancel, Reason: d.closed}
		return q
	}
	d.open[k] = q
	return q
}

func (d *Desk) take(k key, q *question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[k] == q {
		delete(d.open, k)
	}
}

func unknown(callID string) error {
	return &message.Refusal{
		Code:    message.NotFound,
		Message: fmt.Sprintf("no question is open about call %q: it is unknown or decided already", callID),
	}
}

func checkDecision(decision message.Decision) error {
	switch decision.Verdict {
	case message.Approve, message.Reject:
		return nil
	case message.Modify:
		var object map[string]json.RawMessage
		if err := json.Unmarshal(decision.Arguments, &object); err != nil || object == nil {
			return &message.Refusal{
				Code: message.InvalidParams, Message: "a modify needs the edited arguments as a JSON object",
			}
		}
		return nil
	}
	return &message.Refusal{
		Code:    message.InvalidParams,
		Message: fmt.Sprintf("the decision %q is none of approve, reject, modify", decision.Verdict),
	}
}

// expiry is when a question asked now is taken for a no.
func expiry(timeout time.Duration) int64 { return time.Now().Add(timeout).UnixMilli() }
