package wire

import (
	"context"
	"io"
)

// whole is the body of an answer that is no stream, as the server sends it.
type whole struct {
	// ctx is the request's own; cancel ends the one that was sent.
	ctx    context.Context
	cancel context.CancelFunc
	host   string
	source io.ReadCloser
}

// Read implements io.Reader.
func (w *whole) Read(p []byte) (int, error) {
	n, err := w.source.Read(p)
	if err != nil && err != io.EOF {
		err = brokenError(w.ctx, w.host, err)
	}
	return n, err
}

// Close implements io.Closer.
func (w *whole) Close() error {
	defer w.cancel()
	return w.source.Close()
}
