package change_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
)

// undoBy takes everything back, with a choice for all conflicts.
func (r *rig) undoBy(choice change.Choice) change.Done {
	r.t.Helper()
	plan, err := r.PlanUndo(r.t.Context(), change.Scope{})
	must(r.t, err)
	return r.undo(change.Scope{Choices: plan.ChooseAll(choice)})
}

func TestCHG04_ConflictsAreDecidedByTheUser(t *testing.T) {
	const before, mine = "\x00before", "\x00mine"
	tests := map[change.Choice]map[string]string{
		change.Mine:      {"a.bin": mine},
		change.Overwrite: {"a.bin": before},
		change.Both:      {"a.bin": mine, "a.before.bin": before},
		change.Merged:    {"a.bin": mine}, // it is no text
	}
	for choice, want := range tests {
		t.Run(string(choice), func(t *testing.T) {
			r := newRig(t)
			r.put("a.bin", before)
			r.write("a.bin", "\x00first")
			r.write("a.bin", "\x00second") // both are taken back at once
			r.put("a.bin", mine)
			start := snapshot(t, r.folder)
			r.undoBy(choice)
			for name, content := range want {
				if got := r.get(name); got != content {
					t.Errorf("%s holds %q", name, got)
				}
			}
			if entries, err := os.ReadDir(r.folder); err != nil || len(entries) != len(want) {
				t.Errorf("there is %v, %v", entries, err)
			}
			r.agrees()
			// What was decided can be taken back itself.
			if choice == change.Overwrite {
				r.redo(change.Scope{})
				r.sameFiles(start)
				r.agrees()
			}
		})
	}
}

func TestCHG04_WhatIsPutBesideHasAFreeName(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"report.txt", ".hidden", "plain"} {
		r.put(name, "before\n")
		r.write(name, "after\n")
		r.put(name, "mine\n")
	}
	r.put("report.before.txt", "taken\n")
	done := r.undoBy(change.Both)
	for _, name := range []string{"report.before-2.txt", ".hidden.before", "plain.before"} {
		if got := r.get(name); got != "before\n" {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if len(done.Sets) != 3 || len(done.Kept) != 0 {
		t.Errorf("done: %+v", done)
	}
	r.agrees()
	r.undo(change.Scope{}) // does not take it away
	if got := r.get("plain.before"); got != "before\n" {
		t.Errorf("after another undo it holds %q", got)
	}
	r.undo(change.Scope{Paths: []string{"plain.before"}})
	if got := r.get("plain.before"); got != "nothing" {
		t.Errorf("taken back it holds %q", got)
	}
	r.agrees()
}

func TestCHG04_WhatSomebodyDeletedComesBackByChoice(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "before\n")
	r.write("a.txt", "after\n")
	must(t, os.Remove(filepath.Join(r.folder, "a.txt")))
	if done := r.undo(change.Scope{}); len(done.Kept) != 1 {
		t.Fatalf("by itself: %+v", done)
	}
	r.undo(change.Scope{Choices: map[leftover.Path]change.Choice{"a.txt": change.Overwrite}})
	if got := r.get("a.txt"); got != "before\n" {
		t.Errorf("it holds %q", got)
	}
	r.agrees()
}

func TestCHG04_SeveralChangesOfATextAreMergedAtOnce(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", numbered(40, nil))
	r.write("a.txt", numbered(40, map[int]string{5: "first"}))
	r.write("a.txt", numbered(40, map[int]string{5: "first", 20: "second"}))
	r.put("a.txt", numbered(40, map[int]string{5: "first", 20: "second", 35: "mine"}))
	if done := r.undoBy(change.Merged); len(done.Kept) > 0 {
		t.Fatalf("kept %+v", done.Kept)
	}
	if got, want := r.get("a.txt"), numbered(40, map[int]string{35: "mine"}); got != want {
		t.Errorf("merged, it holds %q", got)
	}
	r.agrees()
}
