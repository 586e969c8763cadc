package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Registry holds the tools that exist, by name.
type Registry struct {
	tools       map[string]Tool
	definitions []Definition
}

// NewRegistry returns a registry of these tools. Two tools with one name are an
// error.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r := &Registry{tools: make(map[string]Tool, len(tools))}
	for _, t := range tools {
		d := t.Definition()
		if _, exists := r.tools[d.Name]; exists {
			return nil, fmt.Errorf("register tool %q: the name is taken", d.Name)
		}
		r.tools[d.Name] = t
		r.definitions = append(r.definitions, d)
	}
	slices.SortFunc(r.definitions, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })
	return r, nil
}

// Definitions lists the tools sorted by name, so that a request's list of tools
// is the same to the byte from step to step.
func (r *Registry) Definitions() []Definition { return r.definitions }
