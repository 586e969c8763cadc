package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"fairlead/backend/llm"
)

// What is left of a stream after its end is read away, so that the connection can
// serve the next request, unless that takes longer or more than this.
const (
	drainTime = 200 * time.Millisecond
	drainSize = 64 << 10
)

// body is a response's body in the form the client library understands: one data
// line an event, [DONE] at the end. It ends with io.EOF only when the answer is
// whole.
type body struct {
	transport *Transport
	// fields takes what the client library has no place for.
	fields *Fields
	// ctx is the request's own; cancel ends the one that was sent.
	ctx    context.Context
	cancel context.CancelFunc
	host   string
	source io.ReadCloser
	events *splitter

	// out is what was not read yet of buf; err is what follows it.
	out, buf []byte
	err      error
	// started says that the kind of answer is known, finished that a chunk had a
	// finish reason, done that [DONE] was seen.
	started, finished, done bool
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for len(b.out) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.buf = b.buf[:0]
		b.err = b.fill()
		b.out = b.buf
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *body) Close() error {
	defer b.cancel()
	if b.done {
		limit := time.AfterFunc(drainTime, b.cancel)
		defer limit.Stop()
		// The answer is whole already; nothing that happens here matters.
		_, _ = io.CopyN(io.Discard, b.source, drainSize)
	}
	return b.source.Close()
}

// fill puts the next piece of the answer into buf.
func (b *body) fill() error {
	if !b.started {
		b.started = true
		return b.start()
	}
	event, err := b.events.next()
	if err == io.EOF {
		return b.end()
	}
	if err != nil {
		return b.broken(err)
	}
	if event.failed {
		return b.transport.failure(0, nil, event.data)
	}
	return b.event(event.data)
}

// start finds out what kind of answer this is: the content type is often wrong.
func (b *body) start() error {
	first, err := b.events.peek()
	if err == io.EOF {
		return &llm.Error{
			Class: llm.Truncated, Status: http.StatusOK,
			Message: "the server ended its answer before the first byte", Hint: "try again",
		}
	}
	if err != nil {
		return b.broken(err)
	}
	if first != '{' && first != '[' && first != '<' {
		return nil
	}
	text, err := b.events.rest()
	if err != nil {
		return b.broken(err)
	}
	if first == '<' {
		return malformed("the server answered with a web page", "check the base URL")
	}
	return b.whole(text)
}

// whole takes an answer that is one JSON value: a completion from a server that
// does not stream, or an error that did not dare to be one.
func (b *body) whole(text []byte) error {
	var c chunk
	if json.Unmarshal(text, &c) != nil || len(c.Choices) == 0 || c.hasError() {
		if !json.Valid(text) {
			return malformed("the server answered with neither a stream nor JSON", "check the base URL")
		}
		return b.transport.failure(http.StatusOK, nil, text)
	}
	c.fromMessages()
	b.done = true
	b.emit(c.plain(b.fields))
	b.emit([]byte("[DONE]"))
	return io.EOF
}

// event takes the data of one event.
func (b *body) event(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "[DONE]" {
		b.done = true
		b.emit(data)
		return io.EOF
	}
	if bytes.IndexByte(data, '\n') >= 0 {
		return b.lines(data)
	}
	plain, finished := scan(data)
	b.finished = b.finished || finished
	if plain {
		b.emit(data)
		return nil
	}
	return b.repair(data)
}

// lines takes an event of several data lines: one JSON text over several lines,
// or, from servers that forget the blank line between events, several texts.
func (b *body) lines(data []byte) error {
	var whole bytes.Buffer
	if json.Compact(&whole, data) == nil {
		return b.event(whole.Bytes())
	}
	for line := range bytes.Lines(data) {
		if err := b.event(bytes.TrimRight(line, "\r\n")); err != nil {
			return err
		}
	}
	return nil
}

// repair emits what data means in place of what it says.
func (b *body) repair(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return malformed("the stream holds a chunk that cannot be read: "+err.Error(), "")
	}
	if c.hasError() {
		return b.transport.failure(0, nil, data)
	}
	b.emit(c.plain(b.fields))
	return nil
}

// end says whether a stream that ended without [DONE] is whole.
func (b *body) end() error {
	if b.finished {
		return io.EOF
	}
	return &llm.Error{Class: llm.Truncated, Message: "the answer stopped before its end", Hint: "try again"}
}

func (b *body) broken(err error) error {
	if errors.Is(err, errTooLong) {
		return &llm.Error{Class: llm.TooLarge, Message: err.Error(), Hint: "ask for less in one step, or use another model", Err: err}
	}
	return broken(b.ctx, b.host, err)
}

func (b *body) emit(data []byte) {
	b.buf = append(b.buf, "data: "...)
	b.buf = append(b.buf, data...)
	b.buf = append(b.buf, "\n\n"...)
}

func malformed(text, hint string) error {
	return &llm.Error{Class: llm.Malformed, Message: text, Hint: hint}
}
