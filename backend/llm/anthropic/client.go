// Package anthropic reaches endpoints that speak Anthropic's Messages, and makes a
// llm.Model of them.
//
//  1. request.go  writes a request, history.go its messages, cache.go marks what the
//     provider is to keep in its cache
//  2. lessons.go  learns from a refusal what the endpoint does not take
//  3. answer.go   gathers the answer from the events of event.go
package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// version is the one of the protocol that the provider is told; there is no newer one.
const version = "2023-06-01"

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct {
	config protocol.Config
	wire   *wire.Transport
	// how is how requests are written: as configured, with what was learned since.
	how *protocol.Learner[sending]
}

var _ llm.Model = (*Client)(nil)

// New returns a client. It fails when the base URL or the model is no use.
func New(config protocol.Config) (*Client, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	how := sending{effort: config.Effort, efforts: config.Dialect.Efforts, maxTokens: mostTokens}
	if config.MaxTokens > 0 {
		how.maxTokens = config.MaxTokens
	}
	return &Client{config: config, wire: config.NewTransport(), how: protocol.NewLearner(how, lessons, teachEfforts, config)}, nil
}

// Traffic returns how many bytes of bodies were sent and received so far.
func (c *Client) Traffic() (up, down int64) { return c.wire.Traffic() }

// Stream implements llm.Model. A request that is refused for a field is sent again
// without it, before anything of an answer came.
func (c *Client) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	for {
		sent := c.how.Current()
		if going := sent.sentEffort(); going != c.config.Effort {
			receive(llm.Delta{Kind: llm.RequestWeakened, Weakened: message.Weakened{
				What: message.WeakEffort, Asked: string(c.config.Effort), Sent: string(going),
			}})
		}
		reply, err := c.send(ctx, req, sent, receive)
		if err == nil || !c.how.LearnFrom(sent, err) {
			return reply, err
		}
	}
}

// send makes one request.
func (c *Client) send(ctx context.Context, req llm.Request, sent sending, receive func(llm.Delta)) (llm.Reply, error) {
	heard := wire.WithActivity(ctx, func() { receive(llm.Delta{Kind: llm.Activity}) })
	request, err := c.newHTTPRequest(heard, req, sent)
	if err != nil {
		return llm.Reply{}, protocol.UnsentError(ctx, err)
	}
	events, err := c.wire.Stream(request)
	if err != nil {
		return llm.Reply{}, protocol.UnsentError(ctx, err)
	}
	defer events.Close()
	answer := &answer{Reply: protocol.Reply{Receive: receive}}
	for {
		data, err := events.Next()
		if err == io.EOF {
			return answer.wholeReply() // the reason to end may have come all the same
		}
		if err != nil {
			return answer.partialReply(), protocol.UnreadError(ctx, err)
		}
		ended, err := answer.add(data, events)
		if err != nil {
			return answer.partialReply(), protocol.UnreadError(ctx, err)
		}
		if ended {
			events.End()
			return answer.wholeReply()
		}
	}
}

// newHTTPRequest writes a request. But for the marks of the cache, the same history
// always gives the same bytes.
func (c *Client) newHTTPRequest(ctx context.Context, req llm.Request, sent sending) (*http.Request, error) {
	body, err := json.Marshal(c.newRequest(req, sent))
	if err != nil {
		return nil, err
	}
	if body, err = protocol.WithMembers(body, c.config.Body); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.BaseURL+llm.Messages.Path(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Anthropic-Version", version)
	if c.config.APIKey != "" {
		request.Header.Set("X-Api-Key", c.config.APIKey)
	}
	return request, nil
}
