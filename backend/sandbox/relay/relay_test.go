package relay

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/publicnet"
)

// exchange is a relay of a test, with a host that the test plays.
type exchange struct {
	relay *Relay
	// inside is where the server connects.
	inside string
	// outside are the connections that the host got.
	outside chan net.Conn

	mu      sync.Mutex
	refused []string
}

// newExchange makes one for a host, and ends it with the test.
func newExchange(t *testing.T, host publicnet.Host) *exchange {
	t.Helper()
	far, near := listen(t), listen(t)
	x := &exchange{inside: near.Addr().String(), outside: make(chan net.Conn, mostConnections)}
	x.relay = New(Options{
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address != host.String() {
				t.Errorf("connects to %s", address)
			}
			return new(net.Dialer).DialContext(ctx, network, far.Addr().String())
		},
		Refused: func(of publicnet.Host, reason error) {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.refused = append(x.refused, of.String()+": "+reason.Error())
		},
	})
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			conn, err := far.Accept()
			if err != nil {
				return
			}
			x.outside <- conn
		}
	})
	x.relay.Serve(host, near)
	t.Cleanup(func() {
		x.relay.Close()
		far.Close()
		accepting.Wait()
		for len(x.outside) > 0 {
			(<-x.outside).Close()
		}
	})
	return x
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// connect connects as the server does.
func (x *exchange) connect(t *testing.T) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", x.inside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

// reasons are why connections were not carried, so far.
func (x *exchange) reasons() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return strings.Join(x.refused, "; ")
}

// hello is what a client says first by TLS to a host of a name.
func hello(t testing.TB, name string) []byte {
	t.Helper()
	near, far := net.Pipe()
	defer far.Close()
	var done sync.WaitGroup
	done.Go(func() { // it gets no answer
		_ = tls.Client(near, &tls.Config{ServerName: name, InsecureSkipVerify: true}).Handshake()
	})
	text := make([]byte, 64<<10)
	n, err := far.Read(text)
	far.Close()
	done.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return text[:n]
}

func write(t *testing.T, conn net.Conn, text []byte) {
	t.Helper()
	if _, err := conn.Write(text); err != nil {
		t.Fatal(err)
	}
}

// wantText reads a text.
func wantText(t *testing.T, conn net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

var (
	secure = publicnet.Host{Name: "api.example.com", Port: 443}
	plain  = publicnet.Host{Name: "api.example.com", Port: 8080}
)

func TestEXT01_WhatIsSaidIsCarriedBothWays(t *testing.T) {
	for _, host := range []publicnet.Host{secure, plain} {
		x := newExchange(t, host)
		inside := x.connect(t)
		first := hello(t, host.Name)
		// In pieces, as a network may deliver it.
		write(t, inside, first[:1])
		write(t, inside, first[1:])
		outside := <-x.outside
		defer outside.Close()
		wantText(t, outside, string(first))
		write(t, outside, []byte("answer"))
		wantText(t, inside, "answer")
		// What one has said all of, the other may still answer.
		if err := inside.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(outside); len(rest) > 0 || err != nil {
			t.Errorf("got %q, %v", rest, err)
		}
		write(t, outside, []byte("last words"))
		outside.Close()
		if rest, err := io.ReadAll(inside); string(rest) != "last words" || err != nil {
			t.Errorf("got %q, %v", rest, err)
		}
		if reasons := x.reasons(); reasons != "" {
			t.Error(reasons)
		}
	}
}

// Beside port 443 a host may speak first.
func TestEXT01_AHostMaySpeakFirst(t *testing.T) {
	x := newExchange(t, plain)
	inside := x.connect(t)
	outside := <-x.outside
	defer outside.Close()
	write(t, outside, []byte("220 ready"))
	wantText(t, inside, "220 ready")
	write(t, inside, []byte("plain"))
	wantText(t, outside, "plain")
}

func TestEXT01_NamesOfTLSAreCompared(t *testing.T) {
	const alert = "\x15\x03\x03\x00\x02\x02\x70"
	for name, test := range map[string]struct {
		host publicnet.Host
		said []byte
		// answer is what the server gets before the end, and reason part of why.
		answer, reason string
	}{
		"another name":          {secure, hello(t, "other.example.com"), alert, `the host "other.example.com"`},
		"a name below":          {secure, hello(t, "a.api.example.com"), alert, `the host "a.api.example.com"`},
		"no name":               {secure, hello(t, "192.0.2.1"), alert, "names no host"},
		"plain text":            {secure, []byte("GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n"), "", "does not begin as TLS does"},
		"half":                  {secure, hello(t, "api.example.com")[:100], "", "read its first words"},
		"nothing":               {secure, nil, "", "read its first words"},
		"endless":               {secure, bytes.Repeat([]byte{22, 3, 1, 0, 4, 1, 0, 0xff, 0xff}, 40_000), "", "read its first words"},
		"another name, 8080":    {plain, hello(t, "other.example.com"), alert, `the host "other.example.com"`},
		"no name, 8080":         {plain, hello(t, "192.0.2.1"), alert, "names no host"},
		"no real beginning":     {plain, []byte("\x16plain text"), "", "does not begin as TLS does"},
		"a record in two bytes": {plain, append([]byte{22, 3, 1, 0, 1, 1}, hello(t, "other.example.com")...), "", "read its first words"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newExchange(t, test.host)
			inside := x.connect(t)
			_, _ = inside.Write(test.said) // it may be refused before its end
			_ = inside.CloseWrite()        // it may have ended
			answer, _ := io.ReadAll(inside)
			if string(answer) != test.answer {
				t.Errorf("got %q", answer)
			}
			x.relay.Close()
			if reasons := x.reasons(); !strings.Contains(reasons, test.host.String()+": ") || !strings.Contains(reasons, test.reason) {
				t.Errorf("the reason is %q", reasons)
			}
			for len(x.outside) > 0 {
				outside := <-x.outside
				if said, _ := io.ReadAll(outside); len(said) > 0 {
					t.Errorf("the host was told %q", said)
				}
				outside.Close()
			}
		})
	}
	if name := "API.example.COM"; true {
		x := newExchange(t, secure)
		write(t, x.connect(t), hello(t, name))
		(<-x.outside).Close()
	}
}

func TestEXT01_AHostThatCannotBeReachedEndsTheConnection(t *testing.T) {
	near := listen(t)
	failure := errors.New("there is no such host")
	reasons := make(chan error, 1)
	r := New(Options{
		Dial:    func(context.Context, string, string) (net.Conn, error) { return nil, failure },
		Refused: func(_ publicnet.Host, reason error) { reasons <- reason },
	})
	defer r.Close()
	r.Serve(plain, near)
	inside, err := net.Dial("tcp", near.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	if text, _ := io.ReadAll(inside); len(text) > 0 {
		t.Errorf("got %q", text)
	}
	if err := <-reasons; !errors.Is(err, failure) {
		t.Errorf("the reason is %v", err)
	}
}

func TestEXT01_ConnectionsAreBounded(t *testing.T) {
	x := newExchange(t, plain)
	for range mostConnections {
		x.connect(t)
		defer (<-x.outside).Close()
	}
	over := x.connect(t)
	if text, _ := io.ReadAll(over); len(text) > 0 {
		t.Errorf("got %q", text)
	}
	if reasons := x.reasons(); reasons != plain.String()+": "+errTooMany.Error() {
		t.Errorf("the reason is %q", reasons)
	}
}

func TestEXT01_CloseEndsConnections(t *testing.T) {
	x := newExchange(t, plain)
	inside := x.connect(t)
	outside := <-x.outside
	defer outside.Close()
	x.relay.Close()
	if _, err := inside.Read(make([]byte, 1)); err == nil {
		t.Error("the server's end is open")
	}
	if _, err := outside.Read(make([]byte, 1)); err == nil {
		t.Error("the host's end is open")
	}
	if conn, err := net.Dial("tcp", x.inside); err == nil {
		conn.Close()
		t.Error("it listens on")
	}
}

// pipes is a listener of pipes.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error {
	defer func() { _ = recover() }() // it was closed before
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return nil }

func TestEXT01_AnIdleConnectionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inside, theirs := net.Pipe()
		outside, far := net.Pipe()
		r := New(Options{Dial: func(context.Context, string, string) (net.Conn, error) { return far, nil }})
		defer r.Close()
		listener := make(pipes, 1)
		r.Serve(plain, listener)
		listener <- theirs
		// As long as one end says something, the other may be silent.
		for range 5 {
			time.Sleep(idleTime - time.Second) //nolint:forbidigo // the time of the bubble
			write(t, inside, []byte("x"))
			wantText(t, outside, "x")
		}
		began := time.Now()
		if _, err := outside.Read(make([]byte, 1)); err == nil {
			t.Error("the host's end is open")
		}
		if took := time.Since(began); took < idleTime || took > 2*idleTime {
			t.Errorf("it ended after %v", took)
		}
		if _, err := inside.Read(make([]byte, 1)); err == nil {
			t.Error("the server's end is open")
		}
	})
}

// A server that begins with TLS and never says its name is not waited for.
func TestEXT01_AHalfHelloEnds(t *testing.T) {
	said := hello(t, secure.Name)
	synctest.Test(t, func(t *testing.T) {
		inside, theirs := net.Pipe()
		reasons := make(chan error, 1)
		r := New(Options{Refused: func(_ publicnet.Host, reason error) { reasons <- reason }})
		defer r.Close()
		listener := make(pipes, 1)
		r.Serve(secure, listener)
		listener <- theirs
		began := time.Now()
		write(t, inside, said[:50])
		if err := <-reasons; !isTimeout(err) || time.Since(began) != helloTime {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// Whatever is said first, the host is told nothing but what asks for its name.
func FuzzHello(f *testing.F) {
	f.Add(hello(f, "api.example.com"))
	f.Add(hello(f, "other.example.com"))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{22, 3, 1, 0, 4, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, said []byte) {
		inside := &script{Reader: bytes.NewReader(said)}
		c := &connection{idle: time.Minute, inside: inside}
		err := c.checkHello(context.Background(), "api.example.com", nil)
		if err == nil && !bytes.Contains(bytes.ToLower(said), []byte("api.example.com")) {
			t.Errorf("%q is carried", said)
		}
		if !bytes.HasPrefix(said, c.prefix) || err == nil && len(c.prefix) == 0 {
			t.Errorf("of %q is told %q", said, c.prefix)
		}
	})
}

// script is a connection that says what it was given.
type script struct {
	*bytes.Reader
	net.Conn
}

func (s *script) Read(piece []byte) (int, error)     { return s.Reader.Read(piece) }
func (s *script) Write(piece []byte) (int, error)    { return len(piece), nil }
func (s *script) Close() error                       { return nil }
func (s *script) SetReadDeadline(_ time.Time) error  { return nil }
func (s *script) SetWriteDeadline(_ time.Time) error { return nil }
func (s *script) SetDeadline(_ time.Time) error      { return nil }
