package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend"
	"fairlead/backend/mcp"
)

// addServer adds servers, or agrees to one that was added.
type addServer struct {
	Name    string   `arg:"" optional:"" help:"What the server is called: a to z, 0 to 9, - and _. Alone it is a server that was added, to agree to it for another folder or with another grant."`
	Command []string `arg:"" optional:"" help:"The program of the server and its arguments, after --."`

	serverFolder
	Folder    mcp.Folder `default:"none" enum:"none,read,write" placeholder:"GRANT" help:"What it may do in the folder: none, read or write."`
	Hosts     []string   `name:"host" sep:"none" placeholder:"NAME:PORT" help:"A host that it may reach; can be given several times. Without it, it has no network."`
	Variables []string   `name:"variable" sep:"none" placeholder:"NAME" help:"An environment variable that it is given; can be given several times."`
	Scripts   bool       `help:"Let install scripts of its packages run, confined."`

	URL     string   `name:"url" placeholder:"URL" help:"The address of a server elsewhere."`
	Headers []string `name:"header" sep:"none" placeholder:"NAME" help:"A header that is sent to it; can be given several times."`
	SSE     bool     `name:"sse" help:"It speaks the first version over HTTP, with server-sent events."`

	Paste string `placeholder:"FILE" help:"Add the servers of a file, or of standard input (-), as other clients have them in their JSON."`
	Yes   bool   `help:"Agree to all that is shown, and do not ask."`
}

// maxPasted is how much is read of a text with servers, in bytes. It is more than one may have.
const maxPasted = 1 << 20

// Run adds the servers, one after the other.
func (c *addServer) Run(with *surroundings) error {
	asked := newAsker(with.streams, c.Yes)
	if !asked.canAsk() {
		return &usageError{
			problem: "nobody can be asked what a server may do", hint: "add it at a terminal, or agree to all that is shown with --yes",
		}
	}
	servers, err := c.read(with.streams.In)
	if err != nil {
		return err
	}
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		folder, err := c.open(b)
		if err != nil {
			return err
		}
		asked.streams = with.streams // which hide values from now on
		failed := false
		for _, server := range servers {
			a := &adding{ctx: ctx, b: b, asker: asked, interrupts: with.interrupts, folder: folder, scripts: c.Scripts}
			err := a.add(server, c.known())
			if err != nil && len(servers) == 1 {
				return err
			}
			if err != nil {
				reportError(with.streams.Err, err)
				failed = true
			}
		}
		if failed {
			return &endedError{exitError}
		}
		return nil
	})
}

// known reports whether the flags name a server that was added.
func (c *addServer) known() bool { return c.Paste == "" && c.URL == "" && len(c.Command) == 0 }

// wanted is a server with what it is to be granted.
type wanted struct {
	mcp.Pasted
	grant mcp.Grant
}

// read takes the servers from the flags, or from a text.
func (c *addServer) read(in io.Reader) ([]wanted, error) {
	var hosts []mcp.Host
	for _, text := range c.Hosts {
		host, err := mcp.ParseHost(text)
		if err != nil {
			return nil, newUsageError(err)
		}
		hosts = append(hosts, host)
	}
	grant := mcp.Grant{Folder: c.Folder, Hosts: hosts}
	if c.Paste != "" {
		return c.readPasted(in, grant)
	}
	definition := mcp.Definition{
		Name: c.Name, Kind: mcp.KindStdio, URL: c.URL,
		Variables: slices.Sorted(slices.Values(c.Variables)), Headers: slices.Sorted(slices.Values(c.Headers)),
	}
	switch {
	case c.Name == "":
		return nil, &usageError{problem: "no server is named", hint: "give it a name and a command, as in fairlead mcp add notes -- npx -y PACKAGE, or an address with --url"}
	case c.known() && len(c.Variables)+len(c.Headers) > 0:
		return nil, &usageError{problem: "there is no command and no address", hint: "give the command after --, or an address with --url"}
	case c.known():
		return []wanted{{mcp.Pasted{Definition: definition}, grant}}, nil
	case c.URL != "" && c.SSE:
		definition.Kind = mcp.KindSSE
	case c.URL != "":
		definition.Kind = mcp.KindHTTP
	}
	if len(c.Command) > 0 {
		definition.Command, definition.Args = c.Command[0], c.Command[1:]
		if filepath.Base(definition.Command) != definition.Command {
			path, err := filepath.Abs(definition.Command)
			if err != nil {
				return nil, fmt.Errorf("find %s: %w", definition.Command, err)
			}
			definition.Command = path
		}
	}
	grant.Variables = definition.Variables
	if err := cmp.Or(definition.Check(), grant.Check(definition)); err != nil {
		return nil, newUsageError(err)
	}
	return []wanted{{mcp.Pasted{Definition: definition}, grant}}, nil
}

// readPasted takes the servers of a text. Each is granted all of its variables.
func (c *addServer) readPasted(in io.Reader, grant mcp.Grant) ([]wanted, error) {
	if c.URL != "" || len(c.Command)+len(c.Variables)+len(c.Headers) > 0 {
		return nil, &usageError{problem: "--paste has the command or the address of its servers", hint: "leave out the others"}
	}
	if c.Paste != "-" {
		file, err := os.Open(c.Paste)
		if err != nil {
			return nil, fmt.Errorf("read the servers: %w", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxPasted))
	if err != nil {
		return nil, fmt.Errorf("read the servers: %w", err)
	}
	found, err := mcp.Parse(string(text), c.Name)
	if err != nil {
		return nil, fmt.Errorf("read the servers: %w", err)
	}
	var servers []wanted
	for _, one := range found {
		server := wanted{Pasted: one}
		if one.Definition.Kind == mcp.KindStdio {
			server.grant = grant
			server.grant.Variables = one.Definition.Variables
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// values are those that the text of a server has, by name.
func (w wanted) values() map[string]string {
	all := map[string]string{}
	maps.Copy(all, w.Values)
	maps.Copy(all, w.HeaderValues)
	return all
}

// check returns why a server cannot be added.
func (w wanted) check() error {
	if w.Refused != nil {
		return w.Refused
	}
	err := cmp.Or(w.Definition.Check(), w.grant.Check(w.Definition))
	if err != nil && len(w.Needs) > 0 {
		return fmt.Errorf("%w; it needs %s", err, strings.Join(w.Needs, ", "))
	}
	return err
}

// errFailed ends a command with a code; why the server does not run was written before.
var errFailed error = &endedError{exitError}
