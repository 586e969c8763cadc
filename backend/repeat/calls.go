// Package repeat finds what repeats without bringing anything new: calls of tools in a
// run, and words in a reply.
package repeat

import (
	"crypto/sha256"
	"fmt"

	"fairlead/backend/message"
)

// Calls repeat in cycles of at most longestCycle. The refusals-th repetition is
// refused when it can bring nothing new, the questions-th is asked about whatever it
// brings (SPEC DOOM-01, DOOM-02).
const (
	longestCycle = 4
	refusals     = 3
	questions    = 5
)

// Calls notices calls that repeat over a whole run. The zero Calls has seen none.
type Calls struct {
	// past are the last calls, oldest first: as many as the longest cycle needs.
	past []pastCall
}

// pastCall is a call that was seen.
type pastCall struct {
	call, result [sha256.Size]byte
	// known says that the result is known already; refused that the call was not run.
	known, refused bool
}

// Verdict says what to do with a call.
type Verdict int

// The verdicts.
const (
	// Fresh is a call that does not repeat, or may bring something new.
	Fresh Verdict = iota
	// Refuse is one that brought the same result each time.
	Refuse
	// Ask is one that a person should decide about.
	Ask
)

// Judge looks at a call that is to run next, and says in words what repeats.
func (g *Calls) Judge(call message.Call) (Verdict, string) {
	key := sha256.Sum256([]byte(call.Canonical()))
	worst, detail := Fresh, ""
	for period := 1; period <= longestCycle; period++ {
		length := g.repeating(key, period)
		what := fmt.Sprintf("the same call of %s", call.Name)
		if period > 1 {
			what = fmt.Sprintf("the same %d calls, the last one of %s,", period, call.Name)
		}
		found := Fresh
		switch last := len(g.past) - period; {
		case length >= questions*period, length >= refusals*period && g.past[last].refused:
			found = Ask
		case length >= refusals*period && g.nothingNew(period):
			found = Refuse
		}
		if found > worst {
			worst, detail = found, fmt.Sprintf("%s came %d times in a row", what, length/period)
		}
	}
	return worst, detail
}

// repeating is how many of the last calls, with this one, repeat with the period;
// the first cycle counts.
func (g *Calls) repeating(key [sha256.Size]byte, period int) int {
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

// nothingNew says that each call of the cycle had the same result the last two times
// that it has one: those of the round under way are not known yet.
func (g *Calls) nothingNew(period int) bool {
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

// Took notes a call that was judged.
func (g *Calls) Took(call message.Call, refused bool) {
	const kept = longestCycle * questions
	if len(g.past) == kept {
		g.past = append(g.past[:0], g.past[1:]...)
	}
	g.past = append(g.past, pastCall{call: sha256.Sum256([]byte(call.Canonical())), refused: refused})
}

// Came notes what the last calls that were taken note of came to, as the model reads
// it.
func (g *Calls) Came(results []string) {
	at := len(g.past) - 1
	for i := len(results) - 1; i >= 0 && at >= 0; i, at = i-1, at-1 {
		g.past[at].result, g.past[at].known = sha256.Sum256([]byte(results[i])), !g.past[at].refused
	}
}

// Reset forgets everything: a person said to go on.
func (g *Calls) Reset() { g.past = nil }
