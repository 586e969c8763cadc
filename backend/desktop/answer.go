package desktop

import (
	"encoding/json"

	"fairlead/backend/message"
)

// Answer is a person's answer to a question about a call.
type Answer struct {
	RunID  string `json:"runId"`
	CallID string `json:"callId"`
	// Decision is approve, reject or modify.
	Decision message.Verdict `json:"decision"`
	// Arguments is the JSON object of a modify, as text.
	Arguments string `json:"arguments,omitempty"`
	// Reason of a reject is for the model.
	Reason string `json:"reason,omitempty"`
	// Stop ends the run after a reject.
	Stop bool `json:"stop,omitempty"`
	// Hash names the question that was shown; the answer holds for no other one.
	Hash string `json:"hash"`
}

// Answered says that an answer counted.
type Answered struct {
	CallID string `json:"callId"`
}

// Confirm answers the question about a call. Without the hash of what was shown
// it is refused: a second click must not answer the question that follows.
func (w *Window) Confirm(answer Answer) (Answered, error) {
	if answer.Hash == "" {
		return Answered{}, &message.Refusal{Code: message.InvalidParams, Message: "an answer needs the hash of its question"}
	}
	decision := message.Decision{
		Verdict: answer.Decision, By: message.ByUser, Reason: answer.Reason, Stop: answer.Stop, Hash: answer.Hash,
	}
	if answer.Decision == message.Modify {
		decision.Arguments = json.RawMessage(answer.Arguments)
	}
	return Answered{answer.CallID}, w.elsewhere(answer.RunID, w.backend.Desk.Confirm(answer.RunID, answer.CallID, decision))
}
