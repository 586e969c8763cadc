package approve

import (
	"context"
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// GuardAsker shows a guard's question to someone who can answer it.
type GuardAsker interface {
	// AskGuard shows the question and returns the verdict. It returns soon after ctx
	// ends. An error means that it could not ask; the question then stays open for
	// others.
	AskGuard(ctx context.Context, request event.GuardRequest) (message.GuardVerdict, error)
}

// Decide answers the question of a guard. For an unknown one, or one decided already,
// it returns NOT_FOUND; for a verdict that is none, INVALID_PARAMS.
func (b *Broker) Decide(runID, guardID string, verdict message.GuardVerdict) error {
	if verdict != message.GuardContinue && verdict != message.GuardStop {
		return &message.Refusal{
			Code: message.InvalidParams, Message: fmt.Sprintf("the decision %q is none of continue, stop", verdict),
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	k := key{runID, guardID}
	q := b.guards[k]
	if q == nil {
		return unknown(guardID)
	}
	delete(b.guards, k)
	q.answer <- message.GuardDecision{Verdict: verdict, By: message.ByUser}
	return nil
}

// Tell answers the question whether a run that goes in circles may go on, if one is
// open: the user said what to do, so it goes on with that.
func (b *Broker) Tell(runID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, q := range b.guards {
		if k.runID == runID && q.told {
			delete(b.guards, k)
			q.answer <- message.GuardDecision{Verdict: message.GuardContinue, By: message.ByUser}
		}
	}
}

// openGuard opens the question of a guard. More money is spent by an answer only, never
// by a word about the task.
func (b *Broker) openGuard(k key, kind message.GuardKind) *question[message.GuardDecision] {
	q := openQuestion(b, b.guards, k, "", unasked)
	b.mu.Lock()
	defer b.mu.Unlock()
	q.told = kind == message.GuardDoomLoop || kind == message.GuardAllFailed
	return q
}

// Decide asks whether a run that a guard has paused may go on, and waits: for an
// answer, the end of the time, or the end of ctx. Silence is a stop (SPEC DOOM-02).
func (g *Gate) Decide(ctx context.Context, guardID string, guard message.Guard) message.GuardDecision {
	k := key{g.RunID, guardID}
	q := g.Broker.openGuard(k, guard.Kind)
	closed := func() { closeQuestion(g.Broker, g.Broker.guards, k, q) }
	defer closed()
	request := event.GuardRequest{
		GuardID: guardID, Kind: guard.Kind, Data: guard.Data, Detail: guard.String(), ExpiresAt: expiry(g.Timeout),
	}
	g.Publish(request)
	if g.GuardAsker != nil {
		defer g.Broker.askInTurn(ctx, func(ctx context.Context) {
			if verdict, err := g.GuardAsker.AskGuard(ctx, request); err == nil {
				_ = g.Broker.Decide(g.RunID, guardID, verdict) // one that comes too late is refused
			}
		})()
	}
	again := func() {
		request.ExpiresAt = expiry(g.Timeout)
		g.Publish(request)
	}
	decision := waitForAnswer(ctx, q, g.Timeout, again, closed,
		message.GuardDecision{Verdict: message.GuardStop, By: message.ByTimeout},
		message.GuardDecision{Verdict: message.GuardStop, By: message.ByCancel})
	g.Publish(event.GuardResult{GuardID: guardID, Decision: decision.Verdict, By: decision.By})
	return decision
}
