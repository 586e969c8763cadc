package agent

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// stillModel lets the process stand still for a minute in its first attempt.
type stillModel struct {
	stood    atomic.Int64
	attempts int
}

func (m *stillModel) Stream(ctx context.Context, _ llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	m.attempts++
	receive(llm.Delta{Kind: llm.TextDelta, Text: "Hello."})
	if m.attempts == 1 {
		m.stood.Store(int64(time.Minute))
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
			Limits:  message.Limits{MaxSteps: 1, RunTimeout: 30 * time.Second, StepTimeout: 30 * time.Second, Attempts: 2},
			Redact:  func(s string) string { return s },
			Control: &Control{}, Prompts: func() []message.Prompt { return nil },
			Parts:  NewParts(func(s string) int { return len(s) / 4 }, nil, nil),
			Now:    func() time.Time { return time.Now().Add(time.Duration(model.stood.Load())) },
			NewID:  func() string { return "id" },
			Jitter: func() time.Duration { return 0 },

			AddMessage: func(message.Message) {},
			Publish: func(data event.Data) {
				if retry, ok := data.(event.LLMRetry); ok {
					discarded = retry.Discard
				}
			},
		})
		defer r.releaseAll()
		result := r.publishEnd(r.loop())
		if result.Reason != message.ReasonCompleted || model.attempts != 2 || len(discarded) != 1 {
			t.Errorf("%s after %d attempts, discarded %v: %v", result.Reason, model.attempts, discarded, result.Err)
		}
	})
}

func TestLOOP13_AnEndedRunLooksAtNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		r := newRun(t.Context(), Input{Mode: Single, Limits: message.Limits{RunTimeout: time.Hour}, Control: &Control{}, Now: func() time.Time {
			looks.Add(1)
			return time.Now()
		}})
		r.releaseAll()
		before := looks.Load()
		<-time.After(2 * time.Hour)
		if after := looks.Load(); after != before {
			t.Errorf("looked at the clock %d times after the end", after-before)
		}
	})
}
