package settings

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"fairlead/backend/message"
)

// Default returns the value of the option with that key that nobody has set (SPEC §13);
// empty where there is none.
func Default(key string) string { return optionOf(key).Default }

// Variable returns the environment variable for a flag, or for the key of an option
// without one.
func Variable(name string) string {
	return "FAIRLEAD_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Value returns, for the option with that key, what flags give, what the environment
// gives, what the file gives, or the default; empty when there is none. A value of the
// environment out of the option's range is passed over: the command line, which has flags,
// is where it is reported.
func (f File) Value(key string) string { return f.valueOf(optionOf(key)) }

func (f File) valueOf(o Option) string {
	value, _ := f.find(o)
	return value
}

// find returns the value of an option and where it comes from.
func (f File) find(o Option) (string, Origin) {
	if value, ok := f.flags[o.Key]; ok {
		return value, FromFlag
	}
	if value, ok := os.LookupEnv(o.Variable()); ok && o.Check(value) == nil {
		return o.FromFlag(value), FromVariable
	}
	if value, ok := f.values[o.Key]; ok {
		return value, FromFile
	}
	return o.Default, FromDefault
}

// Limits are the limits of runs.
func (f File) Limits() (message.Limits, error) {
	var limits message.Limits
	for _, o := range options {
		if o.limit == nil {
			continue
		}
		if err := decode(f.valueOf(o), o.limit(&limits)); err != nil {
			return message.Limits{}, fmt.Errorf("read setting %s: %w", o.Key, err)
		}
	}
	return limits, nil
}

// decode puts a value where it goes; an empty one leaves that as it is.
func decode(value string, into any) (err error) {
	if value == "" {
		return nil
	}
	switch into := into.(type) {
	case *string:
		*into = value
	case *int:
		*into, err = parseWhole(value)
	case *float64:
		*into, err = strconv.ParseFloat(value, 64)
	case **float64:
		*into = new(float64)
		**into, err = strconv.ParseFloat(value, 64)
	case *time.Duration:
		*into, err = time.ParseDuration(value)
	case *bool:
		*into = value == "true"
	default:
		return fmt.Errorf("there is no value of type %T", into)
	}
	return err
}
