package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
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
