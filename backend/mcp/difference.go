package mcp

import (
	"fmt"
	"strings"
)

// ToolChange is a tool that is not as it was. Its texts have their hidden characters visible.
type ToolChange struct {
	Name string `json:"name"`
	// Old is what the user agreed to; empty for a new tool. New is what there is now; empty for one
	// that is gone.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// Difference is how the tools of a server differ from those that the user agreed to, sorted by
// name.
type Difference struct {
	Added   []ToolChange `json:"added,omitempty"`
	Removed []ToolChange `json:"removed,omitempty"`
	Changed []ToolChange `json:"changed,omitempty"`
}

// Compare returns how found differs from agreed, which may be nil for none; nil where both are the
// same.
func Compare(agreed, found *Pin) *Difference {
	if agreed != nil && agreed.Hash == found.Hash {
		return nil
	}
	d := &Difference{}
	for _, t := range found.Tools {
		switch old := agreed.find(t.Name); {
		case old == nil:
			d.Added = append(d.Added, ToolChange{Name: t.Name, New: t.String()})
		case old.Hash != t.Hash:
			d.Changed = append(d.Changed, ToolChange{Name: t.Name, Old: old.String(), New: t.String()})
		}
	}
	if agreed != nil {
		for _, t := range agreed.Tools {
			if found.find(t.Name) == nil {
				d.Removed = append(d.Removed, ToolChange{Name: t.Name, Old: t.String()})
			}
		}
	}
	return d
}

// String is the difference in a sentence, without its texts and a full stop.
func (d *Difference) String() string {
	var parts []string
	for _, kind := range []struct {
		word  string
		tools []ToolChange
	}{{"new", d.Added}, {"gone", d.Removed}, {"changed", d.Changed}} {
		if len(kind.tools) > 0 {
			parts = append(parts, kind.word+": "+nameSome(kind.tools))
		}
	}
	return strings.Join(parts, "; ")
}

// nameSome names the first tools, and counts the others.
func nameSome(tools []ToolChange) string {
	const most = 5
	names := make([]string, 0, most)
	for _, t := range tools[:min(len(tools), most)] {
		names = append(names, t.Name)
	}
	text := strings.Join(names, ", ")
	if more := len(tools) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
