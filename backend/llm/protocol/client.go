package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// Form is how a protocol writes requests and reads answers. S is how requests are written
// at the moment.
type Form[S comparable] struct {
	Protocol llm.Protocol
	// SetHeader sets what the protocol wants beside the body; key may be empty.
	SetHeader func(header http.Header, key string)
	// NewBody returns the body of a request, which is encoded as JSON. The same history must
	// always give the same bytes, so that the provider finds it in its cache.
	NewBody func(req llm.Request, sent S) any
	// SentEffort returns the effort that goes out; empty for none.
	SentEffort func(sent S) llm.Effort
	// NewAnswer returns an empty answer.
	NewAnswer func(Answer) Reader
}

// Reader gathers the events of one answer.
type Reader interface {
	// Add takes the data of an event, and reports whether the answer has ended.
	Add(data []byte, events *wire.Events) (ended bool, err error)
	// PartialReply returns the answer as far as it came, without calls: nothing of it may run.
	PartialReply() llm.Reply
	// WholeReply returns the whole answer, or how it broke off.
	WholeReply() (llm.Reply, error)
}

// Client is a model behind an endpoint whose answers are events. It is safe for concurrent
// use.
type Client[S comparable] struct {
	config Config
	form   Form[S]
	wire   *wire.Transport
	// how is how requests are written: as configured, with what was learned since.
	how *Learner[S]
}

// NewClient returns a client that writes requests in this way at first. It fails when the
// base URL or the model is no use.
func NewClient[S comparable](config Config, form Form[S], learner *Learner[S]) (*Client[S], error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	return &Client[S]{config: config, form: form, wire: config.NewTransport(), how: learner}, nil
}

// Traffic returns how many bytes of bodies were sent and received so far.
func (c *Client[S]) Traffic() (up, down int64) { return c.wire.Traffic() }

// Stream implements llm.Model. A request that is refused for a field is sent again
// without it, before anything of an answer came.
func (c *Client[S]) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	for {
		sent := c.how.Current()
		if going := c.form.SentEffort(sent); going != c.config.Effort {
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
func (c *Client[S]) send(ctx context.Context, req llm.Request, sent S, receive func(llm.Delta)) (llm.Reply, error) {
	heard := wire.WithActivity(ctx, func() { receive(llm.Delta{Kind: llm.Activity}) })
	request, err := c.newRequest(heard, req, sent)
	if err != nil {
		return llm.Reply{}, UnsentError(ctx, err)
	}
	events, err := c.wire.Stream(request)
	if err != nil {
		return llm.Reply{}, UnsentError(ctx, err)
	}
	defer events.Close()
	answer := c.form.NewAnswer(Answer{Reply: NewReply(req.Tools, c.config.Dialect, receive)})
	for {
		data, err := events.Next()
		if err == io.EOF {
			return answer.WholeReply() // the reason to end may have come all the same
		}
		ended := false
		if err == nil {
			ended, err = answer.Add(data, events)
		}
		if err != nil {
			return answer.PartialReply(), UnreadError(ctx, err)
		}
		if ended {
			events.End()
			return answer.WholeReply()
		}
	}
}

// newRequest writes a request.
func (c *Client[S]) newRequest(ctx context.Context, req llm.Request, sent S) (*http.Request, error) {
	body, err := json.Marshal(c.form.NewBody(req, sent))
	if err != nil {
		return nil, err
	}
	if body, err = withMembers(body, c.config.Body); err != nil {
		return nil, err
	}
	address := c.config.BaseURL + c.form.Protocol.Path()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	c.form.SetHeader(request.Header, c.config.APIKey)
	return request, nil
}
