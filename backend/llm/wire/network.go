package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"

	"fairlead/backend/llm"
)

// broken makes the typed error of a connection to host that failed or broke. A
// request whose context ended gives the context's cause instead.
func broken(ctx context.Context, host string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e := &llm.Error{Class: llm.Network, Err: err}
	var (
		dns      *net.DNSError
		dial     *net.OpError
		verify   *tls.CertificateVerificationError
		plain    tls.RecordHeaderError
		timedOut net.Error
	)
	switch {
	case errors.As(err, &dns):
		e.Message, e.Hint = "find the address of "+host+": "+dns.Err, "check the base URL and the network"
	case errors.As(err, &plain):
		e.Message, e.Hint = "connect to "+host+": it does not speak TLS", "check whether the base URL should begin with http://"
	case errors.As(err, &verify):
		e.Message, e.Hint = "connect to "+host+": its certificate is not trusted", "check the base URL, the clock and the proxy"
	case errors.As(err, &timedOut) && timedOut.Timeout():
		e.Message, e.Hint = "connect to "+host+": no connection in time", "check the network; is the server at "+host+" running?"
	case errors.As(err, &dial) && dial.Op == "proxyconnect":
		e.Message, e.Hint = "connect to "+host+" through the proxy: "+dial.Err.Error(), "check the proxy of the settings, or HTTPS_PROXY and HTTP_PROXY"
	case dial != nil && dial.Op == "dial":
		e.Message, e.Hint = "connect to "+host+": "+dial.Err.Error(), "is the server at "+host+" running?"
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Class, e.Message, e.Hint = llm.Truncated, "the connection to "+host+" ended inside the answer", "try again"
	default:
		e.Message, e.Hint = "the connection to "+host+" broke: "+err.Error(), "check the network and try again"
	}
	return e
}
