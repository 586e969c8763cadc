package mcp

import (
	"fmt"
	"time"
)

const (
	// maxQueued is how many messages wait for a program to read them, and maxQueuedBytes their size.
	maxQueued      = 256
	maxQueuedBytes = 16 << 20
)

// Write implements io.Writer for the SDK, which writes one message at a time. It never waits.
func (p *pipe) Write(line []byte) (int, error) {
	m := readEnvelope(line)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault != nil {
		return 0, p.fault
	}
	if p.queued+len(line) > maxQueuedBytes {
		return 0, errUnread
	}
	select {
	case <-p.closed:
		return 0, pipeError("it is closed")
	case p.toWrite <- append([]byte(nil), line...):
		p.queued += len(line)
	default:
		return 0, errUnread
	}
	switch {
	case m.id == "":
	case m.method == "":
		p.asked--
	default:
		p.waits[m.id] = m.method
		if m.method == "server/discover" {
			time.AfterFunc(discoverTime, func() { p.giveUpDiscover(m.id) })
		}
	}
	return len(line), nil
}

const errUnread = pipeError("it does not read what it is sent")

// writeLines writes messages until the pipe is closed.
func (p *pipe) writeLines() {
	for {
		select {
		case line := <-p.toWrite:
			if _, err := p.input.Write(line); err != nil {
				p.fail(fmt.Errorf("it takes no more messages: %w", err))
				return
			}
			p.mu.Lock()
			p.queued -= len(line)
			p.mu.Unlock()
		case <-p.closed:
			return
		}
	}
}

// giveUpDiscover answers in the place of a program that does not know the newest version of the
// protocol and says nothing: the SDK goes on with an older one. What it answers late is dropped.
func (p *pipe) giveUpDiscover(id string) {
	if _, waits := p.takeWait(id); waits {
		select {
		case p.lines <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no answer"}}`+"\n", id):
		case <-p.closed:
		case <-p.ended:
		}
	}
}
