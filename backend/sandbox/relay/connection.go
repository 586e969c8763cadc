package relay

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// pieceSize is how much is read at a time, in bytes.
const pieceSize = 32 << 10

// connection is one that is carried.
type connection struct {
	idle time.Duration
	// inside is the end of the server, and outside that of the host.
	inside, outside net.Conn
	// prefix is what was read of inside to be looked at.
	prefix []byte
	// last is when something was said last, in nanoseconds of Unix time.
	last atomic.Int64
}

func (c *connection) touch() { c.last.Store(time.Now().UnixNano()) }

// isIdle reports whether nothing has been said for too long, in either direction.
func (c *connection) isIdle() bool { return time.Since(time.Unix(0, c.last.Load())) >= c.idle }

// close closes both ends.
func (c *connection) close() {
	c.inside.Close()
	if c.outside != nil {
		c.outside.Close()
	}
}

// copyTo copies what one end says to the other, which is first told the prefix. When one has said
// all, the other may go on; when one breaks, both end.
func (c *connection) copyTo(to, from net.Conn, prefix []byte) {
	if len(prefix) > 0 && c.write(to, prefix) != nil {
		c.close()
		return
	}
	piece := make([]byte, pieceSize)
	for {
		n, err := c.read(from, piece)
		if n > 0 && c.write(to, piece[:n]) != nil {
			c.close()
			return
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			// A connection that cannot be closed by half ends with the other half.
			if half, ok := to.(interface{ CloseWrite() error }); ok {
				_ = half.CloseWrite() // it may have ended
			}
			return
		default:
			c.close()
			return
		}
	}
}

// read reads a piece. It waits as long as the other direction is not idle.
func (c *connection) read(from net.Conn, piece []byte) (int, error) {
	for {
		if err := from.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
			return 0, err
		}
		n, err := from.Read(piece)
		if n > 0 {
			c.touch()
		}
		if n == 0 && isTimeout(err) && !c.isIdle() {
			continue
		}
		return n, err
	}
}

func (c *connection) write(to net.Conn, piece []byte) error {
	if err := to.SetWriteDeadline(time.Now().Add(c.idle)); err != nil {
		return err
	}
	_, err := to.Write(piece)
	return err
}
