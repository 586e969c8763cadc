package agent

import "fairlead/backend/message"

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
	if e, over := r.checkUse(&r.tokens, float64(r.Limits.Budget), tokens, message.BudgetTokens); over {
		return e, true
	}
	return r.checkUse(&r.dollars, r.Limits.BudgetUSD, r.Price.Cost(r.usage), message.BudgetDollars)
}

func (r *run) checkUse(g *budgetGuard, budget, used float64, unit message.BudgetUnit) (ending, bool) {
	if budget == 0 {
		return ending{}, false
	}
	if g.granted == 0 {
		g.granted = budget
	}
	guard := message.Guard{Kind: message.GuardBudget, Data: message.GuardData{Used: used, Most: g.granted, Unit: unit}}
	if used < g.granted {
		if !g.warned && used >= g.granted*budgetWarning/100 {
			g.warned = true
			r.warnOf(guard)
		}
		return ending{}, false
	}
	if e, over := r.askGuard(guard); over {
		return r.endHalted(e), true
	}
	g.warned = false
	for g.granted <= used {
		g.granted += budget
	}
	return ending{}, false
}
