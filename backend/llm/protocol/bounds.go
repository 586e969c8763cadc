package protocol

import (
	"fmt"

	"fairlead/backend/llm"
)

// The most that a reply may hold beside llm.MaxText (SPEC SEC-11): far more than honest ones do,
// and little enough that a provider without end fills no memory. Sizes are in bytes.
const (
	MaxCalls = 128
	// MaxArguments is for one call, MaxAllArguments for all of a reply.
	MaxArguments    = 9 << 20
	MaxAllArguments = 16 << 20
	// MaxCallName is for the name of one call; no provider lets a tool have a longer one.
	MaxCallName = 1 << 10
	// MaxDetails is for the reasoning in the provider's own form, which has each piece of
	// it among names.
	MaxDetails = 16 << 20
)

// TooLarge is the error of a reply that exceeds one of the bounds: what is too large,
// and the most there may be of it.
func TooLarge(what string, most any, unit string) error {
	return &llm.Error{
		Class:   llm.TooLarge,
		Message: fmt.Sprintf("the reply has %s than %v %s, the most that is taken, and was dropped", what, most, unit),
		Hint:    "ask for less in one step, or use another model",
	}
}
