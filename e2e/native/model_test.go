//go:build e2e

package native

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead/backend/llm/llmtest"
)

// model is a scripted model at an address on loopback.
type model struct {
	*llmtest.Server

	t   *testing.T
	url string
	// asked has a value for each chat request that came.
	asked chan struct{}
}

func startModel(t *testing.T, script string) *model {
	t.Helper()
	m := &model{Server: llmtest.Script(script), t: t, asked: make(chan struct{}, 100)}
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			m.asked <- struct{}{}
		}
		m.ServeHTTP(w, r)
	}))
	m.url = listening.URL + "/v1"
	t.Cleanup(func() {
		listening.CloseClientConnections() // a model that hangs is let go
		listening.Close()
		for _, fault := range m.Faults() {
			t.Errorf("the model was sent: %s", fault)
		}
	})
	return m
}

// sent is the text of the last message of the n-th request, counted from 1.
func (m *model) sent(n int) string {
	m.t.Helper()
	requests := m.Requests()
	if len(requests) < n {
		m.t.Fatalf("the model was asked %d times, not %d", len(requests), n)
	}
	messages := requests[n-1].Chat.Messages
	return messages[len(messages)-1].Text()
}

// task is the task that the n-th request ends with, without what the model is told
// of the surroundings.
func (m *model) task(n int) string {
	m.t.Helper()
	task, _, _ := strings.Cut(m.sent(n), "\n\n<surroundings>\n")
	return task
}
