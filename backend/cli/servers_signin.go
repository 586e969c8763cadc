package cli

import (
	"context"
	"fmt"
	"strings"

	"fairlead/backend"
	"fairlead/backend/mcp/host"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
	"fairlead/backend/process"
)

// signInServer signs in to a server elsewhere.
type signInServer struct {
	Name string `arg:"" help:"The name of the server."`
	serverFolder
	Yes bool `help:"Open the browser, and do not ask."`
}

// Run shows where the browser is sent, asks, and waits for what comes back. Where no browser can be
// opened, the user opens the address.
func (c *signInServer) Run(with *surroundings) error {
	asked := newAsker(with.streams, c.Yes)
	if !asked.canAsk() {
		return &usageError{problem: "nobody can be asked whether the browser may be opened", hint: "sign in at a terminal, or with --yes"}
	}
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		folder, err := c.open(b)
		if err != nil {
			return err
		}
		asked.streams = with.streams
		shown := false
		err = b.Servers.SignIn(ctx, c.Name, host.SignIn{
			Confirm: func(_ context.Context, q remote.Question) bool {
				shown = true
				asked.say("The server %s wants you to sign in with %s.", message.Inline(q.Server), message.Inline(q.Issuer))
				if len(q.Scopes) > 0 {
					asked.say("It may then do what this names: %s.", message.Inline(strings.Join(q.Scopes, ", ")))
				}
				asked.say("The browser is sent to:")
				asked.quote(message.Inline(q.URL))
				yes, err := asked.ask("Open it?")
				return yes && err == nil
			},
			Browser: func(address string) error {
				if err := process.OpenLink(address, folder); err != nil {
					asked.say("No browser can be opened here (%s). Open the address yourself, on this computer:", oneLine(err.Error()))
					asked.say("%s", message.Inline(address))
				}
				asked.say("Waiting for the browser …")
				return nil
			},
		})
		if err != nil {
			return err
		}
		text := fmt.Sprintf("Signed in to %s.\n", c.Name)
		if !shown {
			text = fmt.Sprintf("The server %s answers; it wants no sign-in, or you are signed in already.\n", c.Name)
		}
		_, err = fmt.Fprint(with.streams.Err, text)
		return err
	})
}
