package host

import (
	"fmt"
	"slices"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/message"
)

// asksAtStart reports whether each start of a server is asked about: the system cannot hold it to
// the hosts that it was granted.
func (w *Workspace) asksAtStart(a registry.Agreement) bool {
	return a.Kind == mcp.KindStdio && len(a.Grant.Hosts) > 0 && w.host.Confinement().Level != message.LevelFull
}

// AsksAtStart returns the names of the servers whose every start is to be agreed to with LetStart,
// sorted. The others are started without.
func (w *Workspace) AsksAtStart() ([]string, error) {
	if _, err := w.Refresh(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for name, a := range w.agreed {
		if w.asksAtStart(a) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// LetStart notes that the user agrees to one start of a server, as it is now, which may be the next
// call's. Of those that do not ask nothing is noted.
func (w *Workspace) LetStart(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a, known := w.agreed[name]; known && w.asksAtStart(a) {
		w.starts[name]++
	}
}

// takeStart uses up what LetStart noted. Without a yes to the start it returns an error.
func (w *Workspace) takeStart(a registry.Agreement) error {
	if !w.asksAtStart(a) {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.starts[a.Name] == 0 {
		return fmt.Errorf("the system here cannot hold it to the hosts that it was granted, so each start is asked about, and nobody agreed to this one (fairlead mcp test %s asks)", a.Name)
	}
	w.starts[a.Name]--
	return nil
}
