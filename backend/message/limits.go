package message

import "time"

// Limits bound a run and say what it does where one is reached. Their names are those of
// the settings.
type Limits struct {
	// MaxSteps is the number of rounds with tools.
	MaxSteps int
	// RunTimeout is the time of the whole run, without waiting for the user.
	RunTimeout time.Duration
	// StepTimeout is how long the model may send nothing of its reply; several times as
	// long while it gives signs of life.
	StepTimeout time.Duration
	// ToolTimeout is the time of every tool call; 0 leaves each tool its own.
	ToolTimeout time.Duration
	// ConfirmTimeout is how long a question waits for the user.
	ConfirmTimeout time.Duration
	// Attempts is the number of tries of one model call, at least 1.
	Attempts int
	// Parallel is the number of calls that run side by side; 1 means all calls of a reply
	// run in call order.
	Parallel int
	// Budget is the tokens that a run may use before it asks, and BudgetUSD the money;
	// 0 is no limit.
	Budget    int
	BudgetUSD float64
	// ContextWindow is how many tokens the model takes at once; 0 is what is known of it.
	ContextWindow int
	// ContinueOnError lets a run go on after a round in which a call failed.
	ContinueOnError bool
	// DoomDetection notices calls and words that repeat without end.
	DoomDetection bool
	// Compaction leaves out and sums up what was said where it becomes too long for the
	// model.
	Compaction bool
	// ContinueMessage tells the model after each round to go on with its task.
	ContinueMessage bool
}
