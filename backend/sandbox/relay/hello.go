package relay

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

const (
	// securePort is the one at which nothing but TLS is carried (RFC 9110, section 4.2.2).
	securePort = 443
	// handshake is the first byte of a connection that begins as TLS does (RFC 8446, section 5.1).
	handshake = 22
	// mostHello is how much of a connection is read for the name at most, in bytes: the longest
	// first words that package tls takes, and the heads of their records.
	mostHello = 128 << 10
)

// unrecognizedName is the alert that ends TLS where a name is none of the host's (RFC 6066,
// section 3).
var unrecognizedName = []byte{21, 3, 3, 0, 2, 2, 112}

var (
	errLong   = fmt.Errorf("its first words of TLS are longer than %d bytes", mostHello)
	errFound  = errors.New("the name is known")
	errNoTLS  = fmt.Errorf("it does not begin as TLS does, and port %d is for nothing else", securePort)
	errNoName = errors.New("it names no host in its first words of TLS")
)

// checkFirst reads the first piece of what the server says, and compares the name where that
// begins as TLS does. A server that says nothing waits for the host.
func (c *connection) checkFirst(ctx context.Context, name string) error {
	piece := make([]byte, pieceSize)
	n, err := c.read(c.inside, piece)
	if n == 0 {
		if !errors.Is(err, io.EOF) {
			c.close()
		}
		return nil // there is nothing to carry, which copying finds as well
	}
	if piece[0] != handshake {
		c.prefix = piece[:n]
		return nil
	}
	return c.checkHello(ctx, name, piece[:n])
}

// checkHello reads the first words of TLS, of which begun was read before, and compares the name
// that they ask for with that of the host. What was read is the prefix then.
func (c *connection) checkHello(ctx context.Context, name string, begun []byte) error {
	if err := c.inside.SetReadDeadline(time.Now().Add(helloTime)); err != nil {
		return err
	}
	listened := &listened{Conn: c.inside, begun: bytes.NewReader(begun)}
	var asked string
	err := tls.Server(listened, &tls.Config{
		MinVersion: tls.VersionTLS12, // which says nothing of what is read
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			asked = strings.ToLower(hello.ServerName)
			return nil, errFound
		},
	}).HandshakeContext(ctx)
	c.prefix = listened.heard.Bytes()
	_, plain := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case plain:
		return errNoTLS
	case !errors.Is(err, errFound):
		return fmt.Errorf("read its first words of TLS: %w", err)
	case asked == name:
		return nil
	}
	_ = c.write(c.inside, unrecognizedName) // it may have ended
	if asked == "" {
		return errNoName
	}
	return fmt.Errorf("it asks for the host %q by TLS", asked)
}

// listened is a connection of which is kept what is read. Nothing is written to it.
type listened struct {
	net.Conn
	begun *bytes.Reader
	heard bytes.Buffer
}

// Read implements io.Reader.
func (l *listened) Read(piece []byte) (n int, err error) {
	if l.heard.Len() >= mostHello {
		return 0, errLong
	}
	if l.begun.Len() > 0 {
		n, err = l.begun.Read(piece)
	} else {
		n, err = l.Conn.Read(piece)
	}
	l.heard.Write(piece[:n])
	return n, err
}

// Write implements io.Writer.
func (l *listened) Write(piece []byte) (int, error) { return len(piece), nil }
