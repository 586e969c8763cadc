package models

import (
	"context"
	"sync/atomic"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
)

// loadedTime is how long a server on this computer may take to say what window its
// model was loaded with.
const loadedTime = 500 * time.Millisecond

// loadedModel is a model on this computer. With its first reply, when it is surely
// loaded, its server is asked for its window.
type loadedModel struct {
	llm.Model
	config protocol.Config
	server string
	asked  atomic.Bool
}

// Stream implements llm.Model.
func (m *loadedModel) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	reply, err := m.Model.Stream(ctx, req, receive)
	if err == nil && m.asked.CompareAndSwap(false, true) {
		limited, stop := context.WithTimeout(ctx, loadedTime)
		defer stop()
		reply.Window = openai.LoadedWindow(limited, m.config, m.server)
	}
	return reply, err
}
