// Package wire stands between the clients of models and the network. Its Transport turns
// what the many "OpenAI-compatible" servers really send of chat completions into the
// plain event stream that the client library understands, and every failure, wherever in
// an answer it hides, into an *llm.Error:
//
//  1. wire.go      sends the request and counts its bytes
//  2. failure.go   reads a refusal of any shape; classify.go says what kind it is,
//     overflow.go how long a conversation may be
//  3. body.go      tells a stream from a JSON answer, an error and a web page
//  4. splitter.go  cuts the stream into events
//  5. chunk.go     passes an event on, or repairs it first
//  6. whole.go     passes on an answer that is no stream
//  7. fields.go    carries, both ways, what the library has no place for
//  8. events.go    passes on the events of other protocols as they are
//
// It keeps no time of its own beyond that of a connection: how long a silence may
// last is for the caller to say, who hears of every byte through WithActivity.
package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"

	"fairlead/backend/llm"
)

// maxRefusal is how much of an error body is read, in bytes.
const maxRefusal = 1 << 20

// Transport is a http.RoundTripper for chat completions. It never follows a
// redirect, because the new address would be given the key. It is safe for
// concurrent use.
type Transport struct {
	// Base carries the requests; see NewBase.
	Base http.RoundTripper
	// Redact takes the values of known keys out of what a provider says of an
	// error, before it is shown or kept; nil takes out nothing. Requests are for the
	// caller to redact, who can tell a text from the name of a field.
	Redact func([]byte) []byte
	// Header is added to every request, in place of what it has of the same name.
	Header http.Header
	// Whole leaves the body of a success as it is: for requests that no stream
	// answers.
	Whole bool

	up, down atomic.Int64
}

// Traffic returns how many bytes of bodies were sent and received so far.
func (t *Transport) Traffic() (up, down int64) { return t.up.Load(), t.down.Load() }

// RoundTrip implements http.RoundTripper. Its errors, and those of the response's
// body, are an *llm.Error, or the context's cause once that has ended.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, source, cancel, err := t.exchange(request)
	if err != nil {
		return nil, err
	}
	ctx := request.Context()
	if t.Whole {
		response.Body = &whole{ctx: ctx, cancel: cancel, host: request.URL.Host, source: source}
		return response, nil
	}
	fields := fieldsOf(ctx)
	if fields == nil {
		fields = &Fields{}
	}
	response.Body = &body{
		transport: t, fields: fields, ctx: ctx, cancel: cancel, host: request.URL.Host,
		source: source, events: newSplitter(source),
	}
	response.ContentLength = -1
	return response, nil
}

// exchange sends a request, and returns its response with what is left to read of it and
// what ends it. Whatever is no success is an error.
func (t *Transport) exchange(request *http.Request) (*http.Response, *counted, context.CancelFunc, error) {
	ctx, cancel := context.WithCancel(request.Context())
	outgoing, err := t.outgoingRequest(ctx, request)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	response, err := t.Base.RoundTrip(outgoing)
	if err != nil {
		defer cancel()
		return nil, nil, nil, brokenError(request.Context(), request.URL.Host, err)
	}
	source := &counted{ReadCloser: response.Body, bytes: &t.down, activity: activityFunc(ctx)}
	if response.StatusCode >= http.StatusMultipleChoices {
		defer cancel()
		defer source.Close()
		return nil, nil, nil, t.refusedError(request, response, source)
	}
	return response, source, cancel, nil
}

// outgoingRequest returns the request to send in place of request.
func (t *Transport) outgoingRequest(ctx context.Context, request *http.Request) (*http.Request, error) {
	outgoing := request.Clone(ctx)
	for name, values := range t.Header {
		outgoing.Header[name] = values
	}
	if request.Body == nil {
		return outgoing, nil
	}
	fields := fieldsOf(ctx)
	if (fields == nil || len(fields.members) == 0) && request.GetBody != nil && request.ContentLength > 0 {
		t.up.Add(request.ContentLength) // it can be sent, and sent again, as it is
		return outgoing, nil
	}
	defer request.Body.Close()
	// A body is the whole history. Space for all of it from the start spares the
	// copies, several times its size, of a buffer that grows.
	var whole bytes.Buffer
	whole.Grow(int(max(request.ContentLength, 0)) + bytes.MinRead)
	if _, err := whole.ReadFrom(request.Body); err != nil {
		return nil, &llm.Error{Class: llm.Internal, Message: "read the request's body", Err: err}
	}
	text := whole.Bytes()
	if fields != nil {
		text = fields.fillMarks(text)
	}
	t.up.Add(int64(len(text)))
	outgoing.ContentLength = int64(len(text))
	outgoing.Body = io.NopCloser(bytes.NewReader(text))
	// The standard transport sends again by this when a kept connection turns out
	// to be dead.
	outgoing.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	return outgoing, nil
}

func (t *Transport) redactText(text []byte) []byte {
	if t.Redact == nil {
		return text
	}
	return t.Redact(text)
}

// refusedError reads a response that is not a success.
func (t *Transport) refusedError(request *http.Request, response *http.Response, source io.Reader) error {
	if response.StatusCode < http.StatusBadRequest {
		return redirectError(response)
	}
	text, err := io.ReadAll(io.LimitReader(source, maxRefusal))
	if ctx := request.Context(); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// A refusal that breaks off is still a refusal: its status tells enough.
	return t.newFailure(response.StatusCode, response.Header, text)
}

// redirectError names where a redirect leads, without what could be secret in it.
func redirectError(response *http.Response) error {
	location := "another address"
	if to, err := url.Parse(response.Header.Get("Location")); err == nil && to.Path != "" {
		to.User, to.RawQuery, to.Fragment = nil, "", ""
		location = to.String()
	}
	return &llm.Error{
		Class: llm.BadRequest, Status: response.StatusCode,
		Message: fmt.Sprintf("the server redirects to %s, and a key is not sent to a new address", location),
		Hint:    "fix the base URL",
	}
}
