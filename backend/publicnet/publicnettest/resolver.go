// Package publicnettest answers for the names of tests.
package publicnettest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Resolver returns a resolver that asks a server of the test, which answers by a
// function: it is given the name without the last dot, and nil is a name that is not
// found.
func Resolver(t testing.TB, answer func(name string) []netip.Addr) *net.Resolver {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				answerOver(conn, answer)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		all.Wait()
	})
	// Over TCP, because not every system that the tests run on has UDP.
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", listener.Addr().String())
	}}
}

// answerOver answers questions about names until the connection ends. Over TCP two bytes before
// each message say how long it is (RFC 1035, 4.2.2).
func answerOver(conn net.Conn, answer func(name string) []netip.Addr) {
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		answered := resolve(question, answer)
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answered))), answered...)); err != nil { //nolint:gosec // a packed message is shorter than 64 KiB
			return
		}
	}
}

// resolve answers a question about a name.
func resolve(question []byte, answer func(name string) []netip.Addr) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	addresses := answer(strings.TrimSuffix(q.Name.String(), "."))
	if addresses == nil {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, addr := range addresses {
		resource := dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET}}
		switch {
		case addr.Is4() && q.Type == dnsmessage.TypeA:
			resource.Body = &dnsmessage.AResource{A: addr.As4()}
		case addr.Is6() && q.Type == dnsmessage.TypeAAAA:
			resource.Body = &dnsmessage.AAAAResource{AAAA: addr.As16()}
		default:
			continue
		}
		m.Answers = append(m.Answers, resource)
	}
	packed, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return packed
}
