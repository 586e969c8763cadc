package wire

import (
	"net"
	"net/http"
	"time"
)

// Connecting may take 15 s in all (SPEC LOOP-07), shared between the two parts.
const (
	dialTime = 10 * time.Second
	tlsTime  = 5 * time.Second
)

// NewBase returns a transport fit for long streams: a limit on connecting, none
// on answering, proxies from the environment, HTTP/2, kept connections.
func NewBase() *http.Transport {
	return &http.Transport{
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
}
