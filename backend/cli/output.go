package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// writer writes the events of a run as they come.
type writer interface {
	// write takes the next events. An error means that nobody reads any more.
	write(events []event.Event) error
	// note writes a line that is none of the events, to standard error.
	note(line string)
}

// jsonl writes an event a line and nothing else.
type jsonl struct {
	out, err io.Writer
	asking   asking
}

func (j jsonl) note(line string) { fmt.Fprintln(j.err, message.Visible(line)) }

func (j jsonl) write(events []event.Event) error {
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("encode event %d: %w", e.Seq, err)
		}
		if _, err := j.out.Write(append(line, '\n')); err != nil {
			return err
		}
		switch question := e.Data.(type) {
		case event.ConfirmRequest:
			j.asking(milestoneOf(question.CallID, question.ExpiresAt))
		case event.GuardRequest:
			j.asking(milestoneOf(question.GuardID, question.ExpiresAt))
		}
	}
	return nil
}
