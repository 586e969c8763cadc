package agent

import (
	"fmt"

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
func (r *run) askGuard(kind message.GuardKind, detail string) (ending, bool) {
	if r.pausing.Err() != nil {
		return ending{}, true
	}
	from := r.phase
	r.enterPhase(phaseGuard)
	done := r.clock.beginWait()
	decision := r.Gate.Decide(r.pausing, r.NewID(), kind, detail)
	done()
	if r.pausing.Err() != nil {
		return ending{}, true
	}
	if decision.Verdict == message.GuardContinue {
		r.enterPhase(from)
		return ending{}, false
	}
	end := guardEnds[kind]
	why := map[message.Decider]string{
		message.ByMode:    "nobody can be asked whether to go on",
		message.ByTimeout: "nobody answered whether to go on",
	}[decision.By]
	if why == "" {
		why = "you said to stop"
	}
	e := r.endWithError(end.code, fmt.Sprintf("%s, and %s; %s", detail, why, end.hint), "")
	e.reason, e.content = end.reason, r.lastText
	return e, true
}
