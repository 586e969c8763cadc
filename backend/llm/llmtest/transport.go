package llmtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// RoundTripper returns a transport that carries requests to the server without a
// network, so that it can be used inside a testing/synctest bubble. Closing a
// response's body waits until the server is done with the request.
func (s *Server) RoundTripper() http.RoundTripper {
	return memory{handler: s}
}

// memory hands requests to a handler in a goroutine.
type memory struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	served := r.Clone(ctx)
	if served.Body == nil {
		served.Body = http.NoBody
	}
	reader, writer := io.Pipe()
	w := &pipeWriter{header: http.Header{}, pipe: writer, ready: make(chan struct{})}
	done := make(chan struct{})
	// A write that nobody reads must end with the request.
	unhook := context.AfterFunc(ctx, func() { writer.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer close(done)
		m.handler.ServeHTTP(w, served)
		w.WriteHeader(http.StatusOK)
		// Only an answer cut off by the request's end reads as broken.
		writer.CloseWithError(ctx.Err())
		served.Body.Close()
	}()
	body := &pipeBody{PipeReader: reader, end: func() { cancel(); unhook(); <-done }}
	select {
	case <-w.ready:
		return &http.Response{
			Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: w.sent, Body: body, ContentLength: -1, Request: r,
		}, nil
	case <-ctx.Done():
		body.Close()
		return nil, context.Cause(ctx)
	}
}

// pipeBody is a response body whose Close ends the handler.
type pipeBody struct {
	*io.PipeReader
	end func()
}

// Close implements io.Closer.
func (b *pipeBody) Close() error {
	err := b.PipeReader.Close()
	b.end()
	return err
}

// pipeWriter is the handler's side of a response.
type pipeWriter struct {
	header http.Header
	pipe   *io.PipeWriter
	once   sync.Once
	ready  chan struct{}
	// status and sent are set before ready is closed.
	status int
	sent   http.Header
}

// Header implements http.ResponseWriter.
func (w *pipeWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.ready)
	})
}

// Write implements http.ResponseWriter.
func (w *pipeWriter) Write(text []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(text)
}

// Flush implements http.Flusher; a pipe holds nothing back.
func (w *pipeWriter) Flush() {}
