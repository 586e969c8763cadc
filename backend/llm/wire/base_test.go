package wire_test

import (
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"fairlead/backend/llm/wire"
)

// TestProxyOfTheSettings sends a request for another host to the proxy, and one for
// this computer past it.
func TestProxyOfTheSettings(t *testing.T) {
	answering := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, text+" "+r.Host)
		})
	}
	proxy := httptest.NewServer(answering("proxy"))
	defer proxy.Close()
	server := httptest.NewServer(answering("server"))
	defer server.Close()
	through, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	base := wire.NewBase(wire.Network{Proxy: through})
	defer base.CloseIdleConnections()
	client := &http.Client{Transport: base}
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"http://model.invalid/v1":  "proxy model.invalid",
		server.URL:                 "server " + strings.TrimPrefix(server.URL, "http://"),
		"http://localhost:" + port: "server localhost:" + port,
	} {
		response, err := client.Get(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(text) != want {
			t.Errorf("%s was answered with %q, %v", address, text, err)
		}
	}
}

// TestOwnAuthority reaches a server whose certificate no system trusts.
func TestOwnAuthority(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	base := wire.NewBase(wire.Network{Roots: roots})
	defer base.CloseIdleConnections()
	response, err := (&http.Client{Transport: base}).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}
