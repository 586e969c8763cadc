// Package approve is the gate that every call passes which changes something:
// it lets a call through by the mode the person chose, or asks and waits for a
// decision on exactly the arguments shown.
package approve

import "fairlead/backend/message"

// Mode says which calls are asked about.
type Mode string

// The modes (SPEC HITL-07).
const (
	// Ask asks about file changes and commands.
	Ask Mode = "ask"
	// Writes lets file changes pass and asks about commands.
	Writes Mode = "writes"
	// All lets everything pass.
	All Mode = "all"
	// None refuses everything that would be asked about.
	None Mode = "none"
)

// verdict is what the mode says about an effect by itself; "" means ask.
func (m Mode) verdict(effect message.Effect) message.Verdict {
	switch {
	case m == All, m == Writes && effect == message.EffectFiles:
		return message.Approve
	case m == None:
		return message.Reject
	}
	return ""
}
