package cli

import (
	"context"
	"fmt"
	"sync/atomic"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
)

// usedServers are the MCP servers that a run has.
type usedServers struct {
	// workspace has them; nil for none.
	workspace *host.Workspace
	// changed reports whether one is in another state than before.
	changed atomic.Bool
	// told are those of which was said that the run does without them.
	told map[string]bool
}

// letStart asks about the start of servers that the system cannot hold to their hosts. The flag that
// answers questions about the network answers this one; where nobody can be asked, they are left out.
func (w *work) letStart(ctx context.Context) error {
	if w.servers.workspace == nil {
		return nil
	}
	asking, err := w.servers.workspace.AsksAtStart()
	if err != nil {
		return nil //nolint:nilerr // the run tells that there are no servers, and why
	}
	for _, name := range asking {
		server := w.servers.workspace.Servers.Server(name)
		if server == nil {
			continue
		}
		yes := w.task.AllowNetwork
		switch {
		case yes:
		case w.user == nil:
			w.servers.tell(name)
			w.writeLine(fmt.Sprintf("note: the server %s is left out: the system cannot hold it to its hosts, so each start asks; --allow-network answers yes", name))
		default:
			if yes, err = w.askStart(ctx, server.Status()); err != nil {
				return err
			}
			if !yes {
				w.servers.tell(name)
			}
		}
		if yes {
			w.servers.workspace.LetStart(name)
			server.Start()
		}
	}
	return nil
}

// askStart asks at the terminal whether a server may start.
func (w *work) askStart(ctx context.Context, s mcp.Status) (yes bool, err error) {
	milestone := "start of " + s.Definition.Name
	w.user.shown.markReached(milestone)
	err = w.user.askQuestion(ctx, posed{
		milestone: milestone, title: "the start of a server",
		text: func(columns int) string {
			text := "\n? start the server " + s.Definition.Name + "\n"
			for _, row := range foldRows(s.Definition.String(), columns) {
				text += gutter + row + "\n"
			}
			return text + startText(s) + "\n"
		},
		choices: "[y]es, [n]o: ",
		decide: func(_ context.Context, _ *answering, answer string) (bool, error) {
			yes = answer == "y" || answer == "yes"
			return yes || answer == "n" || answer == "no", nil
		},
	})
	return yes, err
}

// tell notes that it was said of a server that the run does without it, and reports whether it was
// not before.
func (u *usedServers) tell(name string) bool {
	if u.told == nil {
		u.told = map[string]bool{}
	}
	first := !u.told[name]
	u.told[name] = true
	return first
}

// notes are what there is to say of servers that the run does without, a line each, once.
func (u *usedServers) notes() (notes []string) {
	if u.workspace == nil || !u.changed.Swap(false) {
		return nil
	}
	for _, s := range u.workspace.Servers.States() {
		if s.State != mcp.StateSuspended && s.State != mcp.StateFailed || !u.tell(s.Definition.Name) {
			continue
		}
		notes = append(notes, fmt.Sprintf("note: the run does without the server %s: %s; to see more: fairlead mcp test %s", s.Definition.Name, s.Reason, s.Definition.Name))
	}
	return notes
}
