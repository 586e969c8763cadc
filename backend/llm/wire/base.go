package wire

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Connecting may take 15 s in all (SPEC LOOP-07), shared between the two parts.
const (
	dialTime = 10 * time.Second
	tlsTime  = 5 * time.Second
)

// Network is the way to a server. The zero Network takes proxies from the environment
// and trusts the system's certificate authorities.
type Network struct {
	// Proxy carries every request but those to this computer; nil leaves it to
	// HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
	Proxy *url.URL
	// Roots are the certificate authorities to trust; nil trusts the system's.
	Roots *x509.CertPool
}

// NewBase returns a transport fit for long streams: a limit on connecting, none
// on answering, HTTP/2, kept connections.
func NewBase(network Network) *http.Transport {
	base := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTime, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout: tlsTime,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     90 * time.Second,
		// Without pings a connection that died while the machine slept would
		// swallow the next request until its silence is noticed.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
	}
	if network.Proxy != nil {
		base.Proxy = network.proxyFor
	}
	if network.Roots != nil {
		base.TLSClientConfig = &tls.Config{RootCAs: network.Roots, MinVersion: tls.VersionTLS12}
	}
	return base
}

// proxyFor leaves this computer out, as proxies of the environment do.
func (n Network) proxyFor(request *http.Request) (*url.URL, error) {
	host := request.URL.Hostname()
	if host == "localhost" || net.ParseIP(host).IsLoopback() {
		return nil, nil
	}
	return n.Proxy, nil
}
