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
	"log-level":          "info",
	"stop-on-tool-error": "false",
	"model-titles":       "true",
}

// Defaults returns the default values by flag name.
func Defaults() map[string]string { return maps.Clone(defaults) }

// Value returns what the environment gives for the flag with that name, what the
// file gives, or the default; empty when there is none. A value of the environment
// out of the setting's range is passed over: the command line, which has flags, is
// where it is reported.
func (f File) Value(flag string) string {
	variable := "FAIRLEAD_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	if value, ok := os.LookupEnv(variable); ok && Check(flag, value) == nil {
		return value
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
	// Run, Step and Confirm are the time of a whole run, how long the model may
	// stay silent, and how long a question waits.
	Run, Step, Confirm time.Duration
	// Tool is the time of every tool call; 0 leaves each tool its own.
	Tool time.Duration
	// StopOnToolError ends a run after a round with a failed call.
	StopOnToolError bool
}

// Limits reads the limits from the environment and the file, with the defaults for
// what neither says.
func (f File) Limits() (Limits, error) {
	var limits Limits
	for flag, number := range map[string]*int{
		"max-steps": &limits.MaxSteps, "attempts": &limits.Attempts, "parallel": &limits.Parallel,
	} {
		value, err := strconv.Atoi(f.Value(flag))
		if err != nil {
			return Limits{}, fmt.Errorf("read setting %s: %w", flag, err)
		}
		*number = value
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
	limits.StopOnToolError = f.Value("stop-on-tool-error") == "true"
	return limits, nil
}
