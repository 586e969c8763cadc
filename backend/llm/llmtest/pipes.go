package llmtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Serve returns a transport that carries requests to the server over HTTP, with pipes in
// place of sockets, so that it can be used inside a testing/synctest bubble. stop ends both
// sides.
func (s *Server) Serve() (transport *http.Transport, stop func()) {
	listener := &pipes{opened: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	transport = &http.Transport{DialContext: listener.dial}
	return transport, func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		serving.Wait()
	}
}

// pipes is a listener to which one connects by pipes.
type pipes struct {
	opened chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.opened <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.opened:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return pipeAddress{} }

type pipeAddress struct{}

// Network implements net.Addr.
func (pipeAddress) Network() string { return "pipe" }

// String implements net.Addr.
func (pipeAddress) String() string { return "pipe" }
