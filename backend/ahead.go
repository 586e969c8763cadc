package backend

import (
	"context"
	"net/http/httptrace"
	"sync"

	"fairlead/backend/llm"
)

// ahead finds out how far commands can be confined while a model thinks of its first
// answer: before that it would take time from what the request waits for.
type ahead struct {
	inspect func()

	mu            sync.Mutex
	begun, closed bool
	done          sync.WaitGroup
}

// beginOnce begins to look, once.
func (a *ahead) beginOnce() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.begun && !a.closed {
		a.begun = true
		a.done.Go(a.inspect)
	}
}

// close waits for the end of what was begun; nothing begins any more.
func (a *ahead) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.done.Wait()
}

// watchedModel calls sent when a request to it is on its way.
type watchedModel struct {
	llm.Model
	sent func()
}

// Stream implements llm.Model.
func (m *watchedModel) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { m.sent() }})
	return m.Model.Stream(ctx, req, receive)
}
