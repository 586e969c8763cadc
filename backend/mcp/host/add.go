package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/install"
	"fairlead/backend/mcp/registry"
)

// Offer returns what a definition that fetches its program would install today, by asking the
// registry of packages over the network; nil for a definition that fetches nothing. What installs of
// killed processes have left is deleted.
func (h *Host) Offer(ctx context.Context, definition mcp.Definition) (*install.Offer, error) {
	if err := definition.Check(); err != nil {
		return nil, err
	}
	if _, fetches := definition.Fetches(); !fetches {
		return nil, nil //nolint:nilnil // nothing is offered
	}
	request, _, err := install.Recognise(definition.Command, definition.Args)
	if err != nil {
		return nil, err
	}
	if err := h.Installs.Sweep(); err != nil {
		h.Log.Warn("delete what unfinished installs have left", "error", err)
	}
	offer, err := h.Installs.Resolve(ctx, request)
	if err != nil {
		return nil, err
	}
	return &offer, nil
}

// Addition is a server to add, as the user has seen it.
type Addition struct {
	Definition mcp.Definition
	// Values are those of variables and headers, by name; those that are missing can be given later.
	Values map[string]string
	// Offer is what is installed for it, and Scripts reports whether install scripts run; nil for a
	// definition that fetches nothing.
	Offer   *install.Offer
	Scripts bool
	// Private reports whether the user agreed to an address of this computer or of a private network.
	Private bool
}

// Add installs what has to be, keeps the values, and adds a server in the place of one of the same
// name. It runs nothing of it yet. unsaved are the values that are kept as long as the program lasts
// only, and why.
func (h *Host) Add(ctx context.Context, a Addition) (unsaved error, err error) {
	server := registry.Server{Definition: a.Definition, Private: a.Private}
	if _, fetches := a.Definition.Fetches(); fetches {
		if a.Offer == nil {
			return nil, fmt.Errorf("add the server %s: nobody has agreed to what is installed for it", a.Definition.Name)
		}
		installed, err := h.Installs.Install(ctx, *a.Offer, a.Scripts)
		if err != nil {
			return nil, fmt.Errorf("install %s: %w", a.Offer.Main(), err)
		}
		server.Install = installed.Name
	}
	old, err := h.Registry.Server(a.Definition.Name)
	replaces := err == nil
	if err := h.Registry.Put(ctx, server); err != nil {
		return nil, err
	}
	for name, value := range a.Values {
		unsaved = errors.Join(unsaved, h.Values.Save(ctx, a.Definition.Name, name, value))
	}
	if replaces && old.Install != server.Install {
		err = h.removeInstall(ctx, old.Install)
		return unsaved, err
	}
	return unsaved, nil
}

// Remove forgets a server: what was agreed to, its values, and what was installed for it alone. Its
// process ends where Refresh is called next.
func (h *Host) Remove(ctx context.Context, name string) error {
	server, err := h.Registry.Server(name)
	if err != nil {
		return err
	}
	if err := h.Registry.Remove(ctx, name); err != nil {
		return err
	}
	h.refresh()
	return errors.Join(h.Values.Forget(ctx, server), h.removeInstall(ctx, server.Install))
}

// refresh has all open workspaces take over what has changed.
func (h *Host) refresh() {
	h.mu.Lock()
	var open []*Workspace
	for _, w := range h.open {
		open = append(open, w)
	}
	h.mu.Unlock()
	for _, w := range open {
		_, _ = w.Refresh() // who uses it is told
	}
}

// removeInstall removes an install that no server is started from.
func (h *Host) removeInstall(ctx context.Context, name string) error {
	servers, err := h.Registry.Servers()
	if err != nil {
		return err
	}
	if name == "" || slices.ContainsFunc(servers, func(s registry.Server) bool { return s.Install == name }) {
		return nil
	}
	return h.Installs.Remove(ctx, name)
}

// Grant notes that the user lets a server run for a workspace within a grant. Its tools are none that
// a model can call before the user has agreed to them too.
func (h *Host) Grant(ctx context.Context, workspace, name string, grant mcp.Grant) error {
	if err := h.Registry.Agree(ctx, workspace, name, grant, nil); err != nil {
		return err
	}
	h.refresh()
	return nil
}

// Revoke ends a server for a workspace.
func (h *Host) Revoke(ctx context.Context, workspace, name string) error {
	if err := h.Registry.Revoke(ctx, workspace, name); err != nil {
		return err
	}
	h.refresh()
	return nil
}
