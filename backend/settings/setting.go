// Package settings holds what is set for good: the settings file, the folders where
// state lives, what the window remembers, and the log.
package settings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairlead/backend/message"
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

// Option is one setting. It has one name, its key, and means the same by it everywhere;
// only a flag, and the environment variable that goes with it, may mean the opposite.
type Option struct {
	Key string
	// Flag is the command line's name for it, without the dashes; empty where it has none.
	Flag string
	// Inverted reports that the flag means the opposite of the key.
	Inverted bool
	// Default is the value where nothing gives one; empty for none.
	Default string
	// Help is what the command line and docs/settings.md say about it, where ${default}
	// stands for the default, and Placeholder stands for the value of the flag.
	Help, Placeholder string

	kind kind
	// bounds are the range of its values; the zero bounds hold every value.
	bounds bounds
	// refused are values that the file must not have although the flag takes
	// them, with the reason.
	refused map[string]string
	// limit and call return where the value goes, a pointer; nil for other options.
	limit func(*message.Limits) any
	call  func(*Calls) any
}

// bounds are a range of values: in words, and what refuses a value outside of it.
type bounds struct {
	words string
	check func(value string) error
	// choices are all values, where they are words.
	choices []string
	// low and high are the least and the greatest value, where they are numbers.
	low, high float64
}

// The ranges that several options have.
var (
	durations = bounds{words: "up to 24h, such as 90s or 5m", check: checkDuration}
	switches  = bounds{words: "true or false", check: checkTruth}
	variables = bounds{words: "the name of a variable", check: variableName}
)

// longest bounds every duration: a day.
const longest = 24 * time.Hour

// maxInstructions bounds the user's own instructions, in bytes: every request to
// a model carries them.
const maxInstructions = 16 << 10

// maxMemory bounds the memory that commands may be given, in MiB: what no computer has.
const maxMemory = 1 << 30

// Options are all settings but those in tables, in the order in which they are shown.
func Options() []Option { return options }

// optionOf returns the option with that key. The keys are constants of this program.
func optionOf(key string) Option {
	i := slices.IndexFunc(options, func(o Option) bool { return o.Key == key })
	if i < 0 {
		panic("settings: there is no option " + key)
	}
	return options[i]
}

// Check returns why value, of the file or with the sense of the key, is not in the range
// of the option with that key; nil where it is.
func Check(key, value string) error { return optionOf(key).Check(value) }

// Check returns why value is not in the range of the option; nil where it is.
func (o Option) Check(value string) error {
	if o.bounds.check == nil {
		return nil
	}
	return o.bounds.check(value)
}

// Range says in a few words which values the option takes; empty where it takes any.
func (o Option) Range() string { return o.bounds.words }

// IsBool reports whether the option is switched on and off.
func (o Option) IsBool() bool { return o.kind == boolean }

// Variable returns the environment variable of the option.
func (o Option) Variable() string { return Variable(cmp.Or(o.Flag, o.Key)) }

// FromFlag returns what a value of the flag or of the variable, in range, means for the
// key.
func (o Option) FromFlag(value string) string {
	if o.kind != boolean {
		return value
	}
	return strconv.FormatBool(truths[strings.ToLower(value)] != o.Inverted)
}

// parse returns the file's value as text.
func (o Option) parse(value any) (string, error) {
	written, ok := o.kind.write(value)
	if !ok {
		return "", fmt.Errorf("%s must be %s", o.Key, o.kind)
	}
	if why, ok := o.refused[written]; ok {
		return "", fmt.Errorf("%s cannot be %q here: %s", o.Key, written, why)
	}
	if err := o.Check(written); err != nil {
		return "", fmt.Errorf("%s %w", o.Key, err)
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

func oneOf(words ...string) bounds {
	all := strings.Join(words, ", ")
	return bounds{words: all, choices: words, check: func(value string) error {
		if slices.Contains(words, value) {
			return nil
		}
		return fmt.Errorf("must be one of %s, not %q", all, value)
	}}
}

// truths are the words that the command line takes for true and false.
var truths = map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false}

func checkTruth(value string) error {
	if _, ok := truths[strings.ToLower(value)]; ok {
		return nil
	}
	return fmt.Errorf("must be true or false, not %q", value)
}

// parseWhole reads a whole number as the command line and TOML write it: 2_000, 0xff.
func parseWhole(value string) (int, error) {
	number, err := strconv.ParseInt(value, 0, strconv.IntSize)
	return int(number), err
}

func intBounds(low, high int) bounds {
	return bounds{words: fmt.Sprintf("%d to %d", low, high), low: float64(low), high: float64(high), check: func(value string) error {
		number, err := parseWhole(value)
		if err != nil || number < low || number > high {
			return fmt.Errorf("must be a whole number from %d to %d, not %s", low, high, value)
		}
		return nil
	}}
}

// orWord adds one value to a range.
func (b bounds) orWord(word string) bounds {
	check := b.check
	b.words += " or " + word
	b.check = func(value string) error {
		if value == word {
			return nil
		}
		if err := check(value); err != nil {
			return fmt.Errorf("%w, or %s", err, word)
		}
		return nil
	}
	return b
}

// floatBounds is a range of numbers that need not be whole.
func floatBounds(low, high float64) bounds {
	return bounds{words: fmt.Sprintf("%g to %.0f", low, high), low: low, high: high, check: func(value string) error {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(number) || number < low || number > high {
			return fmt.Errorf("must be a number from %g to %.0f, not %q", low, high, value)
		}
		return nil
	}}
}

func checkDuration(value string) error {
	length, err := time.ParseDuration(value)
	if err != nil || length <= 0 || length > longest {
		return fmt.Errorf("must be a duration up to 24h, such as 90s or 5m, not %q", value)
	}
	return nil
}

func atMost(size int) bounds {
	return bounds{words: fmt.Sprintf("at most %d bytes", size), check: func(value string) error {
		if len(value) > size {
			return fmt.Errorf("must have at most %d bytes, not %d", size, len(value))
		}
		return nil
	}}
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
