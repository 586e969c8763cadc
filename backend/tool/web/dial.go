package web

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
)

// maxHeader is the size of the largest header of an answer, bytes.
const maxHeader = 64 << 10

// newTransport makes the requests of one call, whose context is ctx. Its connections end
// with that: those of a shared one may go on, for the next request to use.
func (g *getter) newTransport(ctx context.Context) *http.Transport {
	t := &http.Transport{
		DialContext: func(_ context.Context, network, address string) (net.Conn, error) {
			conn, err := g.connect(ctx, network, address)
			if err == nil {
				context.AfterFunc(ctx, func() { _ = conn.Close() }) // there is nobody to tell
			}
			return conn, err
		},
		TLSClientConfig:        &tls.Config{RootCAs: g.roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeader,
	}
	if g.proxy != nil {
		t.Proxy = http.ProxyURL(g.proxy)
	}
	return t
}

// dialChecked connects without a proxy. Every address that a name leads to is checked when
// its turn comes.
func (g *getter) dialChecked(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{
		Resolver: g.resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("read the address to connect to: %w", err)
			}
			return g.checkAddress(to)
		},
	}
	return dialer.DialContext(ctx, network, address)
}

// checkAddress refuses an address that nothing is fetched from, with a *deniedError.
func (g *getter) checkAddress(to netip.AddrPort) error {
	if g.permit != nil && g.permit(to) {
		return nil
	}
	addr := plainAddress(to.Addr())
	if kind := specialReason(addr); kind != "" {
		return &deniedError{addr: addr, kind: kind}
	}
	interfaces, err := g.interfaces()
	if err != nil {
		return fmt.Errorf("list the addresses of this computer: %w", err)
	}
	if isOwn(addr, interfaces) {
		return &deniedError{addr: addr, kind: thisComputer}
	}
	return nil
}
