// Package openai reaches any endpoint that speaks OpenAI's chat completions, and
// makes a llm.Model of it. Package wire has already made the stream plain and the
// errors typed; what is left here is the meaning, in the dialect of the endpoint:
//
//  1. request.go    writes a request, history.go its messages, ids.go the ids of
//     calls, schema.go the schemas of tools
//  2. lessons.go    learns from a refusal what the endpoint does not take
//  3. answer.go     gathers the answer; content.go finds the reasoning in its text
//  4. assembler.go  puts pieces of calls together, arguments.go makes a JSON object
//     of what a model wrote as arguments, or refuses it
//  5. written.go    finds the calls that a model wrote into its text
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
	"sync"

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
	// Header is sent with every request beside what the protocol wants.
	Header http.Header
	// Model is the model's name as the endpoint knows it.
	Model string
	// Dialect is what the endpoint and the model want of a request.
	Dialect llm.Dialect
	// Body are fields for every chat request that the protocol does not know, or
	// other values for those it does.
	Body map[string]json.RawMessage
	// Effort is how much the model should reason.
	Effort llm.Effort
	// MaxTokens bounds a reply, in tokens; 0 leaves it to the endpoint.
	MaxTokens int
	// Temperature is how freely the model chooses its words, from 0; nil leaves it to
	// the endpoint.
	Temperature *float64
	// Transport carries the requests; nil means wire.NewBase.
	Transport http.RoundTripper
	// Redact takes known secrets, APIKey among them, out of the texts of a request
	// and of errors; nil takes out APIKey alone. It may neither change
	// nor keep the bytes it is given.
	Redact func([]byte) []byte
}

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct {
	config  Config
	redact  func([]byte) []byte
	api     *api.Client
	wire    *wire.Transport
	schemas sync.Map // plain schemas by their original

	mu sync.Mutex
	// how is how requests are written: as configured, with what was learned since.
	how     sending
	learned map[int]bool
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
	transport := config.newTransport()
	settings := api.DefaultConfig(config.APIKey)
	settings.BaseURL = config.BaseURL
	settings.HTTPClient = &http.Client{Transport: transport}
	return &Client{
		config: config, redact: config.redactText, how: sending{config.Dialect, config.Effort}, learned: map[int]bool{},
		api: api.NewClientWithConfig(settings), wire: transport,
	}, nil
}

func (c Config) newTransport() *wire.Transport {
	transport := &wire.Transport{Base: c.Transport, Header: c.Header, Redact: c.redactText}
	if transport.Base == nil {
		transport.Base = wire.NewBase(wire.Network{})
	}
	return transport
}

func (c Config) redactText(text []byte) []byte {
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

// Stream implements llm.Model. A request that is refused for a field or a form is
// sent again without it, before anything of an answer came (lessons.go).
func (c *Client) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	for {
		sent := c.currentSending()
		reply, err := c.send(ctx, req, sent, receive)
		if err == nil || !c.learnFrom(sent, err) {
			return reply, err
		}
	}
}

// send makes one request.
func (c *Client) send(ctx context.Context, req llm.Request, sent sending, receive func(llm.Delta)) (llm.Reply, error) {
	fields := &wire.Fields{}
	heard := wire.WithActivity(wire.WithFields(ctx, fields), func() { receive(llm.Delta{Kind: llm.Activity}) })
	stream, err := c.api.CreateChatCompletionStream(heard, c.newRequest(req, sent, fields))
	if err != nil {
		return llm.Reply{}, unsentError(ctx, err)
	}
	defer stream.Close()
	answer := newAnswer(req.Tools, sent.dialect, fields, receive)
	for {
		chunk, err := stream.Recv()
		if err == io.EOF {
			return answer.wholeReply()
		}
		if err != nil {
			return answer.partialReply(), unreadError(ctx, err)
		}
		if err := answer.add(chunk); err != nil {
			return answer.close(""), err
		}
	}
}

// typedError returns what package wire made of a failure, or the context's cause.
func typedError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *llm.Error
	if errors.As(err, &known) {
		return known
	}
	return nil
}

// unsentError is the error of a request that got no answer.
func unsentError(ctx context.Context, err error) error {
	if known := typedError(ctx, err); known != nil {
		return known
	}
	return &llm.Error{Class: llm.Internal, Message: "write the request: " + err.Error(), Err: err}
}

// unreadError is the error of an answer that broke. All that package wire does not
// find is a chunk that is no JSON.
func unreadError(ctx context.Context, err error) error {
	if known := typedError(ctx, err); known != nil {
		return known
	}
	return &llm.Error{Class: llm.Malformed, Message: fmt.Sprintf("the stream holds a chunk that cannot be read: %v", err), Err: err}
}
