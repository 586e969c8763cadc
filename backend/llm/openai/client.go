// Package openai reaches any endpoint that speaks OpenAI's chat completions, and
// makes a llm.Model of it. Package wire has already made the stream plain and the
// errors typed; what is left here is the meaning: history becomes messages
// (history.go), pieces of calls become calls (assembler.go), and what a model
// wrote as arguments becomes a JSON object or is refused (arguments.go).
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
)

// minKey is the length, in bytes, from which a key is taken out of texts. Local
// servers are given words like "ollama" as keys, which may stand anywhere.
const minKey = 16

// Config says which endpoint and which model to use.
type Config struct {
	// BaseURL is the endpoint up to, and without, /chat/completions.
	BaseURL string
	// APIKey is sent as a bearer token; empty sends none.
	APIKey string
	// Model is the model's name as the endpoint knows it.
	Model string
	// EchoReasoning sends the reasoning of messages with tool calls back as
	// reasoning_content. Some providers demand it, others refuse it.
	EchoReasoning bool
	// Transport carries the requests; nil means wire.NewBase.
	Transport http.RoundTripper
	// Redact takes known secrets, APIKey among them, out of the texts of a request
	// and of errors; nil takes out APIKey alone. It may neither change
	// nor keep the bytes it is given.
	Redact func([]byte) []byte
}

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct {
	model         string
	echoReasoning bool
	redact        func([]byte) []byte
	api           *api.Client
	wire          *wire.Transport
}

var _ llm.Model = (*Client)(nil)

// New returns a client. It fails when the base URL or the model is no use.
func New(config Config) (*Client, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, errors.New("open model: the base URL must begin with http:// or https:// and name a host")
	}
	if config.Model == "" {
		return nil, errors.New("open model: no model is named")
	}
	transport := &wire.Transport{Base: config.Transport, Redact: config.redact}
	if transport.Base == nil {
		transport.Base = wire.NewBase()
	}
	settings := api.DefaultConfig(config.APIKey)
	settings.BaseURL = config.BaseURL
	settings.HTTPClient = &http.Client{Transport: transport}
	return &Client{
		model:         config.Model,
		echoReasoning: config.EchoReasoning,
		redact:        config.redact,
		api:           api.NewClientWithConfig(settings),
		wire:          transport,
	}, nil
}

func (c Config) redact(text []byte) []byte {
	if c.Redact != nil {
		return c.Redact(text)
	}
	if key := []byte(c.APIKey); len(key) >= minKey && bytes.Contains(text, key) {
		text = bytes.ReplaceAll(text, key, []byte("[API key]"))
	}
	return text
}

// Traffic returns how many bytes of bodies were sent and received so far.
func (c *Client) Traffic() (up, down int64) { return c.wire.Traffic() }

// Stream implements llm.Model.
func (c *Client) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	sent := wire.WithActivity(ctx, func() { receive(llm.Delta{Kind: llm.Activity}) })
	stream, err := c.api.CreateChatCompletionStream(sent, c.request(req))
	if err != nil {
		return llm.Reply{}, unsent(ctx, err)
	}
	defer stream.Close()
	var answer answer
	for {
		chunk, err := stream.Recv()
		if err == io.EOF {
			return answer.reply()
		}
		if err != nil {
			return answer.partial(), unread(ctx, err)
		}
		answer.add(chunk, receive)
	}
}

// typed returns what package wire made of a failure, or the context's cause.
func typed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *llm.Error
	if errors.As(err, &known) {
		return known
	}
	return nil
}

// unsent is the error of a request that got no answer.
func unsent(ctx context.Context, err error) error {
	if known := typed(ctx, err); known != nil {
		return known
	}
	var marshal *json.MarshalerError
	if errors.As(err, &marshal) {
		return &llm.Error{Class: llm.Internal, Message: "write the request: " + err.Error(), Err: err}
	}
	// The client library knows some models that chat completions cannot drive.
	return &llm.Error{Class: llm.BadRequest, Message: err.Error(), Hint: "choose another model", Err: err}
}

// unread is the error of an answer that broke. All that package wire does not
// find is a chunk that is no JSON.
func unread(ctx context.Context, err error) error {
	if known := typed(ctx, err); known != nil {
		return known
	}
	return &llm.Error{Class: llm.Malformed, Message: fmt.Sprintf("the stream holds a chunk that cannot be read: %v", err), Err: err}
}
