package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// stats are the figures of --stats. Times are in milliseconds, sizes in bytes.
type stats struct {
	Steps int `json:"steps"`
	// TotalMs is the whole run; ToolMs is when a tool ran, PersonMs when a person
	// was waited for, and OwnMs what is left of it beside these and the model.
	TotalMs  float64 `json:"totalMs"`
	ModelMs  float64 `json:"modelMs"`
	ToolMs   float64 `json:"toolMs"`
	PersonMs float64 `json:"personMs"`
	OwnMs    float64 `json:"ownMs"`
	// FirstTokenMs is from the start of the run to the first piece of a reply;
	// absent when none came.
	FirstTokenMs int64         `json:"firstTokenMs,omitempty"`
	BytesUp      int64         `json:"bytesUp"`
	BytesDown    int64         `json:"bytesDown"`
	Usage        message.Usage `json:"usage"`
	PeakMemory   int64         `json:"peakMemory"`
}

func writeStats(out io.Writer, run *session.Run, up, down int64) error {
	result := run.Wait()
	total := result.EndedAt.Sub(result.StartedAt)
	// Tools and questions can overlap, so what is left may come out below zero.
	own := max(total-result.Times.Model-result.Times.Tools-result.Times.Person, 0)
	line, err := json.Marshal(stats{
		Steps: result.Steps, TotalMs: ms(total), ModelMs: ms(result.Times.Model), ToolMs: ms(result.Times.Tools),
		PersonMs: ms(result.Times.Person), OwnMs: ms(own), FirstTokenMs: firstToken(run.Events),
		BytesUp: up, BytesDown: down, Usage: result.Usage, PeakMemory: peakMemory(),
	})
	if err != nil {
		return fmt.Errorf("write stats: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s\n", line)
	return err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// firstToken is read from the events of a run that has ended.
func firstToken(stream *event.Stream) int64 {
	events, err := stream.After(context.Background(), 0)
	if err != nil {
		return 0
	}
	for _, e := range events {
		if e.Type == event.TypeAssistantDelta || e.Type == event.TypeReasoningDelta {
			return e.TS - events[0].TS
		}
	}
	return 0
}
