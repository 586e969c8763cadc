// Package event holds what a run tells the world: the envelope, one payload type
// for each event type, and the stream that numbers, coalesces and keeps them.
// Events are the only way out of the loop; window, command line and tests read
// the same ones.
package event

// Type names what happened.
type Type string

// Event is one thing that happened in a run.
type Event struct {
	// Seq counts the events of a run from 1 without gaps.
	Seq int64 `json:"seq"`
	// RunID and SessionID say whose event it is.
	RunID     string `json:"runId"`
	SessionID string `json:"sessionId"`
	// TS is when it happened, in milliseconds since 1970-01-01 UTC.
	TS int64 `json:"ts"`
	// Type names the payload in Data.
	Type Type `json:"type"`
	// Data is the payload.
	Data Data `json:"data"`
}

// Data is the payload of one event.
type Data interface {
	// EventType is the type the payload belongs to.
	EventType() Type
}

// Terminal says that nothing follows this event.
func (e Event) Terminal() bool {
	return e.Type == TypeLifecycleEnd || e.Type == TypeLifecycleError
}
