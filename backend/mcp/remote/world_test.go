package remote

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/publicnet/publicnettest"
	"fairlead/backend/secret"
)

// memoryTokens is a store for tests that are not about the keyring.
type memoryTokens struct {
	mu     sync.Mutex
	values map[string]secret.Key
}

func (m *memoryTokens) Load(_ context.Context, server, issuer string) (secret.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.values[server+" "+issuer], nil
}

func (m *memoryTokens) Save(_ context.Context, server, issuer string, value secret.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string]secret.Key{}
	}
	m.values[server+" "+issuer] = value
	return nil
}

func (m *memoryTokens) Delete(_ context.Context, server, issuer string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, server+" "+issuer)
	return nil
}

// serve starts a server at loopback, which ends with the test.
func serve(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// open opens a server at an address of this computer that the user agreed to, unless the
// options say otherwise.
func open(t *testing.T, address string, change ...func(*Options)) *Server {
	t.Helper()
	o := Options{
		Server: "notes", URL: address, Kind: HTTP, Private: true, Tokens: &memoryTokens{}, Redactor: &secret.Redactor{},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	for _, one := range change {
		one(&o)
	}
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// connect opens a session.
func connect(ctx context.Context, t *testing.T, s *Server) (*mcp.ClientSession, error) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "fairlead", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	transport, end := s.Transport()
	t.Cleanup(end)
	session, err := client.Connect(ctx, transport, nil)
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

// wantFault connects, which is to fail with this code and these words.
func wantFault(t *testing.T, s *Server, code Code, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := connect(ctx, t, s)
	checkFault(t, s, err, code, words...)
}

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

func checkFault(t *testing.T, s *Server, err error, code Code, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("it succeeds; want %s", code)
		return
	}
	fault := s.Explain(err)
	if fault.Code != code {
		t.Errorf("got %s: %q (%v), want %s", fault.Code, fault.Text, err, code)
	}
	for _, word := range words {
		if !strings.Contains(fault.Text, word) {
			t.Errorf("got %q, want it to hold %q", fault.Text, word)
		}
	}
	if strings.ContainsAny(fault.Text, "\n\r") || len(fault.Text) > 800 {
		t.Errorf("it is no sentence: %.1000q", fault.Text)
	}
}

// newNotes returns an MCP server with one tool. Its sessions end with the test.
func newNotes(t *testing.T) *mcp.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close() // its client may be gone
		}
	})
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "returns its text"},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			Text string `json:"text"`
		},
		) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
		})
	return server
}

func streamable(t *testing.T) http.Handler {
	t.Helper()
	server := newNotes(t)
	// It would refuse names of the public internet at loopback.
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{DisableLocalhostProtection: true})
}

// callEcho calls the tool of newNotes.
func callEcho(ctx context.Context, session *mcp.ClientSession, text string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}})
	if err != nil {
		return "", err
	}
	if len(result.Content) != 1 {
		return "", errors.New("no content")
	}
	return result.Content[0].(*mcp.TextContent).Text, nil
}

// wantEcho connects and calls the tool.
func wantEcho(t *testing.T, s *Server) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	session, err := connect(ctx, t, s)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := callEcho(ctx, session, "hello"); err != nil || text != "hello" {
		t.Fatalf("got %q, %v", text, err)
	}
	return session
}

// site is a server with the names of the public internet, over TLS: mcp.example.com and
// the like lead to it, and it may be reached.
type site struct {
	*httptest.Server
	roots *x509.CertPool
}

func newSite(t *testing.T, handler http.Handler) *site {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(io.Discard, nil), slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return &site{Server: server, roots: roots}
}

// at is an address of the site under a name.
func (s *site) at(name, path string) string {
	return "https://" + net.JoinHostPort(name, s.port()) + path
}

func (s *site) port() string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// openAt opens a server at a name of the site. Other names lead where names says; nil is
// the site, and none is not found.
func (s *site) openAt(t *testing.T, address string, names map[string]string, change ...func(*Options)) *Server {
	t.Helper()
	change = append([]func(*Options){func(o *Options) { o.Private, o.Roots = false, s.roots }}, change...)
	server := open(t, address, change...)
	own := netip.MustParseAddrPort(s.Listener.Addr().String())
	server.dialer.Permit = func(to netip.AddrPort) bool { return to == own }
	server.dialer.Resolver = publicnettest.Resolver(t, func(name string) []netip.Addr {
		if to, ok := names[name]; ok {
			return []netip.Addr{netip.MustParseAddr(to)}
		}
		if strings.HasSuffix(name, "example.com") {
			return []netip.Addr{own.Addr()}
		}
		return nil
	})
	return server
}
