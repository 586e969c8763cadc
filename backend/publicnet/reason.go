package publicnet

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// maxReason is how much of an error's text is told, bytes: a server can make some of
// them long.
const maxReason = 300

// The numbers that Windows Sockets give to a connection refused and one reset, which
// package syscall does not take for its own. No other system has numbers as high.
const (
	winsockReset   = syscall.Errno(10054)
	winsockRefused = syscall.Errno(10061)
)

// Reason says in words what went wrong with a connection, or with a request over one.
func Reason(err error) string {
	var (
		lookup      *net.DNSError
		operation   *net.OpError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	who := "the server"
	if errors.As(err, &operation) && operation.Op == "proxyconnect" {
		who = "the proxy"
	}
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return fmt.Sprintf("there is no host %s", lookup.Name)
	case errors.As(err, &lookup):
		return fmt.Sprintf("the host %s cannot be looked up: %s", lookup.Name, lookup.Err)
	case errors.As(err, &certificate):
		return fmt.Sprintf("the certificate of %s is not accepted: %s", who, shortText(certificate.Err))
	case errors.As(err, &record):
		return who + " does not answer with TLS"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, winsockRefused):
		return who + " refuses the connection"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, winsockReset),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return who + " ended the connection before its answer was complete"
	case operation != nil && operation.Timeout():
		return who + " does not answer"
	case operation != nil:
		// Its own text begins with the addresses.
		return shortText(operation.Err)
	default:
		return shortText(err)
	}
}

// shortText is the text of an error without the name of the package it comes from.
func shortText(err error) string {
	text := strings.TrimPrefix(err.Error(), "net/http: ")
	if len(text) > maxReason {
		text = text[:maxReason] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
