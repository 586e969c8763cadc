package desktop

import (
	"encoding/json"

	"fairlead/backend/message"
	"fairlead/backend/session"
)

// Answer is the user's answer to a question about a call.
type Answer struct {
	RunID  string `json:"runId"`
	CallID string `json:"callId"`
	// Decision is approve, reject or modify.
	Decision message.Verdict `json:"decision"`
	// Arguments is the JSON object of a modify, as text.
	Arguments string `json:"arguments,omitempty"`
	// Paths are those of the changes that an approve applies; all without them.
	Paths []string `json:"paths,omitempty"`
	// WithoutHunks has, by path, the headers of the parts that are left out of its text.
	WithoutHunks map[string][]string `json:"withoutHunks,omitempty"`
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
	if w.asksNatively() && answer.Decision != message.Reject && w.backend.Broker.AsksNetwork(answer.RunID, answer.CallID) {
		return Answered{}, &message.Refusal{
			Code: message.InvalidState, Message: "whether a command may have the network is answered in the system's dialog",
		}
	}
	decision := message.Decision{
		Verdict: answer.Decision, By: message.ByUser, Reason: answer.Reason, Stop: answer.Stop, Hash: answer.Hash,
		Chosen: message.Chosen{Paths: answer.Paths, WithoutHunks: answer.WithoutHunks},
	}
	if answer.Decision == message.Modify {
		decision.Arguments = json.RawMessage(answer.Arguments)
	}
	return Answered{answer.CallID}, w.explainMissing(answer.RunID, w.backend.Broker.Confirm(answer.RunID, answer.CallID, decision))
}

// GuardAnswer is the user's answer to the question of a guard.
type GuardAnswer struct {
	RunID   string `json:"runId"`
	GuardID string `json:"guardId"`
	// Decision is continue or stop.
	Decision message.GuardVerdict `json:"decision"`
}

// Decided says that an answer counted.
type Decided struct {
	GuardID string `json:"guardId"`
}

// Answer answers the question of a guard.
func (w *Window) Answer(answer GuardAnswer) (Decided, error) {
	return Decided{answer.GuardID}, w.explainMissing(answer.RunID, w.backend.Broker.Decide(answer.RunID, answer.GuardID, answer.Decision))
}

// Interrupt has a run stop before its next model call.
func (w *Window) Interrupt(runID, text string) (session.Interrupted, error) {
	interrupted, err := w.backend.Sessions.InterruptRun(runID, text)
	return interrupted, w.explainMissing(runID, err)
}
