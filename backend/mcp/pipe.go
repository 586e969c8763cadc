package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// MaxMessage is how many bytes a message of a server may have. While it is read it takes ten
	// times that.
	MaxMessage = 8 << 20
	// maxNotice is how many bytes a notification may have.
	maxNotice = 64 << 10
	// maxValues is how many values a message may have, each of which takes up to 100 bytes.
	maxValues = 200_000
	// maxDepth is how deep these may lie in each other.
	maxDepth = 500
	// maxStray is how many lines may be no messages: many a program prints what it does.
	maxStray = 50
	// maxAsked is how many requests of a server may be unanswered.
	maxAsked = 16
	// noticeRate and requestRate are how many notifications and requests a server may send a
	// second, for which it may have saved up noticeBurst and requestBurst.
	noticeRate, noticeBurst   = 500, 500
	requestRate, requestBurst = 10, 50
)

// PipeTransport speaks with a program over its standard output and input. It bounds what the
// program sends before the SDK holds it, drops what nobody has asked for, and never waits for a
// program that does not read. Both ends are closed when the connection ends.
func PipeTransport(output io.ReadCloser, input io.WriteCloser) sdk.Transport {
	return &pipeTransport{output: output, input: input}
}

type pipeTransport struct {
	output io.ReadCloser
	input  io.WriteCloser
	pipeHooks
	// pipe is the connection, once there is one.
	pipe atomic.Pointer[pipe]
}

// fault is what the program has done that ended the connection; nil for nothing.
func (t *pipeTransport) fault() error {
	p := t.pipe.Load()
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if own, ok := p.fault.(pipeError); ok {
		return own
	}
	return nil
}

// pipeHooks are told what a program sends; nil ones are not. They return at once.
type pipeHooks struct {
	// stray takes lines that are no messages.
	stray func(line string)
	// changed is called when the program says that its tools have changed: before any answer that
	// comes after it is read, while the SDK may be later.
	changed func()
}

// Connect implements sdk.Transport.
func (t *pipeTransport) Connect(ctx context.Context) (sdk.Connection, error) {
	p := &pipe{
		output: t.output, input: t.input, pipeHooks: t.pipeHooks, closed: make(chan struct{}), ended: make(chan struct{}), lines: make(chan []byte),
		toWrite: make(chan []byte, maxQueued), waits: map[string]string{},
		notices: bucket{rate: noticeRate, burst: noticeBurst}, requests: bucket{rate: requestRate, burst: requestBurst},
	}
	t.pipe.Store(p)
	go p.readLines()
	go p.writeLines()
	return (&sdk.IOTransport{Reader: p, Writer: p, MaxLineLength: MaxMessage + 1}).Connect(ctx)
}

// pipe is both ends as the SDK sees them.
type pipe struct {
	output io.ReadCloser
	input  io.WriteCloser
	pipeHooks

	closing sync.Once
	closed  chan struct{}
	// ended is closed when no more is read.
	ended chan struct{}
	// lines are messages for the SDK, and rest is what is left of the last one.
	lines chan []byte
	rest  []byte
	// toWrite are messages for the program.
	toWrite chan []byte

	mu sync.Mutex
	// fault is why no more is read, or written.
	fault error
	// waits are the methods of the requests to the program that are not answered, by id.
	waits map[string]string
	// asked counts those of the program.
	asked  int
	queued int

	// What follows belongs to readLines.
	notices, requests bucket
	strays            int
}

// Read implements io.Reader for the SDK.
func (p *pipe) Read(into []byte) (int, error) {
	if len(p.rest) == 0 {
		select {
		case p.rest = <-p.lines:
		case <-p.closed:
			return 0, io.EOF
		case <-p.ended:
			p.mu.Lock()
			defer p.mu.Unlock()
			return 0, p.fault
		}
	}
	n := copy(into, p.rest)
	if p.rest = p.rest[n:]; len(p.rest) == 0 {
		p.rest = nil
	}
	return n, nil
}

// Close implements io.Closer.
func (p *pipe) Close() error {
	var err error
	p.closing.Do(func() {
		close(p.closed)
		err = errors.Join(p.output.Close(), p.input.Close())
	})
	return err
}

// fail notes why the connection has ended, unless that is known.
func (p *pipe) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil {
		p.fault = err
	}
}

// pipeError is what a program has done that ends its connection, as the end of a sentence about it.
type pipeError string

func (e pipeError) Error() string { return string(e) }

// readLines reads messages until the output ends or has a fault.
func (p *pipe) readLines() {
	defer close(p.ended)
	reader := bufio.NewReaderSize(p.output, 64<<10)
	for {
		line, err := readLine(reader)
		if err == nil || errors.Is(err, io.EOF) && len(line) > 0 {
			var fault error
			if line, fault = p.filter(line); fault != nil {
				err = fault
			} else if line != nil && !p.deliver(line) {
				err = io.EOF
			}
		}
		if err != nil {
			p.fail(err)
			return
		}
	}
}

// readLine reads a line without its end.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		if len(line)+len(part) > MaxMessage {
			return nil, pipeError(fmt.Sprintf("it sent a message of more than %d MiB", MaxMessage>>20))
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// deliver hands a message to the SDK; it reports false where nobody takes it any more.
func (p *pipe) deliver(line []byte) bool {
	select {
	case p.lines <- append(line, '\n'):
		return true
	case <-p.closed:
		return false
	}
}

// filter returns a message that the SDK may have; nil for one that is dropped.
func (p *pipe) filter(line []byte) ([]byte, error) {
	if len(line) == 0 {
		return nil, nil
	}
	if line[0] != '{' || !json.Valid(line) {
		return nil, p.noteStray(line)
	}
	m := readEnvelope(line)
	switch {
	case m.depth > maxDepth:
		return nil, pipeError(fmt.Sprintf("it sent a message nested deeper than %d levels", maxDepth))
	case m.values > maxValues:
		return nil, pipeError(fmt.Sprintf("it sent a message of more than %d values", maxValues))
	case m.method == "":
		if _, waits := p.takeWait(m.id); !waits {
			return nil, nil // nobody has asked, or it was answered
		}
		if !m.answers { // which the SDK takes for the end
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"an answer without a result"}}`, m.id), nil
		}
	case m.id == "":
		if !passedNotices[m.method] || len(line) > maxNotice || !p.notices.take() {
			return nil, nil
		}
		if m.method == methodToolsChanged && p.changed != nil {
			p.changed()
		}
	default:
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.asked++; p.asked > maxAsked || !p.requests.take() {
			return nil, pipeError("it sent more requests than are answered")
		}
	}
	return line, nil
}

// passedNotices are the notifications that mean something here.
var passedNotices = map[string]bool{
	methodToolsChanged: true, "notifications/progress": true, "notifications/cancelled": true,
	"notifications/subscriptions/acknowledged": true,
}

// noteStray keeps a line that is no message.
func (p *pipe) noteStray(line []byte) error {
	text, _ := cutText(string(line[:min(len(line), logLine)]), logLine)
	if p.stray != nil {
		p.stray(text)
	}
	if p.strays++; p.strays > maxStray {
		return pipeError("it writes to its standard output what is no message: " + shownText(text))
	}
	return nil
}

// takeWait takes a request of ours that waits for an answer, and returns its method.
func (p *pipe) takeWait(id string) (method string, waits bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	method, waits = p.waits[id]
	delete(p.waits, id)
	return method, waits
}

// bucket counts what may come at a rate.
type bucket struct {
	rate, burst float64
	saved       float64
	at          time.Time
}

// take reports whether one more may come now.
func (b *bucket) take() bool {
	now := time.Now()
	if b.at.IsZero() {
		b.saved = b.burst
	} else {
		b.saved = min(b.burst, b.saved+b.rate*now.Sub(b.at).Seconds())
	}
	b.at = now
	if b.saved < 1 {
		return false
	}
	b.saved--
	return true
}
