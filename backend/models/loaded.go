package models

import (
	"context"
	"sync/atomic"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
)

const (
	// loadedTime is how long a server on this computer may take to say what window its
	// model is loaded with, and loadTime how long it may take to load the model. After that
	// the first request waits for it, which has limits of its own.
	loadedTime = 500 * time.Millisecond
	loadTime   = time.Minute
)

// loadedModel is a model on this computer. Its server is asked for the window before each
// run, and after its first reply where it did not know it before: the model is loaded then.
type loadedModel struct {
	llm.Model
	config protocol.Config
	server string
	// asked says that a reply is no reason to ask.
	asked atomic.Bool
}

// askWindow asks, before a run, for how many tokens the server has loaded the model, which it loads where it
// has not yet and can be told to; 0 where it does not say.
func (m *loadedModel) askWindow(ctx context.Context) int {
	window := m.readWindow(ctx)
	if window == 0 {
		loading, stop := context.WithTimeout(ctx, loadTime)
		defer stop()
		if openai.Load(loading, m.config, m.server) {
			window = m.readWindow(ctx)
		}
	}
	m.asked.Store(window > 0)
	return window
}

func (m *loadedModel) readWindow(ctx context.Context) int {
	limited, stop := context.WithTimeout(ctx, loadedTime)
	defer stop()
	return openai.LoadedWindow(limited, m.config, m.server)
}

// Stream implements llm.Model.
func (m *loadedModel) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	reply, err := m.Model.Stream(ctx, req, receive)
	if err == nil && m.asked.CompareAndSwap(false, true) {
		reply.Window = m.readWindow(ctx)
	}
	return reply, err
}
