//go:build unix

package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

func TestDESK09_OnlyFilesOfTheFolderThatCannotRunAreOpenedOutside(t *testing.T) {
	folder, dir, outside := open(t)
	for name, content := range map[string]string{
		"src/a.go": "package a\n", "notes.desktop": "[Desktop Entry]\n", "Setup.EXE": "x", "tool": "\x7fELF\x02", "old": "MZ\x90", ".env": "KEY=1\n", "run.sh": "#!/bin/sh\n",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	write(t, filepath.Join(outside, "theirs.txt"), "x")
	if err := errors.Join(
		os.Chmod(filepath.Join(dir, "run.sh"), 0o755),
		os.Symlink("src/a.go", filepath.Join(dir, "in.go")),
		os.Symlink("notes.desktop", filepath.Join(dir, "harmless.txt")),
		os.Symlink(filepath.Join(outside, "theirs.txt"), filepath.Join(dir, "out.txt")),
	); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(folder.Path(), "src", "a.go")
	for name, want := range map[string]string{
		"src/a.go": source, "in.go": source, ".env": filepath.Join(folder.Path(), ".env"),
	} {
		if got, err := folder.Openable(name); err != nil || got != want {
			t.Errorf("%s is opened at %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"notes.desktop", "harmless.txt", "Setup.EXE", "tool", "old", "run.sh"} {
		if got, err := folder.Openable(name); !errors.Is(err, workspace.ErrRunnable) {
			t.Errorf("%s is opened at %q, %v", name, got, err)
		}
		if _, err := folder.Outside(name); err != nil {
			t.Errorf("%s is not shown in its folder: %v", name, err)
		}
	}
	for name, want := range map[string]message.ToolCode{
		"out.txt": message.PathOutsideWorkspace, "../x": message.PathOutsideWorkspace, "src": message.UnsupportedFile, "gone.txt": message.FileNotFound,
	} {
		for _, find := range []func(string) (string, error){folder.Openable, folder.Outside} {
			got, err := find(name)
			if refused, ok := errors.AsType[*message.ToolError](err); !ok || refused.Code != want {
				t.Errorf("%s is found at %q, %v; want %s", name, got, err, want)
			}
		}
	}
}

func TestDESK09_WhatIsNoFileToLookAtIsNone(t *testing.T) {
	folder, dir, outside := open(t)
	write(t, filepath.Join(dir, "src", "a.go"), "x")
	write(t, filepath.Join(dir, ".env"), "x")
	write(t, filepath.Join(outside, "theirs.txt"), "x")
	if err := os.Symlink(filepath.Join(outside, "theirs.txt"), filepath.Join(dir, "out.txt")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"src/a.go": "src/a.go", "./src/a.go": "src/a.go", filepath.Join(dir, "src", "a.go"): "src/a.go",
		"src": "", ".env": "", "out.txt": "", "gone.go": "", "../x": "", "": "", filepath.Join(outside, "theirs.txt"): "",
	} {
		if got, ok := folder.FileAt(name); got != want || ok != (want != "") {
			t.Errorf("%q names the file %q, %t", name, got, ok)
		}
	}
}
