// Package approve is the gate that every call passes which changes something:
// it lets a call through by the mode the user chose, or asks and waits for a
// decision on exactly the arguments shown.
package approve

import "fairlead/backend/message"

// Mode says which calls are asked about.
type Mode string

// The modes (SPEC HITL-07).
const (
	// Ask asks about file changes and commands.
	Ask Mode = "ask"
	// Preview runs commands in a copy of the folder without asking, and asks about what they
	// have changed there. Where there is no copy, and about file changes, it asks before.
	Preview Mode = "preview"
	// Draft lets all that runs do in a draft pass, but the network. Outside of a draft it asks
	// as Ask does.
	Draft Mode = "draft"
	// Writes lets file changes pass, but not of files that other programs run by
	// themselves, and asks about commands.
	Writes Mode = "writes"
	// All lets everything pass but the network, which is asked about in every mode
	// (SPEC SEC-02).
	All Mode = "all"
	// None refuses everything that would be asked about.
	None Mode = "none"
)

// verdict is what the mode says about a call by itself; "" means ask.
func (m Mode) verdict(question message.Question) message.Verdict {
	preview := question.Preview
	switch {
	case m == None:
		return message.Reject
	case question.Kind == message.QuestionOutput:
		return ""
	case preview.Effect == message.EffectNetwork, question.Kind == message.QuestionChanges && preview.HasHeld():
		return ""
	case m == All, m == Writes && preview.Effect == message.EffectFiles && preview.Autorun == "":
		return message.Approve
	case m == Draft && preview.Draft && (preview.Effect == message.EffectFiles || preview.Effect == message.EffectCommand):
		return message.Approve
	case m == Preview && preview.Effect == message.EffectCommand && preview.Copied:
		return message.Approve
	}
	return ""
}
