package agent

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// stillModel lets the process stand still for a minute in its first attempt.
type stillModel struct {
	clock    *clock
	attempts int
}

func (m *stillModel) Stream(ctx context.Context, _ llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	m.attempts++
	receive(llm.Delta{Kind: llm.TextDelta, Text: "Hello."})
	if m.attempts == 1 {
		m.clock.freeze(time.Minute)
		<-ctx.Done()
		return llm.Reply{Text: "Hello."}, context.Cause(ctx)
	}
	return llm.Reply{Text: "Hello.", Finish: llm.FinishStop}, nil
}

func TestLOOP07_AStreamIsDroppedAndRetriedAfterAStandstill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &stillModel{}
		var discarded []string
		r := newRun(t.Context(), Input{
			Mode: Single, Model: model, Log: slog.New(slog.DiscardHandler),
			Limits: Limits{MaxSteps: 1, Run: 30 * time.Second, Silence: 30 * time.Second, Attempts: 2},
			Redact: func(s string) string { return s },
			NewID:  func() string { return "id" },
			Jitter: func() time.Duration { return 0 },

			AddMessage: func(message.Message) {},
			Publish: func(data event.Data) {
				if retry, ok := data.(event.LLMRetry); ok {
					discarded = retry.Discard
				}
			},
		})
		defer r.release()
		model.clock = r.clock
		result := r.finish(r.loop())
		if result.Reason != message.ReasonCompleted || model.attempts != 2 || len(discarded) != 1 {
			t.Errorf("%s after %d attempts, discarded %v: %v", result.Reason, model.attempts, discarded, result.Err)
		}
	})
}
