package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fairlead/backend/event"
)

// writer writes the events of a run as they come.
type writer interface {
	// write takes the next events. An error means that nobody reads any more.
	write(events []event.Event) error
}

// follow writes a run's events until its last one, at the reader's own pace: the
// run never waits for it. It reports what was still unread when ctx ended.
func follow(ctx context.Context, stream *event.Stream, out writer) error {
	var seq int64
	for {
		events, err := stream.After(ctx, seq)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow run: %w", err)
		}
		if err := out.write(events); err != nil {
			return fmt.Errorf("write output: %w", err)
		}
		seq += int64(len(events))
	}
}

// jsonl writes an event a line and nothing else.
type jsonl struct {
	out    io.Writer
	asking asking
}

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
			j.asking(milestone(question.CallID, question.ExpiresAt))
		case event.GuardRequest:
			j.asking(milestone(question.GuardID, question.ExpiresAt))
		}
	}
	return nil
}
