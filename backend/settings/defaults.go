package settings

import (
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"time"
)

// defaults are the values of settings that nobody has set (SPEC §13), by flag
// name. Settings without one here have none.
var defaults = map[string]string{
	"approve":            "ask",
	"mode":               "react",
	"max-steps":          "50",
	"run-timeout":        "30m",
	"step-timeout":       "2m",
	"confirm-timeout":    "5m",
	"attempts":           "5",
	"parallel":           "8",
	"budget":             "0",
	"context-window":     "0",
	"max-output-tokens":  "0",
	"log-level":          "info",
	"stop-on-tool-error": "false",
	"no-doom":            "false",
	"no-compact":         "false",
	"continue-message":   "false",
	"model-titles":       "true",
}

// Defaults returns the default values by flag name.
func Defaults() map[string]string { return maps.Clone(defaults) }

// Variable returns the environment variable for the flag with that name.
func Variable(flag string) string {
	return "FAIRLEAD_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Value returns what the environment gives for the flag with that name, what the
// file gives, or the default; empty when there is none. A value of the environment
// out of the setting's range is passed over: the command line, which has flags, is
// where it is reported.
func (f File) Value(flag string) string {
	if value, ok := os.LookupEnv(Variable(flag)); ok && Check(flag, value) == nil {
		return plainValue(flag, value)
	}
	if value, ok := f.Lookup(flag); ok {
		return value
	}
	return defaults[flag]
}

// Limits are the limits of runs, where no flag gives others.
type Limits struct {
	// MaxSteps counts tool rounds, Attempts the tries of a model call, Parallel the
	// calls that run side by side.
	MaxSteps, Attempts, Parallel int
	// Budget is how many tokens a run may use; 0 is any number.
	Budget int
	// BudgetUSD is how much money a run may cost, in US dollars, where prices are
	// known; 0 is any sum.
	BudgetUSD float64
	// ContextWindow is how many tokens the model takes at once; 0 is what is known
	// of the model.
	ContextWindow int
	// Run, Step and Confirm are the time of a whole run, how long the model may
	// stay silent, and how long a question waits.
	Run, Step, Confirm time.Duration
	// Tool is the time of every tool call; 0 leaves each tool its own.
	Tool time.Duration
	// StopOnToolError ends a run after a round with a failed call.
	StopOnToolError bool
	// NoDoom lets calls repeat without end (SPEC DOOM-05).
	NoDoom bool
	// NoCompact ends a run whose conversation becomes too long, which is summarised
	// else.
	NoCompact bool
	// ContinueMessage asks the model after every round to go on (SPEC CTX-03).
	ContinueMessage bool
}

// Limits reads the limits from the environment and the file, with the defaults for
// what neither says.
func (f File) Limits() (Limits, error) {
	var limits Limits
	for flag, number := range map[string]*int{
		"max-steps": &limits.MaxSteps, "attempts": &limits.Attempts, "parallel": &limits.Parallel,
		"budget": &limits.Budget, "context-window": &limits.ContextWindow,
	} {
		value, err := strconv.Atoi(f.Value(flag))
		if err != nil {
			return Limits{}, fmt.Errorf("read setting %s: %w", flag, err)
		}
		*number = value
	}
	if text := f.Value("budget-usd"); text != "" {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return Limits{}, fmt.Errorf("read setting budget-usd: %w", err)
		}
		limits.BudgetUSD = value
	}
	for flag, length := range map[string]*time.Duration{
		"run-timeout": &limits.Run, "step-timeout": &limits.Step, "confirm-timeout": &limits.Confirm, "tool-timeout": &limits.Tool,
	} {
		text := f.Value(flag)
		if text == "" {
			continue
		}
		value, err := time.ParseDuration(text)
		if err != nil {
			return Limits{}, fmt.Errorf("read setting %s: %w", flag, err)
		}
		*length = value
	}
	for flag, on := range map[string]*bool{
		"stop-on-tool-error": &limits.StopOnToolError, "no-doom": &limits.NoDoom,
		"no-compact": &limits.NoCompact, "continue-message": &limits.ContinueMessage,
	} {
		*on = f.Value(flag) == "true"
	}
	return limits, nil
}
