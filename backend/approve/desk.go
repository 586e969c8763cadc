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
	open   map[key]*question[message.Decision]
	guards map[key]*question[message.GuardDecision]
	closed string
	// turn is held by the one question that an Asker is busy with, so that a
	// person never has two dialogs to answer at once (SPEC HITL-06).
	turn chan struct{}
}

// key names a question: a call of a run, or a guard's question about it.
type key struct{ runID, id string }

// NewDesk returns an empty desk.
func NewDesk() *Desk {
	return &Desk{
		open: map[key]*question[message.Decision]{}, guards: map[key]*question[message.GuardDecision]{},
		turn: make(chan struct{}, 1),
	}
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

// Extend gives the person the whole time again to answer the question about a call,
// or that of a guard.
func (d *Desk) Extend(runID, id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var extend chan struct{}
	k := key{runID, id}
	switch {
	case d.open[k] != nil:
		extend = d.open[k].extend
	case d.guards[k] != nil:
		extend = d.guards[k].extend
	default:
		return unknown(id)
	}
	select {
	case extend <- struct{}{}:
	default: // an extension that was not seen yet does for both
	}
	return nil
}

// Close rejects every open question, and every later one, with this reason: whoever
// could answer has gone. Runs that a guard has paused stop.
func (d *Desk) Close(reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = reason
	for k, q := range d.open {
		delete(d.open, k)
		q.answer <- refused(reason)
	}
	for k, q := range d.guards {
		delete(d.guards, k)
		q.answer <- unasked(reason)
	}
}

// put opens a question about a call, or about the network for it.
func (d *Desk) put(k key, hash string, network bool) *question[message.Decision] {
	q := put(d, d.open, k, hash, refused)
	d.mu.Lock()
	defer d.mu.Unlock()
	q.network = network
	return q
}

// AsksNetwork says whether a question is open about a call that is one about the
// network for it.
func (d *Desk) AsksNetwork(runID, callID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.open[key{runID, callID}]
	return q != nil && q.network
}

func unknown(callID string) error {
	return &message.Refusal{
		Code:    message.NotFound,
		Message: fmt.Sprintf("no question is open about %q: it is unknown or decided already", callID),
	}
}

// refused and unasked are the answers once nobody can answer any more.
func refused(why string) message.Decision {
	return message.Decision{Verdict: message.Reject, By: message.ByCancel, Reason: why}
}

func unasked(string) message.GuardDecision {
	return message.GuardDecision{Verdict: message.GuardStop, By: message.ByMode}
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
