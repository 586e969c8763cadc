package agent

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// Calls repeat in cycles of at most longestCycle. The refusals-th repetition is
// refused when it can bring nothing new, the questions-th is asked about whatever it
// brings; and so are failedRounds rounds in a row in which every call failed (SPEC
// DOOM-01 to 03).
const (
	longestCycle = 4
	refusals     = 3
	questions    = 5
	failedRounds = 3
)

// doomGuard notices calls that repeat over the whole run.
type doomGuard struct {
	// past are the last calls, oldest first: as many as the longest cycle needs.
	past []pastCall
	// failed counts the rounds in a row in which every call failed.
	failed int
}

// pastCall is a call that the guard has seen.
type pastCall struct {
	call, result [sha256.Size]byte
	// known says that the result is known already; refused that the call was not run.
	known, refused bool
}

// doom is what the guard says of a call.
type doom int

const (
	doomNone doom = iota
	doomRefuse
	doomAsk
)

// judge looks at a call that is to run next, and says in words what repeats.
func (g *doomGuard) judge(call message.Call) (doom, string) {
	key := sha256.Sum256([]byte(call.Canonical()))
	worst, detail := doomNone, ""
	for period := 1; period <= longestCycle; period++ {
		length := g.repeating(key, period)
		what := fmt.Sprintf("the same call of %s", call.Name)
		if period > 1 {
			what = fmt.Sprintf("the same %d calls, the last one of %s,", period, call.Name)
		}
		found := doomNone
		switch last := len(g.past) - period; {
		case length >= questions*period, length >= refusals*period && g.past[last].refused:
			found = doomAsk
		case length >= refusals*period && g.nothingNew(period):
			found = doomRefuse
		}
		if found > worst {
			worst, detail = found, fmt.Sprintf("%s came %d times in a row", what, length/period)
		}
	}
	return worst, detail
}

// repeating is how many of the last calls, with this one, repeat with the period;
// the first cycle counts.
func (g *doomGuard) repeating(key [sha256.Size]byte, period int) int {
	at := func(i int) [sha256.Size]byte {
		if i == len(g.past) {
			return key
		}
		return g.past[i].call
	}
	length := period
	for i := len(g.past); i-period >= 0 && at(i) == at(i-period); i-- {
		length++
	}
	return length
}

// nothingNew says that the last two cycles had the same results.
func (g *doomGuard) nothingNew(period int) bool {
	for i := len(g.past) - period; i < len(g.past); i++ {
		one, other := g.past[i], g.past[i-period]
		if !one.known || !other.known || one.result != other.result {
			return false
		}
	}
	return true
}

// took notes a call that was judged.
func (g *doomGuard) took(call message.Call, refused bool) {
	const kept = longestCycle * questions
	if len(g.past) == kept {
		g.past = append(g.past[:0], g.past[1:]...)
	}
	g.past = append(g.past, pastCall{call: sha256.Sum256([]byte(call.Canonical())), refused: refused})
}

// came notes what the calls of a round came to, those that were taken note of.
func (g *doomGuard) came(calls []*pendingCall) {
	at := len(g.past) - 1
	for i := len(calls) - 1; i >= 0 && at >= 0; i, at = i-1, at-1 {
		g.past[at].result, g.past[at].known = sha256.Sum256([]byte(calls[i].part.Tool.Seen())), !g.past[at].refused
	}
}

// reset forgets what repeated: a person said to go on.
func (g *doomGuard) reset() { g.past, g.failed = nil, 0 }

// checkDoom has the guard judge a call. A refused one gets a result that says so; the
// ending is that of a person who says to stop, or cannot be asked (SPEC DOOM-02).
func (r *run) checkDoom(c *pendingCall) (ending, bool) {
	// What a reply asks for twice at once is no answer to what came back.
	same := func(before *pendingCall) bool { return before.call.Canonical() == c.call.Canonical() }
	if r.Limits.NoDoom || r.Tools.Polls(c.call) || slices.ContainsFunc(r.judged, same) {
		return ending{}, false
	}
	verdict, detail := r.doom.judge(c.call)
	if verdict == doomAsk {
		if e, over := r.guard(message.GuardDoomLoop, detail); over {
			if e.reason == message.ReasonDoomLoop {
				c.fault = &message.ToolError{Code: message.DoomLoop, Message: detail + "; the run was stopped and it was not run"}
			}
			return e, true
		}
		r.doom.reset()
	}
	if verdict == doomRefuse {
		r.Publish(event.GuardWarning{Kind: message.GuardDoomLoop, Detail: detail})
		c.fault = &message.ToolError{Code: message.DoomLoop, Message: detail +
			" with the same result, so it was not run again; do something else, or answer with what you have"}
	}
	r.doom.took(c.call, verdict == doomRefuse)
	r.judged = append(r.judged, c)
	return ending{}, false
}

// allFailed asks whether to go on after several rounds in which every call failed
// (SPEC DOOM-03).
func (r *run) allFailed(round []message.CallRecord) (ending, bool) {
	r.doom.failed++
	if slices.ContainsFunc(round, func(c message.CallRecord) bool { return !failed(c) }) {
		r.doom.failed = 0
	}
	if r.Limits.NoDoom || r.doom.failed < failedRounds {
		return ending{}, false
	}
	e, over := r.guard(message.GuardAllFailed, fmt.Sprintf("every call failed in %d rounds in a row", r.doom.failed))
	r.doom.reset()
	return e, over
}
