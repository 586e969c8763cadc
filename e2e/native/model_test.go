//go:build e2e && linux

package native

import (
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/llm/llmtest"
)

// model is a scripted model at an address on loopback.
type model struct {
	*llmtest.Server

	t   *testing.T
	url string
}

func startModel(t *testing.T, script string) *model {
	t.Helper()
	m := &model{Server: llmtest.Script(script), t: t}
	m.url = listen(t, m).URL + "/v1"
	t.Cleanup(func() {
		for _, fault := range m.Faults() {
			t.Errorf("the model was sent: %s", fault)
		}
	})
	return m
}

// listen serves a handler on loopback until the test ends.
func listen(t *testing.T, handler http.Handler) *httptest.Server {
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections() // who hangs is let go
		server.Close()
	})
	return server
}

// secure gives the model an address like that of a provider: https, and not on
// this computer. A proxy on loopback leads to it, and the program trusts its
// certificate, as it does where a company has both.
func (p *place) secure() {
	p.t.Helper()
	server := httptest.NewTLSServer(p.model)
	proxy := listen(p.t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != "example.com:443" {
			p.t.Errorf("the proxy was asked for %s %s", r.Method, r.URL)
			http.NotFound(w, r)
			return
		}
		tunnel(w, server.Listener.Addr().String())
	}))
	p.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	trusted := filepath.Join(p.root, "trusted.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	p.must(os.WriteFile(trusted, certificate, 0o600))
	p.env = append(p.env, "HTTPS_PROXY="+proxy.URL, "SSL_CERT_FILE="+trusted)
	p.model.url = "https://example.com/v1"
}

// tunnel connects a client with the address that it asked for.
func tunnel(w http.ResponseWriter, address string) {
	far, err := net.Dial("tcp", address)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer far.Close()
	near, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the asker is gone
	}
	defer near.Close()
	_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n") // the copies below find out
	go func() {
		_, _ = io.Copy(far, near)
		_ = far.Close()
	}()
	_, _ = io.Copy(near, far) // it ends when either end does
}

// sent is the text of the last message of the n-th request, counted from 1.
func (m *model) sent(n int) string {
	m.t.Helper()
	requests := m.Requests()
	if len(requests) < n {
		m.t.Fatalf("the model was asked %d times, not %d", len(requests), n)
	}
	messages := requests[n-1].Chat.Messages
	return messages[len(messages)-1].Text()
}

// task is the task that the n-th request ends with, without what the model is told
// of the surroundings.
func (m *model) task(n int) string {
	m.t.Helper()
	task, _, _ := strings.Cut(m.sent(n), "\n\n<surroundings>\n")
	return task
}
