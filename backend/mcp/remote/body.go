package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	"fairlead/backend/publicnet"
)

// body is an answer that is read as far as its bounds let it.
type body struct {
	from io.ReadCloser
	// left is how much more may be read, bytes; below 0 for a stream without an end.
	left int64
	// events counts a stream of events; nil for another answer.
	events *eventCounter
	// failed makes a fault of what ended the answer early, and notes it.
	failed func(error) error
	// begun is called once an event was read whole.
	begun func()
	// release ends the request.
	release func()
	// closed reports whether nobody reads any more.
	closed atomic.Bool
}

var (
	errAnswerTooLarge = errors.New("the answer is too large")
	errEventTooLarge  = errors.New("an event is too large")
)

// boundBody bounds the body of an answer in a session with this life.
func (s *Server) boundBody(request *http.Request, life context.Context, answer *http.Response, release, begun func()) io.ReadCloser {
	b := &body{from: answer.Body, left: s.maxEvent, release: release, begun: begun}
	if mediaType(answer) == "text/event-stream" {
		b.events, b.left = &eventCounter{limit: s.maxEvent}, s.maxStream
		if isStream(request) {
			b.left = -1
		}
	}
	b.failed = func(err error) error {
		if request.Context().Err() != nil || life.Err() != nil {
			ended := s.connectionFault(request.Context(), life, request.URL, err)
			s.noteFault(ended)
			return ended
		}
		var fault *Fault
		switch {
		case errors.Is(err, errEventTooLarge), errors.Is(err, errAnswerTooLarge) && b.events == nil:
			fault = s.fault(TooLarge, err, "%s answers with more than %d MiB at once", s.host(), s.maxEvent>>20)
		case errors.Is(err, errAnswerTooLarge):
			fault = s.fault(TooLarge, err, "%s answers one request with more than %d MiB", s.host(), s.maxStream>>20)
		default:
			fault = s.fault(Unreachable, err, "the answer of %s ended early: %s", s.host(), publicnet.Reason(err))
		}
		s.noteBroken(fault)
		return fault
	}
	return b
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.left >= 0 && int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.from.Read(p)
	if b.left >= 0 {
		if b.left -= int64(n); b.left < 0 {
			b.left = 0
			return n - 1, b.failed(errAnswerTooLarge)
		}
	}
	if b.events != nil {
		if b.events.count(p[:n]) {
			b.begun()
		}
		if b.events.size > b.events.limit {
			return n, b.failed(errEventTooLarge)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && !b.closed.Load() {
		err = b.failed(err)
	}
	return n, err
}

// Close implements io.Closer. What is left is not read: the server decides how long that
// would take.
func (b *body) Close() error {
	b.closed.Store(true)
	b.release()
	return b.from.Close()
}

// eventCounter finds the ends of events in a stream.
type eventCounter struct {
	// limit is the largest size of an event, bytes.
	limit int64
	// size is how much of the event that is being read was read, bytes.
	size int64
	// line is how long the line is that is being read; its end may be \n, \r or both.
	line int64
	// content reports whether the event has a line that is neither empty nor a comment.
	content bool
	// whole reports whether an event with content has ended.
	whole bool
	after byte
}

// count counts what was read, and reports whether an event with content has ended so far.
func (c *eventCounter) count(text []byte) bool {
	for _, char := range text {
		c.size++
		switch {
		case char == '\n' && c.after == '\r':
			c.size--
		case char != '\n' && char != '\r':
			c.content = c.content || c.line == 0 && char != ':'
			c.line++
		case c.line == 0:
			c.whole = c.whole || c.content
			c.size, c.content = 0, false
		default:
			c.line = 0
		}
		c.after = char
	}
	return c.whole
}
