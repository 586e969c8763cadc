package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"

	"fairlead/backend/llm"
)

// brokenError makes the typed error of a connection to host that failed or broke. A
// request whose context ended gives the context's cause instead.
func brokenError(ctx context.Context, host string, err error) error {
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
		why, hint := untrustedReason(verify.Err)
		e.Message, e.Hint = "connect to "+host+": its certificate is not trusted: "+why, hint
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
	e.Message = strings.TrimSuffix(e.Message, ".") // with which Windows ends its reasons
	return e
}

// untrustedReason says why a certificate is not trusted, and what to do about it.
func untrustedReason(err error) (why, hint string) {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	switch hint = "check the base URL, the clock and the proxy"; {
	case errors.As(err, &unknown):
		hint = "check the base URL and the proxy, or name its certificate authority in the setting ca_file"
	case errors.As(err, &name):
		hint = "check the base URL"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		hint = "check the clock of this computer; if it is right, the certificate has to be renewed"
	}
	return strings.TrimPrefix(err.Error(), "x509: "), hint
}
