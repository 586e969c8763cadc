package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"fairlead/backend/publicnet"
)

// agent is what this program calls itself to a server.
const agent = "Fairlead"

// dial connects; address is host:port.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

// newTransport makes connections by a function. The proxy carries all requests but those
// to this computer.
func (s *Server) newTransport(connect dial) *http.Transport {
	t := &http.Transport{
		DialContext:            connect,
		TLSClientConfig:        &tls.Config{RootCAs: s.options.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        time.Minute,
	}
	if s.options.Proxy != nil {
		t.Proxy = func(request *http.Request) (*url.URL, error) {
			if isThisComputerName(request.URL.Hostname()) {
				return nil, nil //nolint:nilnil // as net/http wants it: no proxy
			}
			return s.options.Proxy, nil
		}
	}
	return t
}

// dialServer connects to the server, or to the proxy.
func (s *Server) dialServer(ctx context.Context, network, address string) (net.Conn, error) {
	if s.options.Proxy != nil && address == endpointOf(s.options.Proxy) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	dialer := s.dialer
	if s.options.Private && address == s.endpoint {
		dialer.Permit = s.permitPrivate
	}
	return dialer.DialContext(ctx, network, address)
}

// dialIssuer connects to who gives tokens, or to the proxy. A server on this computer may
// have its issuer beside it.
func (s *Server) dialIssuer(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err == nil && s.permitsBeside(host) {
		dialer := s.dialer
		dialer.Permit = func(to netip.AddrPort) bool { return publicnet.Plain(to.Addr()).IsLoopback() }
		return dialer.DialContext(ctx, network, address)
	}
	return s.dialServer(ctx, network, address)
}

// permitsBeside reports whether a host is this computer, as the server is that the user
// agreed to.
func (s *Server) permitsBeside(host string) bool {
	return s.options.Private && s.loopback && isThisComputerName(host)
}

// permitPrivate permits this computer and private networks, and nothing else that is not
// public: what clouds serve at 169.254.169.254 is nobody's MCP server.
func (s *Server) permitPrivate(to netip.AddrPort) bool {
	if s.dialer.Permit != nil && s.dialer.Permit(to) {
		return true
	}
	denied, ok := errors.AsType[*publicnet.DeniedError](s.dialer.Check(to))
	return ok && (denied.Kind == publicnet.ThisComputer || denied.Kind == publicnet.Private)
}

// checkTarget refuses an address by its text: without a proxy each is checked again when
// it is connected to. With beside, this computer is permitted where the server is there,
// as the user agreed to.
func (s *Server) checkTarget(to publicnet.Target, beside bool) error {
	agreed := s.options.Private && endpointOf(to.URL) == s.endpoint
	beside = beside && s.permitsBeside(to.URL.Hostname())
	switch {
	case beside:
		return nil
	case to.Literal.IsValid() && (!agreed || !s.permitPrivate(to.Literal)):
		if err := s.dialer.Check(to.Literal); err != nil {
			return s.refused(to, err.Error(), err)
		}
	case !to.Literal.IsValid() && publicnet.IsLocalName(to.URL.Hostname()) && !agreed:
		return s.refused(to, "this computer", nil)
	}
	if to.URL.Scheme != "https" && (!agreed || !s.loopback) {
		return s.fault(BadAddress, nil, "%s is not reached without encryption: write its address with https://", to.URL.Host)
	}
	return nil
}

// refused is the fault of an address that is not reached.
func (s *Server) refused(to publicnet.Target, where string, cause error) *Fault {
	return s.fault(AddressRefused, cause, "%s leads to %s, which %s may not reach: only the address that you typed and agreed to may be there",
		to.URL.Host, where, s.options.Server)
}

// connectionFault says why a request has no answer; life is that of its session.
func (s *Server) connectionFault(ctx, life context.Context, to *url.URL, err error) *Fault {
	var (
		fault       *Fault
		denied      *publicnet.DeniedError
		lookup      *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &fault):
		return fault
	case life.Err() != nil, errors.Is(ctx.Err(), context.Canceled):
		return s.fault(Cancelled, context.Canceled, "the request to %s was cancelled", to.Host)
	case ctx.Err() != nil:
		return s.fault(TimedOut, ctx.Err(), "%s did not answer in time", to.Host)
	case errors.As(err, &denied):
		return s.refused(publicnet.Target{URL: to}, denied.Error(), err)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return s.fault(NameUnknown, err, "there is no host %s: check the address of %s", lookup.Name, s.options.Server)
	case errors.As(err, &certificate), errors.As(err, &record):
		return s.fault(NotTrusted, err, "%s is not reached: %s", to.Host, publicnet.Reason(err))
	default:
		return s.fault(Unreachable, err, "%s is not reached: %s", to.Host, publicnet.Reason(err))
	}
}

// endpointOf is host:port of an address, with the port always there.
func endpointOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		switch u.Scheme {
		case "https":
			port = "443"
		case "socks5", "socks5h":
			port = "1080"
		default:
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// isThisComputer reports whether an address names this computer, by its text.
func isThisComputer(to publicnet.Target) bool { return isThisComputerName(to.URL.Hostname()) }

func isThisComputerName(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return publicnet.Plain(addr).IsLoopback()
	}
	return publicnet.IsLocalName(host)
}
