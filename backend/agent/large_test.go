package agent_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"fairlead/backend/agent"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// modelFunc is a model made of a function, which is given the number of the request.
type modelFunc func(request int) (llm.Reply, error)

// counted is a model that counts what it is asked.
type counted struct {
	answer   modelFunc
	requests int
}

func (m *counted) Stream(_ context.Context, _ llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	m.requests++
	reply, err := m.answer(m.requests)
	receive(llm.Delta{Kind: llm.TextDelta, Text: reply.Text})
	return reply, err
}

func TestSEC11_WhatIsTooLargeIsDroppedAndNotRetried(t *testing.T) {
	half := strings.Repeat("0123456789", llm.MaxText/10*6/10)
	for name, test := range map[string]struct {
		answer   modelFunc
		requests int
	}{
		"a reply": {func(int) (llm.Reply, error) {
			return llm.Reply{Text: half}, &llm.Error{Class: llm.TooLarge, Message: "too large"}
		}, 1},
		"an answer in pieces": {func(int) (llm.Reply, error) {
			return llm.Reply{Text: half, Finish: llm.FinishLength}, nil
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, "text never asked", nil)
				model := &counted{answer: test.answer}
				f.Model = model
				result := agent.Run(t.Context(), f.Input)
				if result.Reason != message.ReasonError || result.Err.Code != message.CodeTooLarge || result.Content != "" {
					t.Errorf("it ended %s: %+v, with %d bytes", result.Reason, result.Err, len(result.Content))
				}
				kept := 0
				for _, m := range result.Messages {
					kept += len(m.Text())
				}
				if model.requests != test.requests || kept > llm.MaxText*2 || test.requests == 1 && kept > 1000 {
					t.Errorf("%d requests, %d bytes kept", model.requests, kept)
				}
			})
		})
	}
}
