package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairlead/backend"
	"fairlead/backend/mcp"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/message"
)

// serversCommand is about MCP servers.
type serversCommand struct {
	List   listServers  `cmd:"" default:"withargs" help:"List the servers, and what was agreed to of them for a folder."`
	Add    addServer    `cmd:"" help:"Add a server and agree to it for a folder, in up to three questions."`
	Test   testServer   `cmd:"" help:"Start a server and show its tools, or what has changed of them."`
	Set    setValue     `cmd:"" help:"Give the value of a variable or of a header of a server."`
	SignIn signInServer `cmd:"" help:"Sign in to a server elsewhere, in the browser."`
	Remove removeServer `cmd:"" help:"Forget a server, with its values and what was installed for it."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// serverFolder names the folder that a server is used for.
type serverFolder struct {
	Workspace string `default:"." placeholder:"DIR" help:"The folder that it is used for; without it the one you are in."`
}

// open is the path of the folder as conversations know it. One that cannot be worked on gives a
// *workspace.RefusedError.
func (c serverFolder) open(b *backend.Backend) (string, error) {
	folder, err := b.OpenFolder(c.Workspace)
	if err != nil {
		return "", err
	}
	return folder.Path(), folder.Close()
}

// serverLine is a server as JSON.
type serverLine struct {
	mcp.Definition
	// Package and Version are those that were installed for it, and Private reports whether the address of
	// this computer or of a private network was agreed to.
	Package string `json:"package,omitempty"`
	Version string `json:"version,omitempty"`
	Private bool   `json:"private,omitempty"`
	// Grant is what it may do for the folder; nil where it was not agreed to. Tools counts those that
	// were agreed to; nil for none yet.
	Grant *mcp.Grant `json:"grant"`
	Tools *int       `json:"tools"`
}

type listServers struct {
	serverFolder
	Output string `default:"text" enum:"text,json" placeholder:"FORM" help:"text, or json: one list."`
}

// Run lists servers.
func (c *listServers) Run(with *surroundings) error {
	folder, err := realPath(c.Workspace)
	if err != nil {
		return err
	}
	return toRead(with, func(_ context.Context, b *backend.Backend) error {
		all, err := b.Servers.Registry.Servers()
		if err != nil {
			return err
		}
		agreed, err := b.Servers.Registry.Agreed(folder)
		if err != nil {
			return err
		}
		lines := make([]serverLine, len(all))
		for i, server := range all {
			lines[i] = serverLine{Definition: server.Definition, Private: server.Private}
			if installed, err := b.Servers.Installs.Open(server.Install); server.Install != "" && err == nil {
				lines[i].Package, lines[i].Version = installed.Package, installed.Version
			}
			at := slices.IndexFunc(agreed, func(a registry.Agreement) bool { return a.Name == server.Name })
			if at < 0 {
				continue
			}
			lines[i].Grant = &agreed[at].Grant
			if pin := agreed[at].Pin; pin != nil {
				tools := len(pin.Tools)
				lines[i].Tools = &tools
			}
		}
		if c.Output == "json" {
			return writeJSON(with.streams.Out, lines)
		}
		if len(lines) == 0 {
			_, err := fmt.Fprintln(with.streams.Err, "There are no MCP servers; fairlead mcp add adds one.")
			return err
		}
		return writeServers(with.streams.Out, folder, lines)
	})
}

// writeServers writes a server as a line and what belongs to it below.
func writeServers(out io.Writer, folder string, lines []serverLine) error {
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "%s  %s\n", line.Name, line.Definition)
		if line.Package != "" {
			fmt.Fprintf(&text, "  installed: %s %s\n", message.Inline(line.Package), message.Inline(line.Version))
		}
		if len(line.Headers) > 0 {
			fmt.Fprintf(&text, "  sent with: %s\n", strings.Join(line.Headers, ", "))
		}
		if line.Grant == nil {
			text.WriteString("  not agreed to for this folder\n")
			continue
		}
		tools := "no tools agreed to yet"
		if line.Tools != nil {
			tools = fmt.Sprintf("%d %s agreed to", *line.Tools, plural(*line.Tools, "tool", "tools"))
		}
		fmt.Fprintf(&text, "  for %s: %s; %s\n", message.Inline(folder), grantText(line.Definition, *line.Grant), tools)
	}
	_, err := io.WriteString(out, message.Visible(text.String()))
	return err
}

// grantText is what a server may do, in words.
func grantText(d mcp.Definition, grant mcp.Grant) string {
	if d.Kind != mcp.KindStdio {
		return "is sent what its tools are called with"
	}
	return grant.String()
}

type removeServer struct {
	Name string `arg:"" help:"The name of the server."`
}

// Run removes a server.
func (c *removeServer) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		if err := b.Servers.Remove(ctx, c.Name); err != nil {
			return err
		}
		_, err := fmt.Fprintf(with.streams.Err, "Removed: %s, with its values and what was agreed to.\n", c.Name)
		return err
	})
}
