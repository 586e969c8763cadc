// Package openai reaches any endpoint that speaks OpenAI's chat completions, and
// makes a llm.Model of it. Package wire has already made the stream plain and the
// errors typed, and package protocol has what all protocols share; what is left here is
// the meaning, in the dialect of the endpoint:
//
//  1. request.go    writes a request, history.go its messages, schema.go the schemas of
//     tools
//  2. lessons.go    learns from a refusal what the endpoint does not take
//  3. answer.go     gathers the answer
//  4. assembler.go  puts pieces of calls together
package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
)

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct {
	config  protocol.Config
	api     *api.Client
	wire    *wire.Transport
	schemas sync.Map // plain schemas by their original

	// how is how requests are written: as configured, with what was learned since.
	how *protocol.Learner[sending]
}

var _ llm.Model = (*Client)(nil)

// New returns a client. It fails when the base URL or the model is no use.
func New(config protocol.Config) (*Client, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	transport := config.NewTransport()
	settings := api.DefaultConfig(config.APIKey)
	settings.BaseURL = config.BaseURL
	settings.HTTPClient = &http.Client{Transport: transport}
	return &Client{
		config: config, api: api.NewClientWithConfig(settings), wire: transport,
		how: protocol.NewLearner(sending{config.Dialect, config.Effort}, lessons, teachEfforts, config),
	}, nil
}

// Traffic returns how many bytes of bodies were sent and received so far.
func (c *Client) Traffic() (up, down int64) { return c.wire.Traffic() }

// Stream implements llm.Model. A request that is refused for a field or a form is
// sent again without it, before anything of an answer came (lessons.go).
func (c *Client) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	for {
		sent := c.how.Current()
		for _, weakened := range c.weakenedParts(req, sent) {
			receive(llm.Delta{Kind: llm.RequestWeakened, Weakened: weakened})
		}
		reply, err := c.send(ctx, req, sent, receive)
		if err == nil || c.changesProtocol(err) || !c.how.LearnFrom(sent, err) {
			return reply, err
		}
	}
}

// changesProtocol reports whether a refusal is to be answered by another protocol.
func (c *Client) changesProtocol(err error) bool {
	failure, ok := errors.AsType[*llm.Error](err)
	return ok && failure.Protocol != "" && failure.Protocol != llm.ChatCompletions && c.config.Changes
}

// send makes one request.
func (c *Client) send(ctx context.Context, req llm.Request, sent sending, receive func(llm.Delta)) (llm.Reply, error) {
	fields := &wire.Fields{}
	heard := wire.WithActivity(wire.WithFields(ctx, fields), func() { receive(llm.Delta{Kind: llm.Activity}) })
	stream, err := c.api.CreateChatCompletionStream(heard, c.newRequest(req, sent, fields))
	if err != nil {
		return llm.Reply{}, protocol.UnsentError(ctx, err)
	}
	defer stream.Close()
	answer := newAnswer(req.Tools, sent.dialect, fields, receive)
	for {
		chunk, err := stream.Recv()
		if err == io.EOF {
			return answer.wholeReply()
		}
		if err != nil {
			return answer.partialReply(), protocol.UnreadError(ctx, err)
		}
		if err := answer.add(chunk); err != nil {
			return answer.broken(err)
		}
	}
}
