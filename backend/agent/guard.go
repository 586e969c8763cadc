package agent

import (
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// guardEnds say how a run ends that a guard has stopped.
var guardEnds = map[message.GuardKind]struct {
	reason message.Reason
	code   message.FailCode
	hint   string
}{
	message.GuardDoomLoop:  {message.ReasonDoomLoop, message.CodeDoomLoop, "tell it what to do instead, or go on with --no-doom"},
	message.GuardAllFailed: {message.ReasonDoomLoop, message.CodeDoomLoop, "tell it what to do instead, or go on with --no-doom"},
	message.GuardBudget:    {message.ReasonBudget, message.CodeBudget, "continue, or set a larger budget (--budget, budget_usd)"},
}

// askGuard pauses the run and asks whether it may go on. It returns how the run ends if
// not: nobody can answer, nobody does in time, or the answer is no (SPEC DOOM-02). The
// ending is empty where the run is to stop anyway.
func (r *run) askGuard(guard message.Guard) (ending, bool) {
	if r.pausing.Err() != nil {
		return ending{}, true
	}
	from := r.phase
	r.enterPhase(phaseGuard)
	done := r.clock.beginWait()
	decision := r.Gate.Decide(r.pausing, r.NewID(), guard)
	done()
	if r.pausing.Err() != nil {
		return ending{}, true
	}
	if decision.Verdict == message.GuardContinue {
		r.enterPhase(from)
		return ending{}, false
	}
	end := guardEnds[guard.Kind]
	why := map[message.Decider]string{
		message.ByMode:    "nobody can be asked whether to go on",
		message.ByTimeout: "nobody answered whether to go on",
	}[decision.By]
	if why == "" {
		why = "you said to stop"
	}
	e := r.endWithError(end.code, fmt.Sprintf("%s, and %s; %s", guard, why, end.hint), "")
	e.err.Data = &message.FailData{Cause: message.FailGuard, Guard: guard.Kind, GuardData: &guard.Data, By: decision.By}
	e.reason, e.content = end.reason, r.lastText
	return e, true
}

// warnOf tells of a guard that stepped in and asks nobody.
func (r *run) warnOf(guard message.Guard) {
	r.Publish(event.GuardWarning{Kind: guard.Kind, Data: guard.Data, Detail: guard.String()})
}
