package agent

import (
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// budgetWarning is the part of the budget, in percent, at which the user is warned.
const budgetWarning = 80

// budgetGuard keeps a run within the tokens or the money it may use.
type budgetGuard struct {
	// granted is what the run may use by now; 0 before the first check.
	granted float64
	warned  bool
}

// checkBudget warns when most of a budget is used, and asks when all of it is.
// A user who says to go on grants as much again.
func (r *run) checkBudget() (ending, bool) {
	tokens := float64(r.usage.Prompt + r.usage.Completion)
	if e, over := r.checkUse(&r.tokens, float64(r.Limits.Budget), tokens, "%.0f of %.0f tokens are used"); over {
		return e, true
	}
	return r.checkUse(&r.dollars, r.Limits.BudgetUSD, r.Price.Cost(r.usage), "$%.4f of $%.4f are used")
}

func (r *run) checkUse(g *budgetGuard, budget, used float64, words string) (ending, bool) {
	if budget == 0 {
		return ending{}, false
	}
	if g.granted == 0 {
		g.granted = budget
	}
	detail := fmt.Sprintf(words, used, g.granted)
	if used < g.granted {
		if !g.warned && used >= g.granted*budgetWarning/100 {
			g.warned = true
			r.Publish(event.GuardWarning{Kind: message.GuardBudget, Detail: detail})
		}
		return ending{}, false
	}
	if e, over := r.askGuard(message.GuardBudget, detail); over {
		return r.endHalted(e), true
	}
	g.warned = false
	for g.granted <= used {
		g.granted += budget
	}
	return ending{}, false
}
