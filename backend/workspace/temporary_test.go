package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// TestREL04_OnlyWhatAWriteLeftIsHidden has two files of the same kind of name in a folder:
// one that a write of another process has not finished, or left when it was killed, and
// one that somebody has given that name to hide it.
func TestREL04_OnlyWhatAWriteLeftIsHidden(t *testing.T) {
	const left, hiding = ".fairlead-LEFT.tmp", ".fairlead-HIDING.tmp"
	folder, dir, _ := open(t)
	records := t.TempDir()
	mine, theirs := leftover.New(records), leftover.New(records)
	for _, record := range []*leftover.Record{mine, theirs} {
		t.Cleanup(func() { _ = record.Close() })
	}
	folder.UseRecord(mine)
	for _, name := range []string{left, hiding} {
		write(t, filepath.Join(dir, name), "text")
	}
	info, err := os.Lstat(filepath.Join(dir, left))
	if err != nil {
		t.Fatal(err)
	}
	_, err = theirs.Add(leftover.Thing{
		Kind: leftover.File, Root: leftover.Path(folder.Path()), Name: left, Size: 4, Modified: info.ModTime(), Since: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}

	var walked, listed []string
	if _, err := folder.Walk(t.Context(), ".", func(e workspace.Entry) error {
		walked = append(walked, e.Path)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{hiding, "a.txt", "sub", "sub/b.txt"}, walked); diff != "" {
		t.Errorf("a walk shows (-want +got):\n%s", diff)
	}
	tree, err := folder.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tree.Entries {
		listed = append(listed, e.Name)
	}
	if diff := cmp.Diff([]string{"sub", ".env", hiding, "a.txt"}, listed); diff != "" {
		t.Errorf("the tree shows (-want +got):\n%s", diff)
	}
	if top, _ := folder.Top(); !slices.Equal(top, []string{hiding, "a.txt", "sub/"}) {
		t.Errorf("the top is %q", top)
	}
}
