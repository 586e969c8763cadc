// Package mcp runs the servers of the Model Context Protocol that the user has agreed to: what a
// definition and a grant are, one connection's life, the tools of a server pinned as a whole, and
// the two tools by which a model finds and calls them. It starts no process and sends no request
// by itself: a Starter gives it a connection.
//
// Everything a server sends is foreign: it is bounded before it is read (pipe.go), shown with
// hidden characters visible, and marked where a model reads it.
package mcp

import (
	"context"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/message"
)

const (
	// startTime is how long a server may take to start and to list its tools.
	startTime = 10 * time.Second
	// discoverTime is how long it may take to answer in the newest version of the protocol. Some
	// older servers do not answer at all what they do not know.
	discoverTime = 4 * time.Second
	// startsEach is how often a server is started within startsWithin at most.
	startsEach   = 3
	startsWithin = time.Minute
	// refreshPause is how long after one look at the tools the next one begins at the earliest.
	refreshPause = time.Second
	// closeTime is how long the end of a server that is just being started is waited for.
	closeTime = 100 * time.Millisecond
)

// Connection is a server that was started, or reached.
type Connection struct {
	// Transport carries the messages. That of a process is a PipeTransport.
	Transport sdk.Transport
	// Stderr is what a process writes beside them, which is read to its end; nil for none.
	Stderr io.Reader
	// Level is how far the system confines it; empty for a server elsewhere.
	Level message.Level
	// Done is closed when it has ended; nil where only the transport tells.
	Done <-chan struct{}
	// Unstarted returns why a process that has ended was not run, in a sentence, or was ended; nil
	// for nothing to say, and where there is no process.
	Unstarted func() error
	// Explain says in a sentence what an error of the transport means; nil where nobody knows more
	// than the error says.
	Explain func(error) error
	// Close ends it with all that it started, within 100 ms, and closes what Transport and Stderr
	// read. It may be called several times.
	Close func() error
}

// Starter starts a server, or connects to it, within what is granted. Its error is a sentence for
// the user. What it opened is closed when ctx ends before it returns.
type Starter func(ctx context.Context, definition Definition, grant Grant) (*Connection, error)

// State is where a server is in its life. The list is closed.
type State string

// The states. A server that is suspended, failed or stopped has no process.
const (
	// StateConfigured is a server that was not started yet.
	StateConfigured State = "configured"
	// StateStarting is one that is started, or whose tools are read.
	StateStarting State = "starting"
	// StateReady is one whose tools can be called.
	StateReady State = "ready"
	// StateSuspended is one whose tools are not those that the user agreed to: no call passes.
	StateSuspended State = "suspended"
	// StateFailed is one that could not be started, or has ended.
	StateFailed State = "failed"
	// StateStopped is one that was closed.
	StateStopped State = "stopped"
)
