package host

import (
	"context"
	"maps"
	"slices"

	"fairlead/backend/process"
)

// Guard looks at what in one workspace is kept from servers. It is safe for concurrent use.
type Guard interface {
	// Look returns what servers must not change there, for those that may write, and what they must
	// not read, as process.ServerCommand has it. What has to be there so that it can be kept from
	// them is made, and stays until release is called.
	Look(ctx context.Context, writes bool) (Kept, error)
	// Close lets go of the workspace, once all that was kept is released.
	Close() error
}

// Kept is what is kept from a server.
type Kept struct {
	Repositories, Cover []string
	Release             func()
}

// guarded is a server that sees the workspace.
type guarded struct {
	writes bool
	// releases let go of what was made so that it can be kept from the server: as long as it runs,
	// else it could make the same itself.
	releases []func()
}

// lookGuarded looks at what is kept from a server.
func (w *Workspace) lookGuarded(ctx context.Context, writes bool) (Kept, error) {
	w.guardMu.Lock()
	defer w.guardMu.Unlock()
	if w.guard == nil {
		guard, err := w.host.OpenGuard(w.path)
		if err != nil {
			return Kept{}, err
		}
		w.guard = guard
	}
	return w.guard.Look(ctx, writes)
}

// Protect keeps from the programs that run what has come to hold keys, or to be acted on by other
// programs, since they were started. One that it cannot be kept from is ended, and starts again with
// its next call.
func (w *Workspace) Protect(ctx context.Context) {
	w.mu.Lock()
	running := maps.Clone(w.running)
	w.mu.Unlock()
	for server, g := range running {
		kept, err := w.lookGuarded(ctx, g.writes)
		if err == nil {
			w.keep(server, kept.Release)
			err = server.Protect(ctx, kept.Repositories, kept.Cover)
		}
		if err == nil {
			continue
		}
		w.host.Log.Warn("keep files from an MCP server", "workspace", w.path, "error", err)
		if err := server.Close(); err != nil {
			w.host.Log.Warn("end an MCP server", "workspace", w.path, "error", err)
		}
	}
}

// note notes a server that sees the workspace, until it has ended, and what is kept from it.
func (w *Workspace) note(server *process.Server, writes bool, release func()) {
	w.mu.Lock()
	w.running[server] = &guarded{writes: writes, releases: []func(){release}}
	w.mu.Unlock()
	w.ending.Go(func() {
		<-server.Done()
		w.mu.Lock()
		releases := w.running[server].releases
		delete(w.running, server)
		w.mu.Unlock()
		for _, release := range slices.Backward(releases) {
			release()
		}
	})
}

// keep has what is kept from a server released with its end.
func (w *Workspace) keep(server *process.Server, release func()) {
	w.mu.Lock()
	g := w.running[server]
	if g != nil {
		g.releases = append(g.releases, release)
	}
	w.mu.Unlock()
	if g == nil { // it has ended meanwhile
		release()
	}
}
