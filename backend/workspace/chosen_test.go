package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/workspace"
)

func TestDOC03_WhatLiesOutsideIsCopiedInAndReplacesNothing(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	work := filepath.Join(dir, "work")
	for path, content := range map[string]string{
		filepath.Join(work, "report.pdf"): "mine", filepath.Join(work, "report (2).pdf"): "mine too", filepath.Join(outside, "report.pdf"): "new", filepath.Join(outside, "Über.txt"): "u",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := workspace.Open(work)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	for name, want := range map[string]string{"report.pdf": "report (3).pdf", "Über.txt": "Über.txt"} {
		local, err := folder.CopyIn(t.Context(), filepath.Join(outside, name))
		if err != nil || local != want {
			t.Errorf("%s is copied to %q, %v", name, local, err)
		}
	}
	for name, want := range map[string]string{"report.pdf": "mine", "report (2).pdf": "mine too", "report (3).pdf": "new", "Über.txt": "u"} {
		if got, err := os.ReadFile(filepath.Join(work, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if _, err := folder.CopyIn(t.Context(), outside); err == nil || !strings.Contains(err.Error(), "it is no regular file") {
		t.Errorf("a folder: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := folder.CopyIn(stopped, filepath.Join(outside, "report.pdf")); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := os.Stat(filepath.Join(work, "report (4).pdf")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a file is left: %v", err)
	}
	for path, want := range map[string]string{filepath.Join(work, "a", "b"): "a/b", work: "", outside: "", work + "er/a": ""} {
		if local, ok := folder.Inside(path); ok != (want != "") || ok && local != want {
			t.Errorf("%s is inside as %q, %t", path, local, ok)
		}
	}
}
