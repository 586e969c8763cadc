package file_test

import (
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// TestTOOL02_ListedFilesCanBeReadAndEdited takes each name that list_files shows through
// the other tools.
func TestTOOL02_ListedFilesCanBeReadAndEdited(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"a\xffb", `"a\xffb"`, `"plain"`, "d\xfe/in.txt", "two\nlines", "plain"} {
		b.put(name, "one\n")
	}
	listed := b.run("list_files").Content.Text()
	var paths []string
	for line := range strings.Lines(listed) {
		if path := strings.TrimSuffix(line, "\n"); !strings.HasSuffix(path, "/") {
			paths = append(paths, path)
		}
	}
	want := []string{`"\"a\\xffb\""`, `"\"plain\""`, `"a\xffb"`, `"d\xfe"/in.txt`, "plain", `"two\nlines"`}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Fatalf("listed: %s", diff)
	}
	for _, path := range paths {
		if got := b.read("path", path).Content.Text(); got != "one\n" {
			t.Errorf("%s holds %q", path, got)
		}
		plan, err := b.plan("edit_file", "path", path, "edits", edits("one", "two"))
		preview := plan.Preview
		if err != nil || preview.Path != path || !strings.HasPrefix(preview.Diff, "--- ") || strings.Contains(preview.Diff, "\ufffd") {
			t.Errorf("preview of %s: %q, %v", path, preview.Diff, err)
		}
		result := b.carryOut(plan)
		if !result.Success() || len(result.Changes) != 1 || result.Changes[0].Path != path {
			t.Errorf("edit of %s: %s, %v", path, result.Text(), result.Changes)
		}
		if result := b.run("write_file", "path", path, "content", "three\n"); !result.Success() || result.Changes[0].Path != path {
			t.Errorf("write of %s: %s", path, result.Text())
		}
	}
	for _, name := range []string{"a\xffb", `"a\xffb"`, `"plain"`, "d\xfe/in.txt", "two\nlines", "plain"} {
		if got := b.get(name); got != "three\n" {
			t.Errorf("%q holds %q", name, got)
		}
	}
	missing := b.run("read_file", "path", "a\ufffdb")
	wantCode(t, missing, message.FileNotFound, `"a\xffb"`)
	wantCode(t, b.run("write_file", "path", `"fresh\xff"`, "content", ""), message.UnsupportedFile, "UTF-8")
	if got := b.run("list_files", "path", workspace.Shown("d\xfe")).Content.Text(); got != `"d\xfe"/in.txt`+"\n" {
		t.Errorf("listed %q", got)
	}
}
