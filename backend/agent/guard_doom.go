package agent

import (
	"slices"

	"fairlead/backend/message"
)

// failedRounds rounds in a row in which every call failed are asked about (SPEC
// DOOM-03).
const failedRounds = 3

// checkDoom has the guard judge a call. A refused one gets a result with the reason; the
// ending is that of a user who says to stop, or cannot be asked (SPEC DOOM-02).
func (r *run) checkDoom(c *pendingCall) (ending, bool) {
	if !r.Limits.DoomDetection {
		return ending{}, false
	}
	if r.Tools.Polls(c.call) {
		r.repeats.forgetCalls()
		return ending{}, false
	}
	// What a reply asks for twice at once is no answer to what came back.
	same := func(before *pendingCall) bool { return before.call.Canonical() == c.call.Canonical() }
	if at := slices.IndexFunc(r.judged, same); at >= 0 {
		c.fault = r.judged[at].fault
		return ending{}, false
	}
	verdict, guard := r.repeats.judgeCall(c.call)
	if verdict == repeatAsk {
		if e, over := r.askGuard(guard); over {
			if e.err != nil {
				c.fault = &message.ToolError{Code: message.DoomLoop, Message: guard.String() + "; the run was stopped and it was not run"}
			}
			return e, true
		}
		r.repeats.forgetCalls()
		r.failedRounds = 0
	}
	if verdict == repeatRefuse {
		r.warnOf(guard)
		c.fault = &message.ToolError{Code: message.DoomLoop, Message: guard.String() +
			", the last ones with the same result, so it was not run again; do something else, or answer with what you have"}
	}
	r.repeats.addCall(c.call, verdict == repeatRefuse)
	r.judged = append(r.judged, c)
	return ending{}, false
}

// checkAllFailed asks whether to go on after several rounds in which every call failed
// (SPEC DOOM-03).
func (r *run) checkAllFailed(round []message.CallRecord) (ending, bool) {
	r.failedRounds++
	if slices.ContainsFunc(round, func(c message.CallRecord) bool { return !c.Failed() }) {
		r.failedRounds = 0
	}
	if !r.Limits.DoomDetection || r.failedRounds < failedRounds {
		return ending{}, false
	}
	e, over := r.askGuard(message.Guard{Kind: message.GuardAllFailed, Data: message.GuardData{Rounds: r.failedRounds}})
	r.repeats.forgetCalls()
	r.failedRounds = 0
	if over {
		e = r.endHalted(e)
	}
	return e, over
}
