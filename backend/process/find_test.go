package process_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/process"
	"fairlead/backend/sandbox/sandboxtest"
)

func TestFindProgramOnPath(t *testing.T) {
	shell := "sh"
	if runtime.GOOS == "windows" {
		shell = "cmd"
	}
	if path, ok := process.Find(shell); !ok || !filepath.IsAbs(path) {
		t.Errorf("%s: %q, %v", shell, path, ok)
	}
	t.Setenv("PATH", t.TempDir())
	if path, ok := process.Find(shell); ok {
		t.Errorf("%s is found at %s, outside PATH", shell, path)
	}
}

// program writes a program into a folder, which is made, and returns its path.
func program(t *testing.T, folder string) string {
	t.Helper()
	name := "helper"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSEC12_AProgramOfTheWorkspaceIsNeverFound(t *testing.T) {
	base := t.TempDir()
	workspace, system := filepath.Join(base, "workspace"), filepath.Join(base, "system")
	planted := program(t, filepath.Join(workspace, "bin"))
	real := program(t, system)
	// Folders outside that lead in, a program that is a link into the workspace, and
	// the workspace under another name.
	linked := sandboxtest.TryLink(t, filepath.Join(workspace, "bin"), filepath.Join(base, "linked"))
	if err := os.Mkdir(filepath.Join(base, "links"), 0o755); err != nil {
		t.Fatal(err)
	}
	linked = sandboxtest.TryLink(t, planted, filepath.Join(base, "links", filepath.Base(planted))) && linked
	linked = sandboxtest.TryLink(t, workspace, filepath.Join(base, "alias")) && linked
	t.Chdir(filepath.Join(workspace, "bin"))

	for name, entry := range map[string]string{
		"an absolute entry":              filepath.Join(workspace, "bin"),
		"the current folder":             ".",
		"an empty entry":                 "",
		"a relative entry":               filepath.Join("..", "bin"),
		"a link to a folder inside":      filepath.Join(base, "linked"),
		"a program that is a link":       filepath.Join(base, "links"),
		"a link to the folder around":    filepath.Join(base, "alias", "bin"),
		"a way in and out and in again":  filepath.Join(workspace, "..", "workspace", "bin"),
		"a folder that is not there yet": filepath.Join(workspace, "later"),
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "link") && !linked {
				t.Skip("this system makes no symbolic links")
			}
			list := strings.Join([]string{entry, system}, string(filepath.ListSeparator))
			t.Setenv("PATH", list)
			if path, ok := process.Find("helper", base+"/none", workspace); !ok || path != real {
				t.Errorf("found %q, %v; want the program outside, %s", path, ok, real)
			}
			if found := process.SearchPath(workspace); entry != filepath.Join(base, "links") && found != system {
				t.Errorf("what is left of PATH is %q, want %q", found, system)
			}
			if os.Getenv("PATH") != list {
				t.Error("PATH, which commands inherit, was changed")
			}
		})
	}
	t.Setenv("PATH", filepath.Join(workspace, "bin"))
	if path, ok := process.Find("helper", workspace); ok {
		t.Errorf("the only one is in the workspace, yet %q is found", path)
	}
	t.Setenv("PATH", system)
	for _, name := range []string{"", ".", "..", "../system/helper", real} {
		if path, ok := process.Find(name); ok {
			t.Errorf("%q is no name of a program, yet %q is found", name, path)
		}
	}
}
