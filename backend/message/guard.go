package message

// GuardKind says which guard of the loop stepped in.
type GuardKind string

// The guards.
const (
	// GuardDoomLoop is the same call again and again, without anything new.
	GuardDoomLoop GuardKind = "doom_loop"
	// GuardAllFailed is several rounds in a row in which every call failed.
	GuardAllFailed GuardKind = "all_failed"
	// GuardBudget is the tokens that a run may use.
	GuardBudget GuardKind = "budget"
	// GuardMaxSteps is the tool rounds that a run may take. It never asks.
	GuardMaxSteps GuardKind = "max_steps"
	// GuardRepeats is a reply that repeats its words over and over. It never asks.
	GuardRepeats GuardKind = "repeats"
	// GuardLeaked is a reply with a call in its text that cannot be read. It never asks.
	GuardLeaked GuardKind = "leaked"
)

// GuardVerdict is what was decided about a run that a guard has paused.
type GuardVerdict string

// The verdicts.
const (
	GuardContinue GuardVerdict = "continue"
	GuardStop     GuardVerdict = "stop"
)

// GuardDecision is the answer to a guard's question.
type GuardDecision struct {
	Verdict GuardVerdict
	// By is the user; the mode where nobody can be asked; the timeout, or the cancel
	// of the run.
	By Decider
}
