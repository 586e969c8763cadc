package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/tool"
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

func httpError(format string, args ...any) *message.ToolError {
	return &message.ToolError{Code: message.HTTPError, Message: fmt.Errorf(format, args...).Error()}
}

// failedError says why the request to t has no answer.
func (g *getter) failedError(ctx context.Context, t target, err error) *message.ToolError {
	var refused *publicnet.DeniedError
	switch {
	case ctx.Err() != nil:
		failure := stoppedError(ctx)
		if failure.Code == message.ToolTimeout {
			failure.Message += g.unusedProxy(t)
		}
		return failure
	case errors.As(err, &refused):
		return deniedByTarget(t, refused.Error())
	case isUnconnected(err):
		return httpError("fetch %s: %s%s", t.url, connectionReason(err), g.unusedProxy(t))
	default:
		return httpError("fetch %s: %s", t.url, connectionReason(err))
	}
}

// isUnconnected reports whether there was no connection, or it broke.
func isUnconnected(err error) bool {
	_, unknown := errors.AsType[*net.DNSError](err)
	_, broken := errors.AsType[*net.OpError](err)
	return unknown || broken
}

// unusedProxy says that the environment names a proxy for t, which is not used; nothing
// where it names none.
func (g *getter) unusedProxy(t target) string {
	if g.proxy != nil {
		return ""
	}
	for _, name := range []string{t.url.Scheme + "_proxy", "all_proxy"} {
		for _, variable := range []string{strings.ToUpper(name), name} {
			if os.Getenv(variable) != "" {
				return fmt.Sprintf("; %s is set and not used: the user can name a proxy for http_get in the settings, as proxy", variable)
			}
		}
	}
	return ""
}

// stoppedError says why ctx ended.
func stoppedError(ctx context.Context) *message.ToolError {
	cause := context.Cause(ctx)
	code := message.Cancelled
	if errors.Is(cause, tool.ErrTimeout) {
		code = message.ToolTimeout
	}
	return &message.ToolError{Code: code, Message: cause.Error()}
}

// connectionReason says in words what went wrong with a connection.
func connectionReason(err error) string {
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
