package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fairlead/backend"
	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
	"fairlead/backend/message"
)

// testServer starts a server.
type testServer struct {
	Name string `arg:"" help:"The name of the server."`
	serverFolder
}

// Run starts it, shows what it is like, and asks about what was not agreed to.
func (c *testServer) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		folder, err := c.open(b)
		if err != nil {
			return err
		}
		if _, err := b.Servers.Registry.Server(c.Name); err != nil {
			return err
		}
		if _, agreed, err := agreement(b, folder, c.Name); err != nil || !agreed {
			return cmp.Or(err, fmt.Errorf("the server %s was not agreed to for %s; to be asked: fairlead mcp add %s", c.Name, folder, c.Name))
		}
		return trial{ctx, b, newAsker(with.streams, false), folder, c.Name, false}.run()
	})
}

// trial is the start of a server, to see what it is like.
type trial struct {
	ctx   context.Context //nolint:containedctx // it is one command
	b     *backend.Backend
	asker *asker
	// folder is the workspace, and name the server's.
	folder, name string
	// agreed reports whether the user has just agreed to its start.
	agreed bool
}

// run starts the server, shows its tools, and asks about those that were not agreed to. The error is
// an *endedError where it is not ready and nobody has said no.
func (t trial) run() error {
	servers := t.b.Servers.Open(t.folder)
	defer servers.Close()
	if ok, err := t.letStart(servers); err != nil || !ok {
		return err
	}
	t.asker.say("Starting %s …", t.name)
	status, err := servers.Try(t.ctx, t.name)
	if err != nil {
		return err
	}
	if status.State == mcp.StateSuspended && status.Found != nil {
		yes, err := t.agree(status)
		if err != nil {
			return err
		}
		if !yes {
			t.asker.say("Its tools are not used; to be asked again: fairlead mcp test %s", t.name)
			if t.agreed {
				return nil
			}
			return errFailed
		}
		if err := servers.Agree(t.ctx, t.name, status.Found.Hash); err != nil {
			return err
		}
		status = servers.Servers.Server(t.name).Await(t.ctx)
	}
	return t.tell(status)
}

// letStart asks about the start of a server that the system cannot hold to its hosts.
func (t trial) letStart(servers *host.Workspace) (bool, error) {
	asking, err := servers.AsksAtStart()
	if err != nil || !slices.Contains(asking, t.name) {
		return err == nil, err
	}
	yes := t.agreed
	if !yes {
		if !t.asker.canAsk() {
			return false, fmt.Errorf("the server %s was not started: the system cannot hold it to its hosts, so each start asks, and nobody can be asked; test it at a terminal", t.name)
		}
		for _, status := range servers.Servers.States() {
			if status.Definition.Name == t.name {
				t.asker.say("%s", startText(status))
			}
		}
		if yes, err = t.asker.ask("Start it?"); err != nil || !yes {
			return false, cmp.Or(err, errFailed)
		}
	}
	servers.LetStart(t.name)
	return true, nil
}

// startText says why the start of a server is asked about.
func startText(s mcp.Status) string {
	return fmt.Sprintf("The server %s may do this: it %s. The system does not hold it to that, and it reaches other hosts too.", s.Definition.Name, s.Grant)
}

// agree shows the tools of a server, whole, or how they differ from those that were agreed to, and
// asks about them.
func (t trial) agree(s mcp.Status) (bool, error) {
	count := len(s.Found.Tools)
	if s.Agreed == nil {
		t.asker.say("The server %s has %d %s:", t.name, count, plural(count, "tool", "tools"))
		for _, one := range s.Found.Tools {
			t.asker.quote(one.String())
			t.asker.say("")
		}
	} else {
		t.asker.say("! Suspended: %s.", s.Reason)
		t.showDifference(s.Difference)
	}
	for _, left := range s.LeftOut {
		t.asker.say("A tool cannot be used: %s, because %s.", left.Name, left.Reason)
	}
	if !t.asker.canAsk() {
		return false, nil
	}
	return t.asker.ask(fmt.Sprintf("Agree to %s %d %s?", plural(count, "this", "these"), count, plural(count, "tool", "tools")))
}

// showDifference shows every text that has changed, as it was and as it is.
func (t trial) showDifference(d *mcp.Difference) {
	if d == nil {
		return
	}
	each := func(what string, changes []mcp.ToolChange) {
		for _, change := range changes {
			t.asker.say("%s: %s", what, message.Inline(change.Name))
			if change.Old != "" {
				t.asker.say("what you agreed to:")
				t.asker.quote(change.Old)
			}
			if change.New != "" {
				t.asker.say("what there is now:")
				t.asker.quote(change.New)
			}
		}
	}
	each("New", d.Added)
	each("Gone", d.Removed)
	each("Changed", d.Changed)
}

// tell says how the server is.
func (t trial) tell(s mcp.Status) error {
	if s.State != mcp.StateReady {
		t.asker.say("error: %s", s.Reason)
		if len(s.Log) > 0 {
			t.asker.say("What it wrote last:")
			t.asker.quote(strings.Join(s.Log, "\n"))
		}
		if s.Definition.Kind != mcp.KindStdio {
			t.asker.say("hint: if it wants a sign-in: fairlead mcp sign-in %s", t.name)
		}
		return errFailed
	}
	confined := ""
	if s.Level != "" {
		confined = ", confinement: " + string(s.Level)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s  %s%s\n", t.name, s.State, confined)
	for _, one := range s.Agreed.Tools {
		first, _, _ := strings.Cut(strings.TrimSpace(one.Description), "\n")
		fmt.Fprintf(&text, "  %s  %s\n", one.Name, message.Inline(shortenText(first, 160)))
	}
	_, err := fmt.Fprint(t.asker.streams.Out, message.Visible(text.String()))
	return err
}
