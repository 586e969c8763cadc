package store

import (
	"fmt"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// lostMessages stands in a history where messages are missing, from a number on.
func lostMessages(sessionID string, from, count int64, at time.Time) message.Message {
	id := fmt.Sprintf("%s-lost-%d", sessionID, from)
	words := "A message is missing here"
	if count > 1 {
		words = fmt.Sprintf("%d messages are missing here", count)
	}
	return message.Message{
		ID: id, SessionID: sessionID, Role: message.User, Synthetic: true, CreatedAt: at,
		Parts: []message.Part{lostPart(sessionID, id, id, words)},
	}
}

// lostPart stands in a message where something is lost. The model is shown it, and so is
// the user.
func lostPart(sessionID, messageID, id, words string) message.Part {
	return message.Part{
		ID: id, SessionID: sessionID, MessageID: messageID, Type: message.TextPart, Synthetic: true, Lost: true,
		Text: words + ": the file in which the conversation is saved was damaged.",
	}
}

// lostEvent stands for an event that cannot be read. One that ended its run still does.
func lostEvent(run Run, seq int64, kind event.Type) event.Data {
	if (event.Event{Type: kind}).Terminal() {
		return lostEnd(run.Reason)
	}
	return event.RecordGap{From: seq, Reason: event.GapUnreadable}
}

// lostEnd stands for the last event of a run that ended so.
func lostEnd(reason message.Reason) event.Data {
	const lost = "the end of this run is lost: the file in which the conversation is saved was damaged"
	switch reason {
	case message.ReasonCompleted, message.ReasonMaxSteps, message.ReasonInterrupted:
		return event.LifecycleEnd{Reason: reason, Warning: lost}
	}
	return event.LifecycleError{Reason: reason, Code: message.CodeStorage, Message: lost, Data: &message.FailData{Cause: message.FailLost}}
}
