package workspace_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/leftover"

	"github.com/google/go-cmp/cmp"
)

// TestREL04_WhatIsMadeForACommandGoes has a process plant what it keeps from a command in
// three repositories, and end, or be killed meanwhile: they are as they were then, the
// user's own files of the same names among them.
func TestREL04_WhatIsMadeForACommandGoes(t *testing.T) {
	for _, killed := range []bool{false, true} {
		folder, dir, _ := open(t)
		records := t.TempDir()
		record := leftover.New(records)
		t.Cleanup(func() { _ = record.Close() }) // it may have ended
		folder.UseRecord(record)
		for name, content := range map[string]string{
			".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": "",
			".git/config":                   "[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = ../more\n",
			".git/worktrees/part/HEAD":      "ref: refs/heads/part\n",
			".git/worktrees/part/commondir": "../..\n", "own/.git/HEAD": "ref: refs/heads/main\n",
			"own/.git/objects/x": "", "own/.git/refs/x": "", "own/.git/commondir": ".\n", "own/.git/config.worktree": "",
		} {
			put(t, dir, name, content)
		}
		if err := os.Mkdir(filepath.Join(dir, "own/.git/hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		_, after := folder.BeforeCommand(t.Context())
		if during := contents(t, dir); during[".git/commondir"] != ".\n" || len(during) != len(before)+6 {
			t.Errorf("killed %v: during the command there is %v", killed, during)
		}
		if !killed {
			after(t.Context())
		}
		if err := record.Close(); err != nil { // what is on it stays there, as when the process is killed
			t.Fatal(err)
		}
		if err := leftover.Sweep(records, folder.Path()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
			t.Errorf("killed %v: then (-want +got):\n%s", killed, diff)
		}
	}
}

// contents are the files of a folder with what they hold, and its folders.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || e.IsDir() {
			found[filepath.ToSlash(name)] = "a folder"
			return err
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
