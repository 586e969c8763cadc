package agent

import (
	"crypto/sha256"

	"fairlead/backend/message"
)

// Calls repeat in cycles of at most longestCycle. The refuseAt-th repetition is
// refused when it can bring nothing new, the askAt-th is asked about whatever it
// brings (SPEC DOOM-01, DOOM-02).
const (
	longestCycle = 4
	refuseAt     = 3
	askAt        = 5
)

// callRepeats finds calls that repeat over a whole run. The zero value has seen none.
type callRepeats struct {
	// past are the last calls, oldest first: as many as the longest cycle needs.
	past []pastCall
}

// pastCall is a call that was seen.
type pastCall struct {
	call, result [sha256.Size]byte
	// known is set once the result is known, refused where the call was not run.
	known, refused bool
}

// repeatVerdict is what to do with a call.
type repeatVerdict int

// The verdicts.
const (
	// repeatFresh is a call that does not repeat, or may bring something new.
	repeatFresh repeatVerdict = iota
	// repeatRefuse is one that brought the same result each time.
	repeatRefuse
	// repeatAsk is one that the user should decide about.
	repeatAsk
)

// judgeCall returns what to do with a call that is to run next, and what repeats.
func (g *callRepeats) judgeCall(call message.Call) (repeatVerdict, message.Guard) {
	key := sha256.Sum256([]byte(call.Canonical()))
	worst, guard := repeatFresh, message.Guard{Kind: message.GuardDoomLoop}
	for period := 1; period <= longestCycle; period++ {
		length := g.repeatLength(key, period)
		found := repeatFresh
		switch last := len(g.past) - period; {
		case length >= askAt*period, length >= refuseAt*period && g.past[last].refused:
			found = repeatAsk
		case length >= refuseAt*period && g.nothingNew(period):
			found = repeatRefuse
		}
		if found > worst {
			worst, guard.Data = found, message.GuardData{ToolName: call.Name, Calls: period, Times: length / period}
		}
	}
	return worst, guard
}

// repeatLength is how many of the last calls, with this one, repeat with the period;
// the first cycle counts.
func (g *callRepeats) repeatLength(key [sha256.Size]byte, period int) int {
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

// nothingNew reports whether each call of the cycle had the same result the last two times
// that it has one: those of the round under way are not known yet.
func (g *callRepeats) nothingNew(period int) bool {
	for slot := len(g.past) - period; slot < len(g.past); slot++ {
		var known []pastCall
		for i := slot; i >= 0 && len(known) < 2; i -= period {
			if g.past[i].known {
				known = append(known, g.past[i])
			}
		}
		if len(known) < 2 || known[0].result != known[1].result {
			return false
		}
	}
	return true
}

// addCall notes a call that was judged.
func (g *callRepeats) addCall(call message.Call, refused bool) {
	const kept = longestCycle * askAt
	if len(g.past) == kept {
		g.past = append(g.past[:0], g.past[1:]...)
	}
	g.past = append(g.past, pastCall{call: sha256.Sum256([]byte(call.Canonical())), refused: refused})
}

// setResults sets the results of the calls that were added last, as the model reads them.
func (g *callRepeats) setResults(results []string) {
	at := len(g.past) - 1
	for i := len(results) - 1; i >= 0 && at >= 0; i, at = i-1, at-1 {
		g.past[at].result, g.past[at].known = sha256.Sum256([]byte(results[i])), !g.past[at].refused
	}
}

// forgetCalls forgets everything: the user said to go on.
func (g *callRepeats) forgetCalls() { g.past = nil }
