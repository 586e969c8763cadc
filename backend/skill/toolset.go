package skill

import (
	"context"
	"slices"
	"sync"

	"fairlead/backend/tool"
)

const (
	// ToolName is the name of the tool that reads skills.
	ToolName = "read_skill"
	// Group is the name of its group.
	Group = "skill"
)

// Toolset gives the tool read_skill for the skills that the user agreed to; it has no tools where
// there are none. It implements tool.Toolset.
type Toolset struct {
	library *Library
	agreed  func(ctx context.Context) ([]Skill, error)

	// mu guards what the last answer was, and what it was given for.
	mu     sync.Mutex
	skills []Skill
	tools  []tool.Tool
}

// NewToolset returns a toolset for skills of the library. At each start of a run agreed returns
// those that the user agreed to, one of each name, as Found.Choose does.
func NewToolset(library *Library, agreed func(ctx context.Context) ([]Skill, error)) *Toolset {
	return &Toolset{library: library, agreed: agreed}
}

// Name implements tool.Toolset.
func (*Toolset) Name() string { return "skills" }

// Tools implements tool.Toolset.
func (t *Toolset) Tools(ctx context.Context) ([]tool.Tool, error) {
	skills, err := t.agreed(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.EqualFunc(skills, t.skills, sameSkill) {
		return t.tools, nil
	}
	t.skills, t.tools = slices.Clone(skills), nil
	if len(skills) > 0 {
		t.tools = []tool.Tool{&readSkill{t.library, t.skills, Catalogue(t.skills)}}
	}
	return t.tools, nil
}

// sameSkill reports whether two skills are the same to a model: in the same place, with the same
// contents.
func sameSkill(a, b Skill) bool {
	return a.Name == b.Name && a.at == b.at && a.SHA256 == b.SHA256
}
