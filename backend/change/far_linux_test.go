package change_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
)

// TestREL04_ACopyIsOnRecordBeforeItHasAName looks at a folder while files are replaced in it
// whose earlier contents are kept on another file system: whatever is seen there under a name
// of ours is on record.
func TestREL04_ACopyIsOnRecordBeforeItHasAName(t *testing.T) {
	r := newRigIn(t, otherFileSystem(t))
	r.put("file", "old")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			target := r.target("file")
			_, err := r.Write(t.Context(), "call", target, []byte(strings.Repeat("new", 10_000)), change.Lines{})
			if err != nil {
				t.Error(err)
			}
		}
	}()
	seen := 0
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		entries, err := os.ReadDir(r.folder)
		must(t, err)
		for _, e := range entries {
			if e.Name() == "file" {
				continue
			}
			seen++
			info, err := r.root.Lstat(e.Name())
			if err == nil && !r.Leftover.Names(r.root, r.folder, e.Name(), info) {
				if _, err := r.root.Lstat(e.Name()); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is not on record", e.Name())
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no file was seen on its way")
	}
	if content := r.get("file"); len(content) != 30_000 {
		t.Errorf("the file has %d bytes", len(content))
	}
}

// TestCHG02_AWriteThatFailsLeavesNothing has a write fail at its last step: the folders that
// were made for it go, and nothing is recorded.
func TestCHG02_AWriteThatFailsLeavesNothing(t *testing.T) {
	for _, far := range []bool{false, true} {
		data := t.TempDir()
		if far {
			data = otherFileSystem(t)
		}
		r := newRigIn(t, data)
		r.fill()
		target := r.target("new/deep/file.txt")
		// Somebody else makes the last folder a file, between the look and the write.
		r.put("new/deep", "in the way")
		if _, err := r.Write(t.Context(), "call", target, []byte("text"), change.Lines{}); err == nil {
			t.Error("it was written")
		}
		must(t, os.RemoveAll(filepath.Join(r.folder, "new")))
		target = r.target("sub")
		if _, err := r.Write(t.Context(), "call", target, []byte("text"), change.Lines{}); err == nil {
			t.Error("a folder was replaced by a file")
		}
		stale := r.target("a.txt")
		r.put("a.txt", "mine\n")
		if _, err := r.Write(t.Context(), "call", stale, []byte("text"), change.Lines{}); !errors.Is(err, change.ErrChanged) {
			t.Errorf("a file that changed was written: %v", err)
		}
		if got := r.get("a.txt"); got != "mine\n" {
			t.Errorf("it holds %q", got)
		}
		sets, err := r.Journal.Sets(t.Context(), "s1")
		must(t, err)
		if len(sets) > 0 {
			t.Errorf("recorded are %+v", sets)
		}
		r.agrees()
		must(t, leftover.Sweep(filepath.Join(r.data, "left"), r.folder))
	}
}
