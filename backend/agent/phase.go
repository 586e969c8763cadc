package agent

import "slices"

// phase is what a run is at.
type phase string

// The phases; the package comment has the table of what may follow what.
const (
	phaseCheck   phase = "check"
	phaseGuard   phase = "guard"
	phaseCompact phase = "compact"
	phaseAsk     phase = "ask"
	phaseWait    phase = "wait"
	phaseJudge   phase = "judge"
	phaseAct     phase = "act"
	phaseEnd     phase = "end"
)

// next are the phases that may follow each.
var next = map[phase][]phase{
	phaseCheck:   {phaseGuard, phaseCompact, phaseAsk, phaseEnd},
	phaseGuard:   {phaseCheck, phaseAct, phaseEnd},
	phaseCompact: {phaseWait, phaseAsk, phaseEnd},
	phaseAsk:     {phaseWait, phaseCompact, phaseJudge, phaseEnd},
	phaseWait:    {phaseAsk, phaseCompact, phaseEnd},
	phaseJudge:   {phaseCheck, phaseAct, phaseEnd},
	phaseAct:     {phaseGuard, phaseCheck, phaseEnd},
	phaseEnd:     {},
}

// enterPhase moves the run on. A move that the table does not have is a fault of this
// package; it is logged, because the run itself can go on.
func (r *run) enterPhase(to phase) {
	if r.phase != to && r.phase != "" && !slices.Contains(next[r.phase], to) {
		r.Log.Error("impossible move of a run", "run", r.RunID, "from", r.phase, "to", to)
	}
	r.phase = to
}
