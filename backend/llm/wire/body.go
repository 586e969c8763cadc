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
		b.err = b.fillBuffer()
		b.out = b.buf
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *body) Close() error { return closeSource(b.source, b.cancel, b.done) }

// closeSource ends a request, after reading what is left of an answer that is whole.
func closeSource(source io.ReadCloser, cancel context.CancelFunc, whole bool) error {
	defer cancel()
	if whole {
		limit := time.AfterFunc(drainTime, cancel)
		defer limit.Stop()
		// The answer is whole already; nothing that happens here matters.
		_, _ = io.CopyN(io.Discard, source, drainSize)
	}
	return source.Close()
}

// fillBuffer puts the next piece of the answer into buf.
func (b *body) fillBuffer() error {
	if !b.started {
		b.started = true
		return b.start()
	}
	event, err := b.events.next()
	if err == io.EOF {
		return b.checkEnd()
	}
	if err != nil {
		return b.brokenError(err)
	}
	if event.failed {
		return b.transport.newFailure(0, nil, event.data)
	}
	return b.takeEvent(event.data)
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
		return b.brokenError(err)
	}
	if first != '{' && first != '[' && first != '<' {
		return nil
	}
	text, err := b.events.readRest()
	if err != nil {
		return b.brokenError(err)
	}
	if first == '<' {
		return malformedError("the server answered with a web page", "check the base URL")
	}
	return b.takeWhole(text)
}

// takeWhole takes an answer that is one JSON value: a completion from a server that
// does not stream, or an error that did not dare to be one.
func (b *body) takeWhole(text []byte) error {
	var c chunk
	if json.Unmarshal(text, &c) != nil || len(c.Choices) == 0 || c.hasError() {
		if !json.Valid(text) {
			return malformedError("the server answered with neither a stream nor JSON", "check the base URL")
		}
		return b.transport.newFailure(http.StatusOK, nil, text)
	}
	c.fromMessages()
	b.done = true
	b.emitData(c.plainChunk(b.fields))
	b.emitData([]byte("[DONE]"))
	return io.EOF
}

// takeEvent takes the data of one event.
func (b *body) takeEvent(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "[DONE]" {
		b.done = true
		b.emitData(data)
		return io.EOF
	}
	if bytes.IndexByte(data, '\n') >= 0 {
		return b.takeLines(data)
	}
	plain, finished := scan(data)
	b.finished = b.finished || finished
	if plain {
		b.emitData(data)
		return nil
	}
	return b.emitRepaired(data)
}

// takeLines takes an event of several data lines: one JSON text over several lines,
// or, from servers that forget the blank line between events, several texts.
func (b *body) takeLines(data []byte) error {
	var whole bytes.Buffer
	if json.Compact(&whole, data) == nil {
		return b.takeEvent(whole.Bytes())
	}
	for line := range bytes.Lines(data) {
		if err := b.takeEvent(bytes.TrimRight(line, "\r\n")); err != nil {
			return err
		}
	}
	return nil
}

// emitRepaired emits what data means in place of what it says.
func (b *body) emitRepaired(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return malformedError("the stream holds a chunk that cannot be read: "+err.Error(), "")
	}
	if c.hasError() {
		return b.transport.newFailure(0, nil, data)
	}
	b.emitData(c.plainChunk(b.fields))
	return nil
}

// checkEnd reports whether a stream that ended without [DONE] is whole.
func (b *body) checkEnd() error {
	if b.finished {
		return io.EOF
	}
	return &llm.Error{Class: llm.Truncated, Message: "the answer stopped before its end", Hint: "try again"}
}

func (b *body) brokenError(err error) error {
	if errors.Is(err, errTooLong) {
		return tooLongError(err)
	}
	return brokenError(b.ctx, b.host, err)
}

func (b *body) emitData(data []byte) {
	b.buf = append(b.buf, "data: "...)
	b.buf = append(b.buf, data...)
	b.buf = append(b.buf, "\n\n"...)
}

func malformedError(text, hint string) error {
	return &llm.Error{Class: llm.Malformed, Message: text, Hint: hint}
}
