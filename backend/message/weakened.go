package message

import (
	"fmt"
	"slices"
)

// Weakened is what of a request goes out weaker than it was asked for (SPEC MOD-05).
type Weakened struct {
	What WeakenedPart
	// Asked is what was asked for, and Sent what goes out in its place; empty for nothing.
	Asked, Sent string
}

// WeakenedPart is a part of a request.
type WeakenedPart string

// The parts that can be weaker.
const (
	// WeakEffort is the effort: it is lower, or left to the model.
	WeakEffort WeakenedPart = "effort"
	// WeakSchema are the schemas of the tools, without some of their keywords.
	WeakSchema WeakenedPart = "schema"
	// WeakProtocol is the protocol, in place of which the provider wants another.
	WeakProtocol WeakenedPart = "protocol"
)

// String says it in English.
func (w Weakened) String() string {
	switch w.What {
	case WeakEffort:
		return fmt.Sprintf("reasoning effort: %s in place of %s, because the model does not take that here", effortName(w.Sent), effortName(w.Asked))
	case WeakSchema:
		return "the tools are described more simply, because the provider refused their schemas"
	case WeakProtocol:
		return fmt.Sprintf("the model is asked over %s in place of %s, as its provider wants it", w.Sent, w.Asked)
	}
	return fmt.Sprintf("the request is weaker than asked: %s", w.What)
}

func effortName(effort string) string {
	if effort == "" {
		return "the model's own"
	}
	return effort
}

// WeakenedParts are those that were told of a run.
type WeakenedParts []Weakened

// AddOnce adds one, and reports whether it was not there before.
func (p *WeakenedParts) AddOnce(w Weakened) bool {
	if slices.Contains(*p, w) {
		return false
	}
	*p = append(*p, w)
	return true
}
