package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Registry holds the tools that exist, by name.
type Registry struct {
	tools map[string]Tool
}

// NewRegistry returns a registry of these tools. Two tools with one name are an
// error.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r := &Registry{tools: make(map[string]Tool, len(tools))}
	for _, t := range tools {
		name := t.Definition().Name
		if _, exists := r.tools[name]; exists {
			return nil, fmt.Errorf("register tool %q: the name is taken", name)
		}
		r.tools[name] = t
	}
	return r, nil
}

// Definitions lists the tools sorted by name, so that a request's list of tools
// is the same to the byte from step to step.
func (r *Registry) Definitions() []Definition {
	definitions := make([]Definition, 0, len(r.tools))
	for _, t := range r.tools {
		definitions = append(definitions, t.Definition())
	}
	slices.SortFunc(definitions, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })
	return definitions
}
