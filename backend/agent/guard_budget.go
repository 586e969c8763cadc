package agent

import (
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// budgetWarning is the part of the budget, in percent, at which a person is warned.
const budgetWarning = 80

// budgetGuard keeps a run within the tokens it may use.
type budgetGuard struct {
	// granted are the tokens that the run may use by now; 0 before the first check.
	granted int
	warned  bool
}

// checkBudget warns when most of the budget is used, and asks when all of it is.
// Whoever says to go on grants as much again.
func (r *run) checkBudget() (ending, bool) {
	g := &r.budget
	if r.Limits.Budget == 0 {
		return ending{}, false
	}
	if g.granted == 0 {
		g.granted = r.Limits.Budget
	}
	used := r.usage.Prompt + r.usage.Completion
	detail := fmt.Sprintf("%d of %d tokens are used", used, g.granted)
	if used < g.granted {
		if !g.warned && used >= g.granted*budgetWarning/100 {
			g.warned = true
			r.Publish(event.GuardWarning{Kind: message.GuardBudget, Detail: detail})
		}
		return ending{}, false
	}
	if e, over := r.guard(message.GuardBudget, detail); over {
		return r.halted(e), true
	}
	g.warned = false
	for g.granted <= used {
		g.granted += r.Limits.Budget
	}
	return ending{}, false
}
