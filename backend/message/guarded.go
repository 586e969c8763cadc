package message

import (
	"fmt"
	"strings"
)

// Guard is a guard that has stepped in, with what it measured.
type Guard struct {
	Kind GuardKind `json:"kind"`
	// Data are the details that belong to Kind.
	Data GuardData `json:"data"`
}

// GuardData are the details of a guard, for programs.
type GuardData struct {
	// ToolName is the tool of the call that repeats, Calls how many calls repeat together,
	// 1 for one alone, and Times how often they came in a row: of GuardDoomLoop.
	ToolName string `json:"toolName,omitempty"`
	Calls    int    `json:"calls,omitempty"`
	Times    int    `json:"times,omitempty"`
	// Rounds is in how many rounds in a row every call failed: of GuardAllFailed.
	Rounds int `json:"rounds,omitempty"`
	// Used is what was used of a budget of Most, in Unit: of GuardBudget.
	Used float64    `json:"used,omitempty"`
	Most float64    `json:"most,omitempty"`
	Unit BudgetUnit `json:"unit,omitempty"`
	// MaxSteps is the limit that was reached: of GuardMaxSteps.
	MaxSteps int `json:"maxSteps,omitempty"`
	// Bytes is after how many bytes of the same words a reply was cut: of GuardRepeats.
	Bytes int `json:"bytes,omitempty"`
}

// BudgetUnit is what a budget counts.
type BudgetUnit string

// The units.
const (
	BudgetTokens  BudgetUnit = "tokens"
	BudgetDollars BudgetUnit = "usd"
)

// String is what the guard measured in English, without a full stop: for the model, the
// terminal, the log and readers of the events.
func (g Guard) String() string {
	d := g.Data
	switch g.Kind {
	case GuardDoomLoop:
		what := fmt.Sprintf("the same call of %s", d.ToolName)
		if d.Calls > 1 {
			what = fmt.Sprintf("the same %d calls, the last one of %s,", d.Calls, d.ToolName)
		}
		return fmt.Sprintf("%s came %d times in a row", what, d.Times)
	case GuardAllFailed:
		return fmt.Sprintf("every call failed in %d rounds in a row", d.Rounds)
	case GuardBudget:
		if d.Unit == BudgetDollars {
			return fmt.Sprintf("$%.4f of $%.4f are used", d.Used, d.Most)
		}
		return fmt.Sprintf("%.0f of %.0f tokens are used", d.Used, d.Most)
	case GuardMaxSteps:
		return fmt.Sprintf("step limit of %d reached", d.MaxSteps)
	case GuardRepeats:
		return fmt.Sprintf("the reply repeats the same words over and over, and was cut after %d bytes of them", d.Bytes)
	case GuardLeaked:
		return "the model wrote a call into its text that cannot be read, and nothing was carried out"
	}
	return string(g.Kind)
}

// JoinGuards is what guards have measured in one line of English; empty for none.
func JoinGuards(guards []Guard) string {
	sentences := make([]string, len(guards))
	for i, guard := range guards {
		sentences[i] = guard.String()
	}
	return strings.Join(sentences, "; ")
}
