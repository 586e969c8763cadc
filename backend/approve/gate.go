package approve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// Asker shows a question to someone who can answer it.
type Asker interface {
	// Ask shows the question and returns the answer, whose edited arguments, if
	// any, are a JSON object. It returns soon after ctx ends: the question was
	// answered elsewhere, or nobody waits for it any more. An error means that it
	// could not ask; the question then stays open for others.
	Ask(ctx context.Context, request event.ConfirmRequest) (message.Decision, error)
}

// Gate decides about the calls of one run.
type Gate struct {
	// Broker holds the gate's questions while they are open.
	Broker *Broker
	// RunID names the run.
	RunID string
	// Mode says what is asked about now: the user may choose another mode while the run goes
	// on.
	Mode func() Mode
	// Timeout is how long a question waits before silence is a no.
	Timeout time.Duration
	// Asker asks the user; nil where answers come through the broker alone.
	Asker Asker
	// AllowNetwork answers every question about the network with a yes.
	AllowNetwork bool
	// GuardAsker asks whether a paused run may go on; nil likewise.
	GuardAsker GuardAsker
	// Publish tells the world of questions and answers.
	Publish func(event.Data)

	// asked counts the questions about calls; their ids are its values.
	asked atomic.Int64
}

// Ask returns a decision on exactly this call. An approval carries the call's
// hash, so that it serves for these bytes and no others (SPEC HITL-08). It calls opened once
// the user is asked.
func (g *Gate) Ask(ctx context.Context, call message.Call, question message.Question, opened func()) message.Decision {
	preview := question.Preview
	decision := message.Decision{Verdict: g.Mode().verdict(question), By: message.ByMode}
	if preview.Effect == message.EffectNetwork && g.AllowNetwork && decision.Verdict == "" {
		decision.Verdict = message.Approve
	}
	if call.Written && decision.Verdict == message.Approve {
		decision.Verdict = "" // it may have been an example: no mode lets it pass (SPEC MSG-08)
	}
	switch decision.Verdict {
	case message.Reject:
		decision.Reason = "this run may change nothing (confirmation mode none)"
	case "":
		decision = g.askUser(ctx, call, question, opened)
		// Where nobody can be asked it is the network that is not there, as for a command.
		decision.Network = preview.Effect == message.EffectNetwork && decision.By == message.ByCancel
	}
	if decision.Verdict == message.Approve && preview.Network && !g.AllowNetwork {
		decision = g.askNetwork(ctx, call, question, opened)
	}
	decision.Hash = call.Hash()
	arguments := call.Arguments
	if decision.Verdict == message.Modify {
		arguments = decision.Arguments
	}
	g.Publish(event.ConfirmResult{
		Kind: question.Kind, CallID: call.ID, Decision: decision.Verdict, Arguments: arguments, By: decision.By, Reason: decision.Reason,
	})
	if question.Kind == message.QuestionChanges {
		g.Publish(event.ChangesDecided(call.ID, preview, decision))
	}
	return decision
}

// LetsChanges reports whether what a call has changed in a copy is applied without a question,
// where nothing holds it: the user has approved the call, or the mode lets it pass.
func (g *Gate) LetsChanges(approved bool) bool {
	mode := g.Mode()
	return mode == All || mode == Writes || mode == Ask && approved
}

// askNetwork asks whether a command that may run may have the network: a question of its
// own in every mode, whose answer holds for this call alone (SPEC SEC-02).
func (g *Gate) askNetwork(ctx context.Context, call message.Call, question message.Question, opened func()) message.Decision {
	question.Kind, question.Preview.Effect = message.QuestionNetwork, message.EffectNetwork
	decision := g.askUser(ctx, call, question, opened)
	decision.Network = decision.Verdict == message.Reject
	return decision
}

// askUser asks and waits: for an answer, the end of the time, or the end of ctx.
func (g *Gate) askUser(ctx context.Context, call message.Call, question message.Question, opened func()) message.Decision {
	k, preview := key{g.RunID, call.ID}, question.Preview
	hash := shown(call, question)
	q := g.Broker.openCall(k, hash, question, g.Timeout)
	closed := func() { closeQuestion(g.Broker, g.Broker.open, k, q) }
	defer closed()
	request := event.ConfirmRequest{
		Kind: question.Kind, QuestionID: fmt.Sprintf("q%d", g.asked.Add(1)),
		CallID: call.ID, ToolName: call.Name, Arguments: call.Arguments, Preview: preview, Hash: hash,
		Cause: question.Cause, Reason: question.Cause.String(), ExpiresAt: expiry(g.Timeout),
	}
	if question.Kind == message.QuestionChanges {
		g.Publish(event.ChangesAsked(request))
	}
	g.Publish(request)
	if g.Asker != nil {
		request := request // which changes with its time
		defer g.Broker.askInTurn(ctx, func(ctx context.Context) {
			if decision, err := g.Asker.Ask(ctx, request); err == nil {
				decision.Hash = hash
				// An answer that comes too late is refused by the broker, as it should.
				_ = g.Broker.Confirm(g.RunID, call.ID, decision)
			}
		})()
	}
	opened()
	again := func() {
		request.ExpiresAt = expiry(g.Timeout)
		g.Publish(request)
	}
	return waitForAnswer(ctx, q, g.Timeout, again, closed,
		message.Decision{Verdict: message.Reject, By: message.ByTimeout},
		message.Decision{Verdict: message.Reject, By: message.ByCancel})
}

// shown names what a question shows: the call to the byte, by the preview's fingerprint the
// files it was computed from, or the contents of its changes, and what of the call is asked
// about.
func shown(call message.Call, question message.Question) string {
	preview := question.Preview
	text := call.Hash() + "\x00" + preview.Fingerprint + "\x00" + string(preview.Effect)
	if preview.Autorun != "" {
		text += "\x00" + string(preview.Autorun)
	}
	if question.Kind.IsAfter() {
		text += "\x00" + string(question.Kind)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
