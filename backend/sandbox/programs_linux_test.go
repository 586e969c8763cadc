package sandbox_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
)

// PATH can begin with a folder of the workspace, as node_modules/.bin.
func TestSEC12_WhatConfinesIsNotLookedForByName(t *testing.T) {
	folder := t.TempDir()
	mark := filepath.Join(folder, "ran")
	for _, name := range []string{"cat", "sh", "git", "unshare", "true", "sleep"} {
		text := "#!/bin/sh\necho " + name + " >>'" + mark + "'\nexec /bin/cat\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	system := sandbox.Inspect(t.Context(), sandboxtest.Program("fairlead"), nil)
	space, err := system.Open(sandbox.Place{Workspace: folder, Private: filepath.Join(t.TempDir(), "private"), Home: folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := space.Close(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("programs of the folder were run: %s", text)
	}
}
