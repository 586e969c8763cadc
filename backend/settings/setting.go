// Package settings holds what is set for good: the settings file, the folders where
// state lives, what the window remembers, and the log.
package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is the TOML type of a setting's value.
type kind string

const (
	text     kind = "text in quotes"
	whole    kind = "a whole number"
	number   kind = "a number"
	boolean  kind = "true or false"
	duration kind = `a duration in quotes, such as "90s"`
)

// setting is one key of the settings file.
type setting struct {
	key  string
	kind kind
	// check refuses a value outside the setting's range; nil accepts every value.
	check func(value string) error
	// flag is the command line's name for it; empty means the key with hyphens.
	flag string
	// inverted says that the flag means the opposite of the key.
	inverted bool
	// refused are values that the file must not have although the flag takes
	// them, with the reason.
	refused map[string]string
}

// longest bounds every duration: a day.
const longest = 24 * time.Hour

// maxInstructions bounds the user's own instructions, in bytes: every request to
// a model carries them.
const maxInstructions = 16 << 10

// maxMemory bounds the memory that commands may be given, in MiB: what no computer has.
const maxMemory = 1 << 30

var all = []setting{
	{key: "provider", kind: text},
	{key: "base_url", kind: text},
	{key: "model", kind: text},
	{key: "api_key_env", kind: text, check: variableName},
	{key: "mode", kind: text, check: oneOf("react", "single")},
	{
		key: "approve", kind: text, check: oneOf("ask", "writes", "all", "none"),
		// A command that runs with the user's rights could write this line.
		refused: map[string]string{"all": "all is given for one run only, with --approve all"},
	},
	{key: "dialog", kind: text, check: oneOf("always", "background", "never")},
	{key: "log_level", kind: text, check: oneOf("debug", "info", "warn", "error")},
	{key: "max_steps", kind: whole, check: checkBetween(1, 500)},
	{key: "attempts", kind: whole, check: checkBetween(1, 20)},
	{key: "parallel", kind: whole, check: checkBetween(1, 64)},
	{key: "budget", kind: whole, check: checkBetween(0, 1_000_000_000)},
	{key: "context_window", kind: whole, check: checkBetween(0, maxWindow)},
	{key: "run_timeout", kind: duration, check: checkDuration},
	{key: "step_timeout", kind: duration, check: checkDuration},
	{key: "tool_timeout", kind: duration, check: checkDuration},
	{key: "confirm_timeout", kind: duration, check: checkDuration},
	{key: "model_titles", kind: boolean, check: checkTruth},
	{key: "continue_on_error", kind: boolean, check: checkTruth, flag: "stop-on-tool-error", inverted: true},
	{key: "doom_detection", kind: boolean, check: checkTruth, flag: "no-doom", inverted: true},
	{key: "compaction", kind: boolean, check: checkTruth, flag: "no-compact", inverted: true},
	{key: "continue_message", kind: boolean, check: checkTruth},
	{key: "instructions", kind: text, check: atMost(maxInstructions)},
	{key: "reasoning_effort", kind: text, check: oneOf("off", "low", "medium", "high")},
	{key: "max_output_tokens", kind: whole, check: checkBetween(0, 1_000_000)},
	{key: "temperature", kind: number, check: checkWithin(0, 2)},
	{key: "budget_usd", kind: number, check: checkWithin(0.001, 1_000_000)},
	{key: "proxy", kind: text, check: proxyAddress},
	{key: "ca_file", kind: text, check: fullPath},
	{key: "readable_folders", kind: text, check: fullPaths},
	{key: "command_memory", kind: whole, check: checkEither("0", checkBetween(64, maxMemory))},
}

// Check reports whether value is in the range of the flag with that name: the same
// range as in the settings file. A flag that is no setting has none.
func Check(flag, value string) error {
	s, ok := byFlag(flag)
	if !ok || s.check == nil {
		return nil
	}
	return s.check(value)
}

// plainValue writes a value that Check takes as the defaults are written, where there
// are several words for it.
func plainValue(flag, value string) string {
	if s, ok := byFlag(flag); ok && s.kind == boolean {
		return strconv.FormatBool(truths[strings.ToLower(value)])
	}
	return value
}

func byFlag(flag string) (setting, bool) {
	i := slices.IndexFunc(all, func(s setting) bool { return s.flagName() == flag })
	if i < 0 {
		return setting{}, false
	}
	return all[i], true
}

func (s setting) flagName() string {
	if s.flag != "" {
		return s.flag
	}
	return strings.ReplaceAll(s.key, "_", "-")
}

// parse turns the file's value into the one its flag would be given.
func (s setting) parse(value any) (string, error) {
	written, ok := s.kind.write(value)
	if !ok {
		return "", fmt.Errorf("%s must be %s", s.key, s.kind)
	}
	if why, ok := s.refused[written]; ok {
		return "", fmt.Errorf("%s cannot be %q here: %s", s.key, written, why)
	}
	if s.check != nil {
		if err := s.check(written); err != nil {
			return "", fmt.Errorf("%s %w", s.key, err)
		}
	}
	if s.inverted {
		return strconv.FormatBool(written == "false"), nil
	}
	return written, nil
}

func (k kind) write(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v), k == text || k == duration
	case int64:
		return strconv.FormatInt(v, 10), k == whole || k == number
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), k == number
	case bool:
		return strconv.FormatBool(v), k == boolean
	default:
		return "", false
	}
}

func oneOf(words ...string) func(string) error {
	return func(value string) error {
		if slices.Contains(words, value) {
			return nil
		}
		return fmt.Errorf("must be one of %s, not %q", strings.Join(words, ", "), value)
	}
}

// truths are the words that the command line takes for true and false.
var truths = map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false}

func checkTruth(value string) error {
	if _, ok := truths[strings.ToLower(value)]; ok {
		return nil
	}
	return fmt.Errorf("must be true or false, not %q", value)
}

func checkBetween(low, high int) func(string) error {
	return func(value string) error {
		number, err := strconv.Atoi(value)
		if err != nil || number < low || number > high {
			return fmt.Errorf("must be a whole number from %d to %d, not %s", low, high, value)
		}
		return nil
	}
}

// checkEither accepts one value beside those of a range.
func checkEither(word string, check func(string) error) func(string) error {
	return func(value string) error {
		if value == word {
			return nil
		}
		if err := check(value); err != nil {
			return fmt.Errorf("%w, or %s", err, word)
		}
		return nil
	}
}

// checkWithin is a range of numbers that need not be whole.
func checkWithin(low, high float64) func(string) error {
	return func(value string) error {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(number) || number < low || number > high {
			return fmt.Errorf("must be a number from %g to %.0f, not %q", low, high, value)
		}
		return nil
	}
}

func checkDuration(value string) error {
	length, err := time.ParseDuration(value)
	if err != nil || length <= 0 || length > longest {
		return fmt.Errorf("must be a duration up to 24h, such as 90s or 5m, not %q", value)
	}
	return nil
}

func atMost(size int) func(string) error {
	return func(value string) error {
		if len(value) > size {
			return fmt.Errorf("must have at most %d bytes, not %d", size, len(value))
		}
		return nil
	}
}

// variableName keeps a key that was put where its variable's name belongs from
// being taken for one, and from being shown.
func variableName(value string) error {
	for i, r := range value {
		letter := r == '_' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return fmt.Errorf("must be the name of an environment variable, not a key")
		}
	}
	return nil
}
