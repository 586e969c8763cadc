package change_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
)

// review are the rows of a run in words: path, operation, fate and lines.
func (r *rig) review(run string) []string {
	r.t.Helper()
	rows, err := r.Review(r.t.Context(), run)
	must(r.t, err)
	var all []string
	for _, row := range rows {
		words := fmt.Sprintf("%s %s %s +%d -%d", row.Path, row.Op, row.Fate, row.Added, row.Removed)
		if row.From != "" {
			words += " from " + string(row.From)
		}
		if row.Unit != "" {
			words += " in " + string(row.Unit)
		}
		all = append(all, words)
	}
	return all
}

// reviewed fails if the review of the first run is another one.
func (r *rig) reviewed(want ...string) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.review("r1")); diff != "" {
		r.t.Fatal(diff)
	}
}

// numbered are lines, some of them with other words.
func numbered(n int, other map[int]string) string {
	var text strings.Builder
	for i := 1; i <= n; i++ {
		word := "line"
		if other[i] != "" {
			word = other[i]
		}
		fmt.Fprintf(&text, "%s %d\n", word, i)
	}
	return text.String()
}

// texts are those of a row of the first run.
func (r *rig) texts(at int) (before, after string) {
	r.t.Helper()
	rows, err := r.Review(r.t.Context(), "r1")
	must(r.t, err)
	first := rows[at].Parts[0]
	row, sets, err := r.FindRow(r.t.Context(), "r1", first.Set.ID, first.Index)
	must(r.t, err)
	old, now, ok, err := r.RowTexts(sets, row)
	must(r.t, err)
	if !ok {
		r.t.Fatalf("the texts of %s are not known", row.Path)
	}
	return string(old), string(now)
}

// TestCHG06_ACopyThatWasCutOffIsNotShown has the copies of texts end early, or begin with what
// was not written yet.
func TestCHG06_ACopyThatWasCutOffIsNotShown(t *testing.T) {
	r := newRig(t)
	r.write("a.txt", "other\n")
	sets, err := r.Journal.Sets(t.Context(), "s1")
	must(t, err)
	copies, err := filepath.Glob(filepath.Join(r.data, "changes", "s1", "*-after"))
	must(t, err)
	if len(copies) != 1 {
		t.Fatalf("copies: %q", copies)
	}
	for _, cut := range []string{"", "oth", "\x00\x00\x00\x00\x00\x00"} {
		must(t, os.WriteFile(copies[0], []byte(cut), 0o600))
		if _, after, ok, err := r.Texts(sets, &sets[0], 0); err != nil || ok {
			t.Errorf("%q is shown as %q, %v", cut, after, err)
		}
	}
}

func TestDESK02_ReviewListsEachPath(t *testing.T) {
	r := newRig(t)
	r.fill()
	r.write("a.txt", "one\ntwo\n")
	r.write("a.txt", "one\ntwo\nthree\n")
	r.write("new/n.txt", "n\n")
	r.move("run.sh", "new/go.sh")
	r.delete("sub/b.txt")
	r.write("gone.txt", "g\n")
	r.delete("gone.txt")
	r.write("other.txt", "1\n")
	r.put("other.txt", "somebody else\n")
	r.write("other.txt", "2\n")
	want := []string{
		"a.txt modify applied +2 -0",
		"new mkdir applied +0 -0",
		"new/n.txt create applied +0 -0",
		"new/go.sh create applied +0 -0 from run.sh",
		"sub/b.txt delete applied +0 -0",
		"gone.txt create applied +0 -0",
		"gone.txt delete applied +0 -0",
		"other.txt create applied +0 -0",
		"other.txt modify applied +0 -0",
	}
	want[7] = "other.txt create changed +0 -0" // what was there in between was not its own
	r.reviewed(want...)

	r.SetRun("r2")
	r.write("sub/b.txt", "again\n")
	want[4] = "sub/b.txt delete changed +0 -0"
	r.reviewed(want...)
	if got := r.review("r2"); !cmp.Equal(got, []string{"sub/b.txt create applied +0 -0"}) {
		t.Errorf("the second run: %q", got)
	}
	r.undo(change.Scope{Runs: []string{"r1"}, Paths: []string{"a.txt"}})
	want[0] = "a.txt modify undone +2 -0"
	r.reviewed(want...)
}

// choice names hunks of the first row of the first run by their numbers.
func (r *rig) choice(numbers ...int) change.HunkChoice {
	r.t.Helper()
	before, after := r.texts(0)
	hunks := change.Hunks([]byte(before), []byte(after))
	rows, err := r.Review(r.t.Context(), "r1")
	must(r.t, err)
	first := rows[0].Parts[0]
	choice := change.HunkChoice{Set: first.Set.ID, Index: first.Index}
	for _, n := range numbers {
		choice.Headers = append(choice.Headers, hunks[n].Header)
	}
	return choice
}

// choose takes hunks back of the first row of the first run, by their numbers.
func (r *rig) choose(numbers ...int) error {
	r.t.Helper()
	_, err := r.ChooseHunks(r.t.Context(), "r1", r.choice(numbers...))
	return err
}

func TestDESK04_HunksAreTakenBackAndMadeAgain(t *testing.T) {
	r := newRig(t)
	before := numbered(60, nil)
	r.put("a.txt", before)
	after := numbered(60, map[int]string{5: "first", 30: "second", 55: "third"})
	r.write("a.txt", after)
	r.reviewed("a.txt modify applied +0 -0")

	must(t, r.choose(0, 2))
	if want := numbered(60, map[int]string{30: "second"}); r.get("a.txt") != want {
		t.Fatalf("without the first and the third it is %q", r.get("a.txt"))
	}
	r.reviewed("a.txt modify partly +0 -0")
	r.open()
	must(t, r.choose(2))
	if want := numbered(60, map[int]string{5: "first", 30: "second"}); r.get("a.txt") != want {
		t.Fatalf("without the third it is %q", r.get("a.txt"))
	}
	must(t, r.choose(2)) // is so already

	// What somebody else changed elsewhere stays; the same lines are a conflict.
	r.put("a.txt", numbered(60, map[int]string{5: "first", 15: "somebody", 30: "second"}))
	must(t, r.choose())
	if want := numbered(60, map[int]string{5: "first", 15: "somebody", 30: "second", 55: "third"}); r.get("a.txt") != want {
		t.Fatalf("whole again it is %q", r.get("a.txt"))
	}
	r.put("a.txt", numbered(60, map[int]string{5: "somebody", 30: "second", 55: "third"}))
	if err := r.choose(0); !errors.Is(err, change.ErrConflict) {
		t.Fatalf("the same lines: %v", err)
	}
	if want := numbered(60, map[int]string{5: "somebody", 30: "second", 55: "third"}); r.get("a.txt") != want {
		t.Fatalf("after a conflict it is %q", r.get("a.txt"))
	}
	r.put("a.txt", after)
	must(t, r.choose(1))
	chosen := r.get("a.txt")

	// The whole run is taken back and made again with what was chosen.
	r.undo(change.Scope{Runs: []string{"r1"}, Paths: []string{"a.txt"}})
	if got := r.get("a.txt"); got != before {
		t.Errorf("taken back it is %q", got)
	}
	r.redo(change.Scope{Runs: []string{"r1"}})
	if got := r.get("a.txt"); got != chosen {
		t.Errorf("made again it is %q", got)
	}
	r.agrees()
}

func TestDESK04_UndoOfARunTakesChosenHunksToo(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", numbered(60, nil))
	before := snapshot(t, r.folder)
	r.write("a.txt", numbered(60, map[int]string{5: "first", 55: "third"}))
	must(t, r.choose(1))
	chosen := snapshot(t, r.folder)
	for range 2 {
		if done := r.undo(change.Scope{Runs: []string{"r1"}}); len(done.Kept) > 0 {
			t.Fatalf("kept %+v", done.Kept)
		}
		r.same(before)
		r.reviewed("a.txt modify undone +0 -0")
		if err := r.choose(0); !errors.Is(err, change.ErrNoHunks) {
			t.Errorf("hunks of what was taken back: %v", err)
		}
		if done := r.redo(change.Scope{Runs: []string{"r1"}}); len(done.Kept) > 0 {
			t.Fatalf("kept %+v", done.Kept)
		}
		r.same(chosen)
		r.reviewed("a.txt modify partly +0 -0")
	}
	r.agrees()
}

func TestDESK04_NotEverythingHasHunks(t *testing.T) {
	r := newRig(t)
	r.put("b.bin", "\x00one")
	for name, do := range map[string]func(){
		"new file": func() { r.write("new.txt", "new\n") },
		"bytes":    func() { r.write("b.bin", "\x00two") },
	} {
		run := "run of " + name
		r.SetRun(run)
		do()
		rows, err := r.Review(t.Context(), run)
		must(t, err)
		first := rows[0].Parts[0]
		_, err = r.ChooseHunks(t.Context(), run, change.HunkChoice{Set: first.Set.ID, Index: first.Index})
		if !errors.Is(err, change.ErrNoHunks) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.ChooseHunks(t.Context(), "r1", change.HunkChoice{Set: "none"}); !errors.Is(err, change.ErrNoRow) {
		t.Errorf("no row: %v", err)
	}
	r.SetRun("r1")
	r.put("a.txt", "one\n")
	r.write("a.txt", "two\n")
	must(t, os.Remove(filepath.Join(r.folder, "a.txt")))
	if err := r.choose(0); !errors.Is(err, change.ErrConflict) {
		t.Errorf("a file that is gone: %v", err)
	}
}
