package agent

import (
	"context"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// decideChanges has it decided what becomes of the changes that a call has made in a copy, and
// adds that to its result. It reports also whether the user wants the run to end.
func (w worker) decideChanges(
	ctx context.Context, call message.Call, limit time.Duration, approved bool, result message.Result, changes *tool.Changes,
) (message.Result, bool) {
	limited, end := w.limitTime(ctx, limit)
	defer end()
	shown := changes.Preview
	if changes.ApplyRest != nil && w.pausing.Err() == nil && w.Gate.LetsChanges(approved) {
		result = result.WithRest(changes.ApplyRest(limited))
		if shown = changes.Held; len(shown.Changes) == 0 {
			return result, false
		}
	}
	decision := message.Decision{Verdict: message.Reject, By: message.ByCancel}
	if w.pausing.Err() == nil {
		decision = w.askUser(call, message.Question{Kind: message.QuestionChanges, Preview: shown})
	}
	switch {
	case ctx.Err() != nil || decision.By == message.ByCancel || decision.By == message.ByTimeout:
		ended, fate := changes.End(ctx)
		return result.WithUnapplied(undecided(w.pausing, decision, fate), ended, fate), decision.Stop
	case decision.Verdict != message.Approve || decision.Hash != call.Hash():
		dropped := changes.Drop(ctx)
		return result.WithUnapplied(decision.Unapplied(message.ChangesDropped), dropped, message.ChangesDropped), decision.Stop
	}
	applying, endApplying := w.limitTime(ctx, limit)
	defer endApplying()
	return result.WithApplied(changes.Apply(applying, decision.Chosen)), false
}

// undecided is why changes were not applied about which nobody has decided.
func undecided(ctx context.Context, decision message.Decision, fate message.ChangesFate) *message.ToolError {
	if decision.By == message.ByCancel && ctx.Err() != nil {
		return &message.ToolError{Code: message.Cancelled, Message: context.Cause(ctx).Error() + " before the changes of this call were applied; " + fate.Sentence()}
	}
	return decision.Unapplied(fate)
}

// decideOutput has it decided whether the model is given what is withheld of an output; nil for
// nothing. It reports also whether the user wants the run to end.
func (w worker) decideOutput(call message.Call, result message.Result, withheld *tool.Withheld) (message.Result, bool) {
	if withheld == nil {
		return result, false
	}
	decision := message.Decision{Verdict: message.Reject, By: message.ByCancel}
	if w.pausing.Err() == nil {
		decision = w.askUser(call, message.Question{Kind: message.QuestionOutput, Preview: withheld.Preview})
	}
	if decision.Verdict == message.Approve && decision.Hash == call.Hash() {
		return withheld.Release(result), false
	}
	result.Content = result.Content.After(decision.Withheld())
	return result, decision.Stop
}
