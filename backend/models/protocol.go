package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"fairlead/backend/llm"
	"fairlead/backend/llm/anthropic"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/responses"
	"fairlead/backend/message"
)

// client asks a model over one protocol.
type client interface {
	llm.Model
	Traffic() (up, down int64)
}

func newClient(p llm.Protocol, config protocol.Config) (client, error) {
	switch p {
	case llm.Responses:
		return responses.New(config)
	case llm.Messages:
		return anthropic.New(config)
	}
	return openai.New(config)
}

// changingModel is a model that is asked over another protocol once a refusal names it, on
// the same address with the same key (SPEC MOD-01).
type changingModel struct {
	config protocol.Config

	mu sync.Mutex
	// current asks over protocol now; earlier ones may still be in use by other runs.
	current  client
	protocol llm.Protocol
	earlier  []client
	// answered is set once a request over the protocol succeeded, and final once the protocol
	// is not changed any more.
	answered, final bool
}

// newChangingModel returns the model of an endpoint.
func newChangingModel(endpoint catalog.Endpoint, config protocol.Config) (*changingModel, error) {
	config.Changes = true
	m := &changingModel{config: config, protocol: firstProtocol(endpoint, config.Lessons)}
	var err error
	m.current, err = newClient(m.protocol, config)
	return m, err
}

// firstProtocol is how an endpoint's model is asked at first: as the settings want it, else as
// an earlier refusal has named it, else as the catalog knows it.
func firstProtocol(endpoint catalog.Endpoint, lessons []string) llm.Protocol {
	p := endpoint.Protocol
	for _, lesson := range lessons {
		if learned, ok := strings.CutPrefix(lesson, protocolLesson); ok && endpoint.Provider.Protocol == "" {
			p = llm.Protocol(learned)
		}
	}
	return cmp.Or(p, llm.ChatCompletions)
}

// protocolLesson begins the name of what a refusal that names another protocol teaches.
const protocolLesson = "protocol "

// Stream implements llm.Model.
func (m *changingModel) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	for {
		asked, from := m.now()
		reply, err := asked.Stream(ctx, req, receive)
		to, err := m.judge(from, err)
		if err != nil || to == from {
			return reply, err
		}
		if m.config.Learned != nil {
			m.config.Learned(protocolLesson + string(to))
		}
		receive(llm.Delta{Kind: llm.RequestWeakened, Weakened: message.Weakened{
			What: message.WeakProtocol, Asked: string(from), Sent: string(to),
		}})
	}
}

// now is the client in use, with its protocol.
func (m *changingModel) now() (client, llm.Protocol) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.current, m.protocol
}

// judge takes how a request over a protocol ended, and returns the protocol to send it
// over again: the same where the error is to be returned.
func (m *changingModel) judge(from llm.Protocol, err error) (llm.Protocol, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	failure, _ := errors.AsType[*llm.Error](err)
	switch {
	case err == nil:
		m.answered = m.answered || from == m.protocol
		return from, nil
	case failure == nil:
		return from, err
	case from != m.protocol:
		if failure.Protocol == m.protocol {
			return m.protocol, nil // another run has changed it meanwhile
		}
		return from, err
	}
	to := from
	switch {
	case m.final:
	case from == llm.ChatCompletions && failure.Protocol != "":
		to = failure.Protocol
	case from != llm.ChatCompletions && !m.answered && isMissingPath(failure):
		// There is no such path: what else the refusal teaches has to do.
		to, m.final = llm.ChatCompletions, true
	}
	if to == from {
		return from, err
	}
	return to, m.change(to)
}

// isMissingPath reports whether an endpoint has nothing at an address. One that misses the
// model, or one that sees pictures, says so.
func isMissingPath(failure *llm.Error) bool {
	missing := failure.Status == http.StatusNotFound || failure.Status == http.StatusMethodNotAllowed
	return missing && !mentions(failure, []string{"model", "image"})
}

// change goes on over another protocol. The caller holds the lock.
func (m *changingModel) change(to llm.Protocol) error {
	config := m.config
	config.Changes = !m.final
	next, err := newClient(to, config)
	if err != nil {
		return fmt.Errorf("change the protocol: %w", err)
	}
	m.earlier = append(m.earlier, m.current)
	m.current, m.protocol, m.answered = next, to, false
	return nil
}

// Traffic counts the bytes of bodies sent and received over all protocols.
func (m *changingModel) Traffic() (up, down int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, each := range append([]client{m.current}, m.earlier...) {
		sent, received := each.Traffic()
		up, down = up+sent, down+received
	}
	return up, down
}
