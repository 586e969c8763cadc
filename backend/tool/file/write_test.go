package file_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"

	"github.com/google/go-cmp/cmp"
)

func TestWriteFileCreates(t *testing.T) {
	b := newBench(t)
	preview, err := b.preview("write_file", "path", "new/f.txt", "content", "one\ntwo\n")
	if err != nil {
		t.Fatal(err)
	}
	want := message.Preview{
		Effect: message.EffectFiles, Path: "new/f.txt", Added: 2, Fingerprint: "absent:new/f.txt",
		Diff: "--- /dev/null\n+++ b/new/f.txt\n@@ -1,0 +1,2 @@\n+one\n+two\n",
	}
	if diff := cmp.Diff(want, preview); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
	result := b.run("write_file", "path", "new/f.txt", "content", "one\ntwo\n")
	changes := []message.Change{{Path: "new", Kind: "created", Op: "mkdir"}, {Path: "new/f.txt", Kind: "created", Op: "create", Added: 2}}
	if diff := cmp.Diff(changes, withoutSets(t, result.Changes)); diff != "" || b.get("new/f.txt") != "one\ntwo\n" {
		t.Errorf("%v, changes (-want +got):\n%s", result.Error, diff)
	}
}

// withoutSets returns changes that name one set without its id.
func withoutSets(t *testing.T, changes []message.Change) []message.Change {
	t.Helper()
	bare := slices.Clone(changes)
	for i := range bare {
		if bare[i].SetID == "" || bare[i].SetID != changes[0].SetID {
			t.Errorf("%s is in the set %q", bare[i].Path, bare[i].SetID)
		}
		bare[i].SetID = ""
	}
	return bare
}

func TestWriteFileReplaces(t *testing.T) {
	b := newBench(t)
	b.put("f", "one\ntwo\nthree\n")
	preview, err := b.preview("write_file", "path", "f", "content", "one\n2\nthree")
	if err != nil {
		t.Fatal(err)
	}
	want := "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of file\n"
	if preview.Diff != want || preview.Added != 2 || preview.Removed != 2 {
		t.Errorf("+%d -%d\n%s", preview.Added, preview.Removed, preview.Diff)
	}
	result := b.run("write_file", "path", "f", "content", "one\n2\nthree")
	changes := []message.Change{{Path: "f", Kind: "modified", Op: "modify", Added: 2, Removed: 2}}
	if diff := cmp.Diff(changes, withoutSets(t, result.Changes)); diff != "" {
		t.Errorf("%v, changes (-want +got):\n%s", result.Error, diff)
	}
	again := b.run("write_file", "path", "f", "content", "one\n2\nthree")
	if !again.Success() || len(again.Changes) > 0 {
		t.Errorf("writing the same again: %q, %v", again.Text(), again.Changes)
	}
}

func TestWriteFileKeepsLineEndingsAndMark(t *testing.T) {
	for _, test := range []struct{ name, old, content, want, notice string }{
		{"CRLF", "a\r\nb\r\n", "c\nd\n", "c\r\nd\r\n", "CRLF"},
		{"CRLF given", "a\r\n", "c\r\nd\r\n", "c\r\nd\r\n", ""},
		{"mixed", "a\r\nb\n", "c\nd\n", "c\nd\n", ""},
		{"LF", "a\n", "c\r\n", "c\r\n", ""},
		{"mark", "\uFEFFa\n", "c\n", "\uFEFFc\n", "byte order mark"},
		{"no line", "a", "c\n", "c\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.put("f", test.old)
			result := b.run("write_file", "path", "f", "content", test.content)
			if !result.Success() || b.get("f") != test.want {
				t.Errorf("%q, file %q, want %q", result.Text(), b.get("f"), test.want)
			}
			if strings.Contains(result.Content.Text(), "notice") != (test.notice != "") || !strings.Contains(result.Content.Text(), test.notice) {
				t.Errorf("result %q, want notice %q", result.Content.Text(), test.notice)
			}
		})
	}
}

func TestWriteFileRefusesWhatItCouldNotKeep(t *testing.T) {
	b := newBench(t)
	for path, content := range map[string]string{
		"image": "\x89PNG\r\n\x1a\n\x00\x00", "utf16": "\xff\xfea\x00\n\x00", "gbk": "\xb5\xda\xd2\xbb\xd0\xd0\xa3\xba\xb2\xe2\xca\xd4\n",
	} {
		b.put(path, content)
		wantCode(t, b.run("write_file", "path", path, "content", "x"), message.UnsupportedFile, path)
		if b.get(path) != content {
			t.Errorf("%s was changed", path)
		}
	}
	b.put("folder/file", "")
	wantCode(t, b.run("write_file", "path", "folder", "content", "x"), message.UnsupportedFile, "a folder")
	wantCode(t, b.run("write_file", "path", "folder/file/x", "content", "x"), message.ExecutionError, "not a folder")
	wantCode(t, b.run("write_file", "path", ".git/config", "content", "x"), message.DeniedFile, "git")
}

func TestHITL09_AFileThatChangedSinceThePreviewIsNotWritten(t *testing.T) {
	for name, arguments := range map[string][]any{
		"write_file": {"path", "f", "content", "new\n"},
		"edit_file":  {"path", "f", "edits", edits("old", "new")},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.put("f", "old\n")
			b.read("path", "f")
			plan, err := b.plan(name, arguments...)
			if err != nil {
				t.Fatal(err)
			}
			b.put("f", "old, but changed\n")
			b.read("path", "f") // The model knows, but the user was shown the old one.
			var stale *message.ToolError
			if err := plan.Check(t.Context()); !errors.As(err, &stale) || stale.Code != message.StaleFile {
				t.Errorf("the plan still holds: %v", err)
			}
			wantCode(t, b.carryOut(plan), message.StaleFile, "")
			if b.get("f") != "old, but changed\n" {
				t.Errorf("the file has %q", b.get("f"))
			}
			b.put("f", "old\n")
			b.read("path", "f")
			if err := plan.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if result := b.carryOut(plan); !result.Success() || b.get("f") != "new\n" {
				t.Errorf("%q, file %q", result.Text(), b.get("f"))
			}
		})
	}
}

func TestHITL09_AFileThatAppearedSinceThePreviewIsNotReplaced(t *testing.T) {
	b := newBench(t)
	plan, err := b.plan("write_file", "path", "f", "content", "new\n")
	if err != nil {
		t.Fatal(err)
	}
	b.put("f", "mine\n")
	wantCode(t, b.carryOut(plan), message.StaleFile, "")
	if b.get("f") != "mine\n" {
		t.Errorf("the file has %q", b.get("f"))
	}
}

func TestHITL08_AnApprovalToCreateOneFileIsNoneForAnother(t *testing.T) {
	b := newBench(t)
	b.put("to-f/x", "")
	sandboxtest.Link(t, "to-f", filepath.Join(b.dir, "to"))
	plan, err := b.plan("write_file", "path", "to/f", "content", "new\n")
	if err != nil {
		t.Fatal(err)
	}
	b.put("to-g/x", "")
	if err := os.Remove(filepath.Join(b.dir, "to")); err != nil {
		t.Fatal(err)
	}
	sandboxtest.Link(t, "to-g", filepath.Join(b.dir, "to"))
	wantCode(t, b.carryOut(plan), message.StaleFile, "to-g/f changed after")
}
