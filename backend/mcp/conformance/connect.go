package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/mcp/remote"
	"fairlead/backend/secret"
)

// connection is a session with a server.
type connection struct {
	server  *remote.Server
	session *mcp.ClientSession
	browser sync.WaitGroup
}

// connect opens a session as Fairlead does. The user says yes to everything, and the
// browser follows every redirect.
func connect(ctx context.Context, address string, given input) (*connection, error) {
	c := &connection{}
	o := remote.Options{
		Server: "conformance", URL: address, Kind: remote.HTTP, Private: true,
		Tokens: remote.NewKeyringTokens(secret.NewKeys()), Redactor: &secret.Redactor{}, Log: slog.Default(),
		Confirm: func(context.Context, remote.Question) bool { return true },
		Browser: func(address string) error {
			c.browser.Go(func() { visit(ctx, address) })
			return nil
		},
	}
	if given.ClientID != "" {
		o.Client = &remote.Client{ID: given.ClientID, Secret: secret.NewKey(given.ClientSecret)}
	}
	var err error
	if c.server, err = remote.Open(o); err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "fairlead", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	})
	transport, end := c.server.Transport()
	if c.session, err = client.Connect(ctx, transport, nil); err != nil {
		end()
		c.server.Close()
		return nil, fmt.Errorf("%s: %w", c.server.Explain(err).Text, err)
	}
	return c, nil
}

func (c *connection) close() {
	_ = c.session.Close() // the server may be gone
	c.server.Close()
	c.browser.Wait()
}

// visit opens an address in what stands for the browser.
func visit(ctx context.Context, address string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		slog.Error("the browser cannot open the address", "error", err)
		return
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		slog.Error("the browser shows nothing", "error", err)
		return
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body) // nobody looks
}
