package approve

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"fairlead/backend/message"
)

// Broker holds the open questions of all runs, and takes the answers to them.
type Broker struct {
	mu     sync.Mutex
	open   map[key]*question[message.Decision]
	guards map[key]*question[message.GuardDecision]
	closed string
	// line is of the questions that an Asker is to ask, so that a user never has two
	// dialogs to answer at once (SPEC HITL-06).
	line line
}

// key names a question: a call of a run, or a guard's question about it.
type key struct{ runID, id string }

// NewBroker returns a broker without questions.
func NewBroker() *Broker {
	return &Broker{
		open: map[key]*question[message.Decision]{}, guards: map[key]*question[message.GuardDecision]{},
	}
}

// Confirm answers the question about a call. The answer counts once: for an
// unknown call, or one decided already, it returns NOT_FOUND; for a decision
// that is none, INVALID_PARAMS, and the question stays open. A decision with a
// hash is one about what a request with this hash showed: when the question has
// become another one since, it is NOT_FOUND too.
func (b *Broker) Confirm(runID, callID string, decision message.Decision) error {
	if err := checkDecision(decision); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.open[key{runID, callID}]
	if q == nil || decision.Hash != "" && decision.Hash != q.hash {
		return unknown(callID)
	}
	if decision.Verdict == message.Modify && q.kind.IsAfter() {
		return &message.Refusal{
			Code: message.InvalidParams, Message: "changes are applied or dropped as they are: the decision is none of approve, reject",
		}
	}
	if err := decision.Chosen.Check(q.changes); err != nil {
		return err
	}
	delete(b.open, key{runID, callID})
	q.answer <- decision
	if decision.By == message.ByUser {
		b.extendOthers(runID)
	}
	return nil
}

// extendOthers gives the whole time again for the other questions of a run of which half has
// passed: somebody is answering them one after the other. The caller has the lock.
func (b *Broker) extendOthers(runID string) {
	for k, q := range b.open {
		if k.runID == runID && time.Since(q.since) > q.timeout/2 {
			q.renew()
		}
	}
}

// Extend gives the user the whole time again to answer the question about a call,
// or that of a guard.
func (b *Broker) Extend(runID, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := key{runID, id}
	switch {
	case b.open[k] != nil:
		b.open[k].renew()
		b.extendOthers(runID)
	case b.guards[k] != nil:
		b.guards[k].renew()
	default:
		return unknown(id)
	}
	return nil
}

// Close rejects every open question, and every later one, with this reason: nobody
// is left who could answer. Runs that a guard has paused stop.
func (b *Broker) Close(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = reason
	for k, q := range b.open {
		delete(b.open, k)
		q.answer <- refused(reason)
	}
	for k, q := range b.guards {
		delete(b.guards, k)
		q.answer <- unasked(reason)
	}
}

// openCall opens a question about a call.
func (b *Broker) openCall(k key, hash string, asked message.Question, timeout time.Duration) *question[message.Decision] {
	q := openQuestion(b, b.open, k, hash, refused)
	b.mu.Lock()
	defer b.mu.Unlock()
	q.timeout, q.kind, q.changes = timeout, asked.Kind, asked.Preview.Changes
	q.network = asked.Preview.Network && asked.Kind == message.QuestionNetwork
	return q
}

// AsksNetwork reports whether the open question about a call is one about the network
// for it.
func (b *Broker) AsksNetwork(runID, callID string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.open[key{runID, callID}]
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
