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

// stats are the figures of --stats, of all runs of the process together. Times are in
// milliseconds, sizes in bytes.
type stats struct {
	Steps int `json:"steps"`
	// TotalMs is the runs' whole time; ToolMs is when a tool ran, UserMs when the user
	// was waited for, and OwnMs what is left of it beside these and the model.
	TotalMs float64 `json:"totalMs"`
	ModelMs float64 `json:"modelMs"`
	ToolMs  float64 `json:"toolMs"`
	UserMs  float64 `json:"userMs"`
	OwnMs   float64 `json:"ownMs"`
	// FirstTokenMs is from the start of the first run to its first piece of a reply;
	// absent when none came.
	FirstTokenMs int64         `json:"firstTokenMs,omitempty"`
	BytesUp      int64         `json:"bytesUp"`
	BytesDown    int64         `json:"bytesDown"`
	Usage        message.Usage `json:"usage"`
	PeakMemory   int64         `json:"peakMemory"`
}

func writeStats(out io.Writer, runs []*session.Run, up, down int64) error {
	all := stats{FirstTokenMs: firstToken(runs[0].Events), BytesUp: up, BytesDown: down, PeakMemory: peakMemory()}
	for _, run := range runs {
		result := run.Wait()
		total := result.EndedAt.Sub(result.StartedAt)
		all.Steps += result.Steps
		all.TotalMs += inMilliseconds(total)
		all.ModelMs += inMilliseconds(result.Times.Model)
		all.ToolMs += inMilliseconds(result.Times.Tools)
		all.UserMs += inMilliseconds(result.Times.User)
		// Tools and questions can overlap, so what is left may come out below zero.
		all.OwnMs += inMilliseconds(max(total-result.Times.Model-result.Times.Tools-result.Times.User, 0))
		all.Usage = all.Usage.Add(result.Usage)
	}
	line, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("write stats: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s\n", line)
	return err
}

func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// firstToken is read from the events of a run that has ended.
func firstToken(stream *event.Stream) int64 {
	events, err := stream.Since(context.Background(), 0)
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
