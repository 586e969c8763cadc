// Package host runs the MCP servers that the user has added and agreed to: it finds their programs
// and their values, starts each confined within its grant, one process for each server and workspace,
// and ends them with the last that uses the workspace. What they say is package mcp's.
package host

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sync"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/install"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/secret"
)

// Options are what servers are run with.
type Options struct {
	// Registry has the servers, and Installs the programs of those that were installed.
	Registry *registry.Registry
	Installs *install.Installer
	// Values are those of variables and headers.
	Values *Values
	// Redactor is told every value and token.
	Redactor *secret.Redactor
	// Confinement says how far programs can be confined here, and Place where a server of a
	// workspace runs, with a private folder that no other has.
	Confinement func() *sandbox.System
	Place       func(workspace, private string) sandbox.Place
	// OpenGuard returns what looks at what in a workspace is kept from servers.
	OpenGuard func(workspace string) (Guard, error)
	// Network returns the proxy, nil for none, and the certificate authorities that are trusted, nil
	// for the system's.
	Network func() (*url.URL, *x509.CertPool, error)
	// Tokens keeps what signing in to servers elsewhere gave.
	Tokens remote.TokenStore
	// Version is that of Fairlead.
	Version string
	Log     *slog.Logger
	// Changed is told that a server of a workspace is in another state, from any goroutine; nil for
	// nobody.
	Changed func(workspace, name string)
}

// Host has the servers of all open workspaces. It is safe for concurrent use.
type Host struct {
	Options

	mu   sync.Mutex
	open map[string]*Workspace
}

// New returns a host without servers.
func New(o Options) *Host { return &Host{Options: o, open: map[string]*Workspace{}} }

// Workspace has the servers of one workspace, for as long as anybody uses it.
type Workspace struct {
	host *Host
	path string
	// Servers are those that the user has agreed to for the workspace.
	Servers *mcp.Servers
	// users counts those who have opened it; the lock of the host guards it.
	users int

	mu sync.Mutex
	// stamp is that of the registry when it was read last, and agreed what there was.
	stamp  string
	agreed map[string]registry.Agreement
	// fault is why the registry cannot be read.
	fault error
	// running are the servers that see the workspace and have not ended, and ending waits until what
	// was kept from them is released.
	running map[*process.Server]*guarded
	ending  sync.WaitGroup
	// starts counts, by name, the starts that the user has agreed to (LetStart).
	starts map[string]int

	// guardMu guards guard, which is nil until a server sees the workspace.
	guardMu sync.Mutex
	guard   Guard
}

// Open returns the servers of a workspace, which the caller closes. None is started yet.
func (h *Host) Open(workspace string) *Workspace {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.open[workspace]
	if w == nil {
		w = &Workspace{host: h, path: workspace, agreed: map[string]registry.Agreement{}, running: map[*process.Server]*guarded{}, starts: map[string]int{}}
		w.Servers = mcp.NewServers(mcp.Options{
			Starter: w.start, Version: h.Version, Changed: func(name string) {
				if h.Changed != nil {
					h.Changed(workspace, name)
				}
			},
		})
		h.open[workspace] = w
	}
	w.users++
	return w
}

// Close ends the servers of the workspace, unless others have it open.
func (w *Workspace) Close() {
	w.host.mu.Lock()
	w.users--
	last := w.users == 0
	if last {
		delete(w.host.open, w.path)
	}
	w.host.mu.Unlock()
	if !last {
		return
	}
	w.Servers.Close()
	w.ending.Wait()
	w.guardMu.Lock()
	defer w.guardMu.Unlock()
	if w.guard != nil {
		if err := w.guard.Close(); err != nil {
			w.host.Log.Warn("let go of the folder of MCP servers", "workspace", w.path, "error", err)
		}
	}
}

// Refresh takes over what the user has agreed to by now, starts servers that are new, ends those
// that are gone or changed, and returns the names of all, sorted. One whose start asks waits. While
// nothing has changed it costs next to nothing. A registry that cannot be read leaves no server.
func (w *Workspace) Refresh() ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stamp := w.host.Registry.Stamp(); stamp != w.stamp {
		agreed, err := w.host.Registry.Agreed(w.path)
		w.fault = err
		w.take(agreed)
		w.stamp = stamp
	}
	var names []string
	for name := range w.agreed {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, w.fault
}

// take puts servers in the place of those there were. The caller holds the lock.
func (w *Workspace) take(all []registry.Agreement) {
	before := w.agreed
	w.agreed = map[string]registry.Agreement{}
	for _, a := range all {
		old, known := before[a.Name]
		delete(before, a.Name)
		w.agreed[a.Name] = a
		if known && same(old, a) {
			continue
		}
		w.Servers.Remove(a.Name)
		delete(w.starts, a.Name)
		if err := w.Servers.Put(mcp.Entry{Definition: a.Definition, Grant: a.Grant, Pin: a.Pin}); err != nil {
			w.host.Log.Warn("add an MCP server", "server", a.Name, "error", err)
			delete(w.agreed, a.Name)
			continue
		}
		// None is added once the workspace is closed.
		if server := w.Servers.Server(a.Name); server != nil && !w.asksAtStart(a) {
			server.Start()
		}
	}
	for name := range before {
		w.Servers.Remove(name)
	}
}

// same reports whether nothing has changed between two agreements.
func same(a, b registry.Agreement) bool {
	pinOf := func(p *mcp.Pin) string {
		if p == nil {
			return ""
		}
		return p.Hash
	}
	return a.Hash() == b.Hash() && a.Grant.Hash() == b.Grant.Hash() && pinOf(a.Pin) == pinOf(b.Pin)
}

// Try starts a server and waits until it runs or does not.
func (w *Workspace) Try(ctx context.Context, name string) (mcp.Status, error) {
	if _, err := w.Refresh(); err != nil {
		return mcp.Status{}, err
	}
	server := w.Servers.Server(name)
	if server == nil {
		return mcp.Status{}, &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("%s is no server that was agreed to for this folder", message.Inline(name))}
	}
	server.Start()
	return server.Await(ctx), nil
}

// agreement returns what the user has agreed to of a server.
func (w *Workspace) agreement(name string) (registry.Agreement, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, ok := w.agreed[name]
	return a, ok
}

// Agree notes that the user agrees to the tools of a server that the pin of this hash names.
func (w *Workspace) Agree(ctx context.Context, name, hash string) error {
	server := w.Servers.Server(name)
	a, known := w.agreement(name)
	if server == nil || !known {
		return &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("%s is no server that was agreed to for this folder", message.Inline(name))}
	}
	if w.asksAtStart(a) {
		w.LetStart(name) // with its tools, its start is agreed to
	}
	pin, err := server.Agree(hash)
	if err != nil {
		return fmt.Errorf("agree to the tools of %s: %w", name, err)
	}
	w.mu.Lock()
	a.Pin = pin
	w.agreed[name] = a // so that the server, which starts again by itself, is not put in its own place
	w.mu.Unlock()
	return w.host.Registry.Agree(ctx, w.path, name, a.Grant, pin)
}
