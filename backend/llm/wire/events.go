package wire

import (
	"context"
	"errors"
	"io"
	"net/http"

	"fairlead/backend/llm"
)

// Events are the events of one answer, for protocols whose events a client reads itself.
type Events struct {
	transport *Transport
	// ctx is the request's own; cancel ends the one that was sent.
	ctx    context.Context
	cancel context.CancelFunc
	host   string
	source io.ReadCloser
	events *splitter
	// started is set once the kind of answer is known, and ended once all of it was read.
	started, ended bool
}

// Stream sends a request and returns the events of its answer. Its errors are an
// *llm.Error, or the context's cause once that has ended.
func (t *Transport) Stream(request *http.Request) (*Events, error) {
	_, source, cancel, err := t.exchange(request)
	if err != nil {
		return nil, err
	}
	return &Events{
		transport: t, ctx: request.Context(), cancel: cancel, host: request.URL.Host,
		source: source, events: newSplitter(source),
	}, nil
}

// Next returns the data of the next event, valid until the next call, or io.EOF. An answer
// that is no stream but JSON is one event. An event that the server calls an error is one,
// with the errors of Stream.
func (e *Events) Next() ([]byte, error) {
	if !e.started {
		e.started = true
		if whole, err := e.start(); whole != nil || err != nil {
			return whole, err
		}
	}
	event, err := e.events.next()
	switch {
	case err == io.EOF || err == nil && isDone(event.data):
		e.ended = true
		return nil, io.EOF
	case err != nil:
		return nil, e.brokenError(err)
	case event.failed:
		return nil, e.Failure(event.data)
	}
	return event.data, nil
}

// start finds out what kind of answer this is, and returns one that is no stream.
func (e *Events) start() ([]byte, error) {
	first, err := e.events.peek()
	if err == io.EOF {
		e.ended = true
		return nil, nil // no event
	}
	if err != nil {
		return nil, e.brokenError(err)
	}
	if first != '{' && first != '<' {
		return nil, nil
	}
	text, err := e.events.readRest()
	switch {
	case err != nil:
		return nil, e.brokenError(err)
	case first == '<':
		return nil, malformedError("the server answered with a web page", "check the base URL")
	}
	e.ended = true
	return text, nil
}

// Failure is what a server says of an error inside an answer.
func (e *Events) Failure(data []byte) *llm.Error { return e.transport.newFailure(0, nil, data) }

// End marks the answer as whole, so that Close keeps the connection for another request.
func (e *Events) End() { e.ended = true }

// Close implements io.Closer.
func (e *Events) Close() error {
	return closeSource(e.source, e.cancel, e.ended)
}

func (e *Events) brokenError(err error) error {
	if errors.Is(err, errTooLong) {
		return tooLongError(err)
	}
	return brokenError(e.ctx, e.host, err)
}

// tooLongError is the error of an answer with an event beyond maxEvent.
func tooLongError(err error) error {
	return &llm.Error{Class: llm.TooLarge, Message: err.Error(), Hint: "ask for less in one step, or use another model", Err: err}
}
