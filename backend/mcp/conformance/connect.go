package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/mcp/remote"
	"fairlead/backend/secret"
)

// client reaches the suite's server. The user says yes to everything, and the browser
// follows every redirect.
type client struct {
	options remote.Options
	browser sync.WaitGroup
}

func newClient(ctx context.Context, address string, given input) *client {
	c := &client{}
	c.options = remote.Options{
		Server: name, URL: address, Kind: remote.HTTP, Private: true,
		Tokens: remote.NewKeyringTokens(secret.NewKeys()), Redactor: &secret.Redactor{}, Log: slog.Default(),
		Confirm: func(context.Context, remote.Question) bool { return true },
		Browser: func(address string) error {
			c.browser.Go(func() { visit(ctx, address) })
			return nil
		},
	}
	if given.ClientID != "" {
		c.options.Client = &remote.Client{ID: given.ClientID, Secret: secret.NewKey(given.ClientSecret)}
	}
	return c
}

func (c *client) open() (*remote.Server, error) { return remote.Open(c.options) }

// runSession runs what Fairlead has no use for, and the SDK's client has.
func (c *client) runSession(ctx context.Context, do func(context.Context, *sdk.ClientSession) error) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	defer server.Close()
	transport, end := server.Transport()
	defer end()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "fairlead", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
	}).Connect(ctx, transport, nil)
	if err != nil {
		return server.Explain(err)
	}
	defer session.Close()
	if err := do(ctx, session); err != nil {
		return server.Explain(err)
	}
	return nil
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
