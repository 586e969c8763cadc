package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/message"
)

// Methods of the protocol.
const (
	methodToolsChanged = "notifications/tools/list_changed"
	methodProgress     = "notifications/progress"
	methodElicit       = "elicitation/create"
	methodPing         = "ping"
)

// session is one connection to a server, from its start to its end.
type session struct {
	server   string
	conn     *Connection
	client   *sdk.ClientSession
	elicitor Elicitor
	// ended is closed when the connection is over, however it ended.
	ended chan struct{}
	end   sync.Once
	// changed is called when the server says that its tools have changed.
	changed func()
	// requests counts those of the server that are not answered.
	requests atomic.Int64

	mu sync.Mutex
	// calls are those that run, by their progress token.
	calls map[string]*call
	// tokens counts the calls.
	tokens int
	// asking is set while the user is asked for the server.
	asking bool
	// cause is why it has ended.
	cause error
}

// sessionOptions are what a session needs beside its server.
type sessionOptions struct {
	starter  Starter
	elicitor Elicitor
	log      *lines
	changed  func()
	version  string
}

// openSession starts a server and agrees on a version of the protocol with it. What it has started
// is closed when that fails or ctx ends.
func openSession(ctx context.Context, d Definition, g Grant, o sessionOptions) (*session, error) {
	conn, err := o.starter(ctx, d, g)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, startError{err}
	}
	s := &session{server: d.Name, conn: conn, elicitor: o.elicitor, ended: make(chan struct{}), changed: o.changed, calls: map[string]*call{}}
	if pipe, ok := conn.Transport.(*pipeTransport); ok {
		pipe.pipeHooks = pipeHooks{stray: o.log.addStray, changed: o.changed}
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		if conn.Stderr != nil {
			o.log.drain(conn.Stderr)
		}
	}()
	done := make(chan connected, 1)
	go func() {
		var c connected
		defer func() {
			if fault := recover(); fault != nil {
				c.err = fmt.Errorf("%v", fault)
			}
			done <- c
		}()
		c.client, c.err = s.newClient(o.version).Connect(ctx, conn.Transport, nil)
	}()
	var c connected
	select {
	case c = <-done:
	case <-conn.Done:
		var known bool
		if c, known = takeSoon(done); !known {
			_, _ = takeSoon(written)
			return nil, abandon(conn, done, errEnded)
		}
	case <-ctx.Done():
		return nil, abandon(conn, done, context.Cause(ctx))
	}
	if c.err != nil {
		if isOver(c.err) {
			_, _ = takeSoon(written) // it may have said why
			if conn.Done != nil {
				_, _ = takeSoon(conn.Done)
			}
		}
		err = errors.Join(conn.fault(), conn.tell(c.err))
		_ = conn.Close() // the first error is the one to tell
		return nil, err
	}
	s.client = c.client
	go s.watch()
	return s, nil
}

// connected is what came of a connection.
type connected struct {
	client *sdk.ClientSession
	err    error
}

// fault is what a program has done that ended the connection; nil for nothing.
func (c *Connection) fault() error {
	if c.Unstarted != nil {
		if err := c.Unstarted(); err != nil {
			return startError{err}
		}
	}
	if pipe, ok := c.Transport.(*pipeTransport); ok {
		return pipe.fault()
	}
	return nil
}

// takeSoon takes what is about to come once a server has ended: it may have said something last.
func takeSoon[T any](from <-chan T) (value T, came bool) {
	timer := time.NewTimer(closeTime)
	defer timer.Stop()
	select {
	case value = <-from:
		return value, true
	case <-timer.C:
		return value, false
	}
}

// tell adds what the connection says about an error of its transport.
func (c *Connection) tell(err error) error {
	if err == nil || c.Explain == nil || isAnswer(err) {
		return err
	}
	return errors.Join(toldError{c.Explain(err)}, err)
}

// codeRejected is that of the SDK's own errors about what was not sent. It is no answer.
const codeRejected = -32005

// isAnswer reports whether an error is what the server answered.
func isAnswer(err error) bool {
	var answered *jsonrpc.Error
	return errors.As(err, &answered) && answered.Code != codeRejected
}

// abandon ends a connection that is still being made, and returns why.
func abandon(conn *Connection, done <-chan connected, why error) error {
	why = errors.Join(conn.fault(), why)
	_ = conn.Close() // why is the one to tell
	go func() {
		if c := <-done; c.client != nil {
			_ = c.client.Close() // it is closed already
		}
	}()
	return why
}

// newClient is the SDK's side. It offers forms and nothing else: no roots, no sampling, and of
// questions none where nobody can answer.
func (s *session) newClient(version string) *sdk.Client {
	capabilities := &sdk.ClientCapabilities{} // nil would offer roots
	if s.elicitor != nil {
		capabilities.Elicitation = &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "fairlead", Title: "Fairlead", Version: version}, &sdk.ClientOptions{
		Capabilities: capabilities,
		// The handler makes the SDK ask for these notifications; what is done stands in receive.
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
		// What a call asks for in between is looked at here (call.go).
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	client.AddReceivingMiddleware(s.receive)
	client.AddSendingMiddleware(forgetLists)
	return client
}

// forgetLists has the SDK keep no list of tools: each look is to be at what there is now.
func forgetLists(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if list, ok := result.(*sdk.ListToolsResult); ok && list != nil {
			list.TTLMs = 0
		}
		return result, err
	}
}

// receive takes everything that the server sends by itself. Little of it reaches the SDK: its own
// handlers fail on requests without parameters, and check answers of forms against schemas that
// may refer to themselves.
func (s *session) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request cannot be read"}
			}
		}()
		switch method {
		case methodToolsChanged:
			s.changed()
			return next(ctx, method, req)
		case methodProgress:
			if params, ok := req.GetParams().(*sdk.ProgressNotificationParams); ok && params != nil {
				s.showProgress(params)
			}
			return nil, nil
		case methodElicit:
			if s.requests.Add(1); s.requests.Load() > maxAsked {
				s.requests.Add(-1)
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many requests"}
			}
			defer s.requests.Add(-1)
			params, _ := req.GetParams().(*sdk.ElicitParams)
			return s.elicit(ctx, params), nil
		case methodPing:
			return next(ctx, method, req)
		}
		if strings.HasPrefix(method, "notifications/") {
			return nil, nil
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Fairlead does not offer " + method}
	}
}

// watch waits for the end of the connection.
func (s *session) watch() {
	over := make(chan error, 1)
	go func() { over <- s.client.Wait() }()
	var err error
	select {
	case err = <-over:
		err = s.conn.tell(err)
	case <-s.conn.Done:
		err, _ = takeSoon(over)
	case <-s.ended:
		return
	}
	s.close(err)
}

// close ends the connection, and the calls that run. cause is why; nil where that is the server's
// own end.
func (s *session) close(cause error) {
	s.end.Do(func() {
		s.mu.Lock()
		s.cause = errors.Join(s.conn.fault(), cause)
		s.mu.Unlock()
		close(s.ended)
		_ = s.conn.Close()                   // it is over, whatever that says
		go func() { _ = s.client.Close() }() // which waits for the handlers
	})
}

// over is why the connection has ended.
func (s *session) over() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// readTools reads all tools of the server.
func (s *session) readTools(ctx context.Context) (*Pin, []LeftOut, error) {
	type read struct {
		pin  *Pin
		left []LeftOut
		err  error
	}
	done := make(chan read, 1)
	go func() {
		var r read
		defer func() {
			if fault := recover(); fault != nil {
				r.err = fmt.Errorf("%v", fault)
			}
			done <- r
		}()
		r.pin, r.left, r.err = readTools(func(cursor string) (*sdk.ListToolsResult, error) {
			list, err := s.client.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
			return list, s.conn.tell(err)
		})
	}()
	select {
	case r := <-done:
		return r.pin, r.left, r.err
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	case <-s.ended:
		if r, came := takeSoon(done); came && r.err == nil {
			return r.pin, r.left, nil
		}
		return nil, nil, errors.Join(errEnded, s.over())
	}
}

// startError is why a server could not be started, in a sentence of the Starter.
type startError struct{ error }

// toldError is what went wrong with a connection, in a sentence of its own.
type toldError struct{ error }

// errEnded reports that the server has ended.
var errEnded = errors.New("it has ended")

// explain is what went wrong with a server, as the end of a sentence about it.
func explain(err error) string {
	var own pipeError
	var listed answerError
	var answered *jsonrpc.Error
	var unstarted startError
	var told toldError
	switch {
	case errors.As(err, &told):
		return message.Inline(validText(told.Error()))
	case errors.As(err, &unstarted):
		return message.Inline(validText(unstarted.Error()))
	case errors.As(err, &own):
		return own.Error()
	case errors.As(err, &listed):
		return listed.Error()
	case errors.As(err, &answered):
		return fmt.Sprintf("it answered with the error %s (%d)", shownText(answered.Message), answered.Code)
	case errors.Is(err, errSuspended):
		return errSuspended.Error()
	case errors.Is(err, errSlow):
		return fmt.Sprintf("it was not ready within %v", startTime)
	case isOver(err):
		return "it has ended by itself"
	case errors.Is(err, context.Canceled):
		return "it was stopped"
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	if strings.HasPrefix(text, `calling "`) { // which the sentence says already
		_, text, _ = strings.Cut(text, `": `)
	}
	return "what it sent cannot be used: " + shownText(text)
}

// isOver reports whether an error says that the connection is over.
func isOver(err error) bool {
	return errors.As(err, new(pipeError)) || errors.Is(err, sdk.ErrConnectionClosed) || errors.Is(err, errEnded) || isEOF(err)
}

// isEOF reports whether an error is that the other end is gone.
func isEOF(err error) bool {
	for _, one := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// errSlow is the cause of a start that takes too long.
var errSlow = fmt.Errorf("not ready within %v", startTime)

// limitStart bounds a start, or a look at the tools.
func limitStart(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, startTime, errSlow)
}

// waitOrDone waits for a time; it reports false where ctx ended first.
func waitOrDone(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
