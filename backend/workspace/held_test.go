package workspace_test

import (
	"path/filepath"
	"slices"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// heldOf returns which of some files, which a command has made in a copy, are held for the
// programs that act on them.
func heldOf(t *testing.T, folder *workspace.Folder, names ...string) []string {
	t.Helper()
	pending := &change.Pending{}
	for _, name := range names {
		pending.Changes = append(pending.Changes, change.Change{Path: leftover.Path(name), After: change.State{Kind: change.File}})
	}
	held, err := folder.Held(t.Context(), pending)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, name := range names {
		if held[i].Code == message.HeldAutorun {
			found = append(found, name)
		}
	}
	return found
}

func TestPRE04_WhatOthersActOnIsHeld(t *testing.T) {
	folder, dir, _ := open(t)
	if found := heldOf(t, folder, append(actedOn, "main.go", "docs/a.md")...); !slices.Equal(found, actedOn) {
		t.Errorf("held are %q", found)
	}
	links := []string{"tools/code/tasks.json", "second", ".vscode", "none/tasks.json"}
	if found := heldOf(t, folder, links...); !slices.Equal(found, links[2:3]) {
		t.Errorf("before there are links, held are %q", found)
	}
	put(t, dir, "tools/code/tasks.json", "one")
	relink(t, "tools/code", filepath.Join(dir, "second"))
	relink(t, "second", filepath.Join(dir, ".vscode"))
	relink(t, "../none", filepath.Join(dir, "sub/.idea"))
	if found := heldOf(t, folder, links...); !slices.Equal(found, links) {
		t.Errorf("through links, held are %q", found)
	}
}
