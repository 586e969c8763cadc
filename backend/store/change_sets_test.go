package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
)

// exampleSet is a set of changes of a run.
func exampleSet(sessionID, runID string) change.Set {
	return change.Set{
		ID: "set1", SessionID: sessionID, RunID: runID, CallID: "c1", Made: time.UnixMilli(1_700_000_000_000).UTC(), Open: true,
		Source: change.ByTool, Changes: []change.Change{
			{Path: "a\xff.txt", Op: change.Modify, Kept: "set1-0", Before: change.State{
				Kind: change.File, Mode: 0o640, Size: 3, Sum: change.SumOf([]byte("one")), Inode: 7, Attributes: map[string][]byte{"user.a": {0, 255}},
			}, After: change.State{Kind: change.Link, Target: "b\xff"}},
		},
		Times: []change.FolderTime{{Path: ".", Before: 1, After: 2}},
	}
}

func TestCHG02_SetsAreSaved(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	talk(t, s, session("s1", "/work"), "r1", "do it")
	one, two := exampleSet("s1", "r1"), exampleSet("s1", "r1")
	one.ID = "set2"
	if err := s.SaveSets(t.Context(), true, one, two); err != nil {
		t.Fatal(err)
	}
	if open, err := s.SessionsWithOpenSets(t.Context()); err != nil || !cmp.Equal(open, []string{"s1"}) {
		t.Errorf("open in %q, %v", open, err)
	}
	one.Open, two.Open, two.Changes[0].Undone = false, false, true
	if err := s.SaveSets(t.Context(), false, two, one); err != nil {
		t.Fatal(err)
	}
	found, err := s.Sets(t.Context(), "s1")
	if diff := cmp.Diff([]change.Set{one, two}, found); diff != "" || err != nil { // in the order in which they were begun
		t.Errorf("%v\n%s", err, diff)
	}
	if open, err := s.SessionsWithOpenSets(t.Context()); err != nil || len(open) > 0 {
		t.Errorf("open in %q, %v", open, err)
	}
	if err := s.DeleteSet(t.Context(), "set2"); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "s1"); err != nil && !errors.Is(err, ErrInLog) {
		t.Fatal(err)
	}
	if found, err := s.Sets(t.Context(), "s1"); err != nil || len(found) > 0 {
		t.Errorf("after the conversation there are %+v, %v", found, err)
	}
}
