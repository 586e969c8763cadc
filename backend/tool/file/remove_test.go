package file_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

func TestDeleteFileShowsAllThatGoes(t *testing.T) {
	b := newBench(t)
	b.put("sub/a.txt", "one\ntwo\n")
	b.put("sub/deep/b.bin", "\x00\x01")
	preview, err := b.preview("delete_file", "path", "sub/a.txt")
	if err != nil || preview.Removed != 2 || !strings.Contains(preview.Diff, "-one\n-two\n") {
		t.Errorf("%v, −%d:\n%s", err, preview.Removed, preview.Diff)
	}
	preview, err = b.preview("delete_file", "path", "sub")
	want := "--- a/sub\n+++ /dev/null\n@@ -1,4 +0,0 @@\n"
	if err != nil || preview.Removed != 4 || !strings.HasPrefix(preview.Diff, want) || !strings.Contains(preview.Diff, "-sub/deep/b.bin (2 bytes)\n") {
		t.Errorf("%v, −%d:\n%s", err, preview.Removed, preview.Diff)
	}
	if preview.Undo == nil || preview.Undo.Quality != message.UndoExact || len(preview.Undo.Lost) > 0 {
		t.Errorf("undo %+v", preview.Undo)
	}
	if result := b.run("delete_file", "path", "sub"); !result.Success() || len(result.Changes) != 4 {
		t.Errorf("%s, %v", result.Text(), result.Changes)
	}
	if _, err := os.Lstat(filepath.Join(b.dir, "sub")); err == nil {
		t.Error("it is still there")
	}
}

func TestCHG08_WhatADeletionPushesOutIsSaidBefore(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "12345678")
	for left, frees := range map[int64]bool{8: false, 7: true, -1: true} {
		b.changes.SpaceLeft = func() (int64, error) { return left, nil }
		preview, err := b.preview("delete_file", "path", "a.txt")
		if err != nil || preview.Undo.Frees != frees || strings.Contains(preview.Undo.Sentence(), "can no longer be undone") != frees {
			t.Errorf("with %d bytes left: %v, %+v: %q", left, err, preview.Undo, preview.Undo.Sentence())
		}
	}
}

func TestCHG08_WhatPushesOutMoreByItsTurnIsAskedAboutAgain(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "12345678")
	left := int64(8)
	b.changes.SpaceLeft = func() (int64, error) { return left, nil }
	plan, err := b.plan("delete_file", "path", "a.txt")
	if err != nil || plan.Check(t.Context()) != nil {
		t.Fatalf("%v, %v", err, plan.Check(t.Context()))
	}
	left = 7 // another call took it
	var stale *message.ToolError
	if err := plan.Check(t.Context()); !errors.As(err, &stale) || stale.Code != message.StaleFile {
		t.Errorf("the plan still holds: %v", err)
	}
	again, err := b.plan("delete_file", "path", "a.txt")
	if err != nil || !again.Preview.Undo.Frees || again.Preview.Fingerprint == plan.Preview.Fingerprint || again.Check(t.Context()) != nil {
		t.Errorf("%v, %+v", err, again.Preview.Undo)
	}
}

func TestALinkIsDeletedAndMovedItself(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "one\n")
	for _, name := range []string{"link", "other"} {
		sandboxtest.Link(t, "a.txt", filepath.Join(b.dir, name))
	}
	if result := b.run("delete_file", "path", "link"); !result.Success() || b.get("a.txt") != "one\n" {
		t.Errorf("%s; the file has %q", result.Text(), b.get("a.txt"))
	}
	if result := b.run("move_file", "from", "other", "to", "sub/link"); !result.Success() || b.get("a.txt") != "one\n" {
		t.Errorf("%s; the file has %q", result.Text(), b.get("a.txt"))
	}
	if target, err := os.Readlink(filepath.Join(b.dir, "sub/link")); err != nil || target != "a.txt" {
		t.Errorf("it leads to %q, %v", target, err)
	}
}

func TestWhatIsNotDeletedOrMoved(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "one\n")
	b.put("b.txt", "two\n")
	b.put("keys/.env", "SECRET=1\n")
	b.put("gh/hosts.yml", "token\n") // a secret by its folder: elsewhere it would be none
	b.put("repo/.git/HEAD", "ref: refs/heads/main\n")
	b.put("bare/HEAD", "ref: refs/heads/main\n")
	b.put("bare/objects/info/packs", "")
	b.put("bare/refs/heads/main", "")
	for _, test := range []struct {
		tool, from, to string
		want           message.ToolCode
	}{
		{"delete_file", ".", "", message.UnsupportedFile},
		{"delete_file", "none.txt", "", message.FileNotFound},
		{"delete_file", "keys/.env", "", message.DeniedFile},
		{"delete_file", "keys", "", message.DeniedFile},
		{"delete_file", "repo", "", message.DeniedFile},
		{"delete_file", "repo/.git", "", message.DeniedFile},
		{"delete_file", "bare", "", message.DeniedFile},
		{"move_file", "gh", "elsewhere", message.DeniedFile},
		{"move_file", "keys/.env", "plain.txt", message.DeniedFile},
		{"move_file", "a.txt", "repo/.git/hooks/pre-commit", message.DeniedFile},
		{"move_file", "a.txt", ".env", message.DeniedFile},
		{"move_file", "a.txt", "b.txt", message.ExecutionError},
		{"move_file", "bare/refs", "bare/refs/below", message.DeniedFile},
		{"move_file", "a.txt", "", message.InvalidArguments},
	} {
		pairs := []any{"path", test.from}
		if test.tool == "move_file" {
			pairs = []any{"from", test.from, "to", test.to}
		}
		if result := b.run(test.tool, pairs...); result.Error == nil || result.Error.Code != test.want {
			t.Errorf("%s %s %s: %v, want %s", test.tool, test.from, test.to, result.Error, test.want)
		}
	}
	b.put("folder/x", "")
	if result := b.run("move_file", "from", "folder", "to", "folder/below"); result.Error == nil || result.Error.Code != message.InvalidArguments {
		t.Errorf("a folder into itself: %v", result.Error)
	}
	for path, want := range map[string]string{"a.txt": "one\n", "b.txt": "two\n", "keys/.env": "SECRET=1\n", "gh/hosts.yml": "token\n"} {
		if got := b.get(path); got != want {
			t.Errorf("%s has %q", path, got)
		}
	}
}

func TestAMovedFileIsStillKnown(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "one\n")
	b.run("read_file", "path", "a.txt")
	b.run("move_file", "from", "a.txt", "to", "b.txt")
	if result := b.run("edit_file", "path", "b.txt", "edits", edits("one", "two")); !result.Success() {
		t.Errorf("after it was moved: %s", result.Text())
	}
}
