package mcp

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/mcp/remote"
	"fairlead/backend/secret"
)

// elsewhere reaches servers over real HTTP, as remote does.
func elsewhere(_ context.Context, d Definition, _ Grant) (*Connection, error) {
	server, err := remote.Open(remote.Options{
		Server: d.Name, URL: d.URL, Kind: remote.Kind(d.Kind), Private: true,
		Redactor: &secret.Redactor{}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	transport, end := server.Transport()
	return &Connection{
		Transport: transport, Explain: func(err error) error { return server.Explain(err) },
		Close: func() error {
			end()
			server.Close()
			return nil
		},
	}, nil
}

func openElsewhere(t *testing.T, handler http.Handler) *Server {
	t.Helper()
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	servers := NewServers(Options{Starter: elsewhere})
	t.Cleanup(servers.Close)
	if err := servers.Put(Entry{Definition: Definition{Name: "notes", Kind: KindHTTP, URL: site.URL + "/mcp"}}); err != nil {
		t.Fatal(err)
	}
	server := servers.Server("notes")
	agree(t, server)
	return server
}

func TestEXT01_AServerElsewhere(t *testing.T) {
	notes := sdk.NewServer(&sdk.Implementation{Name: "notes", Version: "1"}, nil)
	t.Cleanup(func() {
		for session := range notes.Sessions() {
			_ = session.Close() // its client is gone
		}
	})
	sdk.AddTool(notes, &sdk.Tool{Name: "echo"}, func(_ context.Context, _ *sdk.CallToolRequest, in struct{ Text string }) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}, nil, nil
	})
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return notes }, nil)
	var broken atomic.Bool
	server := openElsewhere(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	wantReason(t, server, StateReady, "")
	result, err := callIt(t.Context(), server, "echo", `{"Text":"hello"}`)
	if err != nil || !strings.Contains(result.Text(), "hello") {
		t.Errorf("%q, %v", result.Text(), err)
	}
	broken.Store(true)
	if _, err := callIt(t.Context(), server, "echo", `{"Text":"hello"}`); err == nil || !strings.Contains(err.Error(), "has a fault of its own (502 Bad Gateway)") {
		t.Errorf("got %v", err)
	}
	broken.Store(false)
	if _, err := callIt(t.Context(), server, "echo", `{"Text":"hello"}`); err != nil {
		t.Error("one fault has ended the server: ", err)
	}
}

func TestEXT01_AServerElsewhereThatIsNone(t *testing.T) {
	wantReason(t, openElsewhere(t, http.NotFoundHandler()), StateFailed, "has nothing at /mcp (404): check the path")
	wantReason(t, openElsewhere(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://169.254.169.254/")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})), StateFailed, "169.254.169.254, an address of the local network")
}
