package change_test

import (
	"fmt"
	"testing"

	"fairlead/backend/change"
)

func TestCHG06_TheReviewOfARunStays(t *testing.T) {
	for _, taken := range []bool{false, true} {
		t.Run(fmt.Sprintf("taken back %v", taken), func(t *testing.T) {
			r := newRig(t)
			r.put("a.txt", "one\n")
			r.write("a.txt", "two\n")
			r.run("printf 'three\\n' > b.txt && printf 'more\\n' >> a.txt")
			if taken {
				r.undo(change.Scope{})
				r.redo(change.Scope{})
				r.undo(change.Scope{})
			}
			r.put("a.txt", "somebody else\n")
			r.put("b.txt", "somebody else\n")
			r.open()
			if old, now := r.texts(0); old != "one\n" || now != "two\nmore\n" {
				t.Errorf("a.txt was %q and became %q", old, now)
			}
			if old, now := r.texts(1); old != "" || now != "three\n" {
				t.Errorf("b.txt was %q and became %q", old, now)
			}
			r.agrees()
		})
	}
}

func TestCHG07_NoChoiceDividesAUnitOrAMove(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "one\n")
	r.move("a.txt", "b.txt")
	r.put("b.txt", "mine\n")
	r.put(".git/config", "one\n")
	r.run("echo two > .git/config")
	r.put(".git/config", "mine\n")
	plan, err := r.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	for _, s := range plan.Steps {
		for _, choice := range []change.Choice{change.Overwrite, change.Both, change.Merged} {
			if s.CanChoose(choice) {
				t.Errorf("%s: %s can be chosen", s.Path(), choice)
			}
		}
	}
	if plan.Count(change.Conflict) == 0 {
		t.Error("there is no conflict")
	}
}
