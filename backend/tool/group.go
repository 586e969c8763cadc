package tool

import (
	"maps"
	"slices"
)

// Group is a set of tools that are switched on and off together.
type Group struct {
	Name string
	// Tools are the names of its tools, sorted.
	Tools []string
}

// Groups lists the groups of the tools that may be called, sorted by name.
func (d *Dispatcher) Groups() []Group {
	tools := map[string][]string{}
	for _, definition := range d.offer {
		tools[definition.Group] = append(tools[definition.Group], definition.Name)
	}
	groups := make([]Group, 0, len(tools))
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		groups = append(groups, Group{Name: name, Tools: tools[name]})
	}
	return groups
}

// Essential returns a view of the dispatcher for a model with a small window: only the
// tools that are essential may be called, and those that the options name.
func (d *Dispatcher) Essential() *Dispatcher {
	view := *d
	view.few = true
	view.offer = slices.DeleteFunc(slices.Clone(d.offer), func(definition Definition) bool {
		return !d.bound[definition.Name].essential
	})
	return &view
}

// Without returns a view of the dispatcher in which these groups are switched off:
// their tools are not offered, and a call of one is refused. A name that no group has
// means nothing, because a saved choice may be older than the tools.
func (d *Dispatcher) Without(groups []string) *Dispatcher {
	view := *d
	view.off = slices.Concat(d.off, groups)
	view.offer = slices.DeleteFunc(slices.Clone(d.offer), func(definition Definition) bool {
		return slices.Contains(view.off, definition.Group)
	})
	return &view
}
