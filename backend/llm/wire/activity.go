package wire

import (
	"context"
	"io"
	"sync/atomic"
)

type activityKey struct{}

// WithActivity returns a context whose request calls heard each time bytes of
// its answer arrive, comments and keep-alives included, from the goroutine that
// reads the answer.
func WithActivity(ctx context.Context, heard func()) context.Context {
	return context.WithValue(ctx, activityKey{}, heard)
}

func activityFunc(ctx context.Context) func() {
	if heard, ok := ctx.Value(activityKey{}).(func()); ok {
		return heard
	}
	return func() {}
}

// counted is a body that counts its bytes and tells of each arrival.
type counted struct {
	io.ReadCloser
	bytes    *atomic.Int64
	activity func()
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if n > 0 {
		c.bytes.Add(int64(n))
		c.activity()
	}
	return n, err
}
