package backend

import (
	"bytes"
	"context"
	"crypto/x509"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
	"fairlead/backend/mcp/install"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
	"fairlead/backend/secret"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// installsFolder is where servers are installed that would else be fetched at every start.
const installsFolder = "servers"

// newServers returns what runs the user's MCP servers. Nothing is read or made yet.
func (b *Backend) newServers(o Options, keys *secret.Keys) *host.Host {
	return host.New(host.Options{
		Registry: registry.New(b.Folders.Config, b.Folders.State),
		Installs: install.New(install.Options{
			Dir: filepath.Join(b.Folders.Data, installsFolder), Run: func(ctx context.Context, c install.Command) (string, error) {
				return install.Confined{System: b.Confinement(), Place: b.placeIn("", "installs")}.Run(ctx, c)
			},
		}),
		Values: host.NewValues(keys), Redactor: b.Redactor, Confinement: b.Confinement, Place: b.placeIn, OpenGuard: b.openServerGuard,
		Network: func() (*url.URL, *x509.CertPool, error) {
			network, err := b.Models.Network()
			return network.Proxy, network.Roots, err
		},
		Tokens: remote.NewKeyringTokens(keys), Version: o.Version, Log: b.Log, Changed: o.ServerChanged,
	})
}

// serverGuard looks at what in a folder is kept from servers: what other programs act on by themselves,
// and what holds keys. It implements host.Guard.
type serverGuard struct{ folder *workspace.Folder }

func (b *Backend) openServerGuard(path string) (host.Guard, error) {
	folder, err := b.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	folder.UseGit(askGit(folder.Path()))
	return serverGuard{folder}, nil
}

// Look implements host.Guard.
func (g serverGuard) Look(ctx context.Context, writes bool) (host.Kept, error) {
	kept := host.Kept{Release: func() {}}
	var err error
	if kept.Cover, err = g.folder.Secrets(ctx); err != nil || !writes {
		return kept, err
	}
	kept.Repositories, kept.Release = g.folder.HoldPins(ctx)
	return kept, nil
}

// Close implements host.Guard.
func (g serverGuard) Close() error { return g.folder.Close() }

// serverTools is the toolset of the servers that are switched on in a conversation.
type serverTools struct {
	tool.Toolset
	servers *host.Workspace
}

// Tools implements tool.Toolset.
func (s serverTools) Tools(ctx context.Context) ([]tool.Tool, error) {
	if _, err := s.servers.Refresh(); err != nil {
		return nil, err
	}
	return s.Toolset.Tools(ctx)
}

// openServers is where the tools of servers come from in a conversation.
func (b *Backend) openServers(c *Conversation, outputs *workspace.Outputs) tool.Toolset {
	c.servers = b.Servers.Open(c.folder.Path())
	return serverTools{servers: c.servers, Toolset: mcp.NewToolset(mcp.ToolsetOptions{
		Servers: c.servers.Servers, On: c.serversOn, Protect: c.servers.Protect, Record: c.recordServer, Undo: c.undoOfServer,
		Rendering: mcp.Rendering{
			Shorten: func(callID, text string) (string, bool) { return outputs.Shorten(callID, text, serverHead, serverTail) },
			Picture: func(ctx context.Context, name string, data []byte) (message.Block, error) {
				return b.ReadPicture(ctx, name, bytes.NewReader(data), int64(len(data)))
			},
		},
	})}
}

// serverHead and serverTail are how many characters of the beginning and of the end of an answer are
// given to the model.
const serverHead, serverTail = 24_000, 8_000

// ServerSwitch is the name by which a server is switched off in a conversation, among the sets of
// tools.
func ServerSwitch(name string) string { return "mcp/" + name }

// serversOn are the servers that are switched on in the conversation. In a draft they are those alone
// that have nothing to do with the folder: the others work on the folder itself.
func (c *Conversation) serversOn() (names []string) {
	all, err := c.servers.Refresh()
	if err != nil {
		return nil
	}
	var off []string
	if c.Driver != nil {
		off = c.GroupsOff()
	}
	for _, name := range all {
		server := c.servers.Servers.Server(name)
		if server == nil || slices.Contains(off, ServerSwitch(name)) {
			continue
		}
		if folder := server.Status().Grant.Folder; c.drafts.toolsNow() != nil && folder != "" && folder != mcp.FolderNone {
			continue
		}
		names = append(names, name)
	}
	return names
}

// undoOfServer is how far what a server changes could be taken back.
func (c *Conversation) undoOfServer(ctx context.Context) *message.Undo {
	return shell.UndoCompared(ctx, c.changes)
}

// afterServer is how long the look at what a server has changed may take.
const afterServer = 10 * time.Second

// recordServer notes what changes in the folder while a call of a server runs, and what of it other
// programs run by themselves (SPEC SEC-08).
func (c *Conversation) recordServer(ctx context.Context, callID string) (func(context.Context) mcp.Recorded, error) {
	_, after := c.folder.BeforeCommand(ctx)
	command, err := c.changes.BeginCommand(ctx, callID)
	return func(ctx context.Context) mcp.Recorded {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), afterServer)
		defer cancel()
		recorded := mcp.Recorded{Notices: after(ctx)}
		if command == nil {
			return recorded
		}
		set, err := command.End(ctx)
		switch {
		case err != nil:
			recorded.Told = "(what this call changed could not be recorded: " + err.Error() + ")"
		case set != nil:
			recorded.Changes = workspace.ChangesOf(set)
			recorded.Told = shell.DescribeChanges(recorded.Changes, len(set.Others) > 0)
		}
		return recorded
	}, err
}
