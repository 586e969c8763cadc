package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

// rename renames in a folder, as a command of the model could.
func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

func TestSEC09_GitsFolderIsKnownUnderAnotherName(t *testing.T) {
	folder, dir, _ := open(t)
	for path, content := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": "of git\n", "objects/info/packs": "", "refs/heads/main": "",
		"worktrees/other/HEAD": "ref: refs/heads/other\n", "worktrees/other/commondir": "../..\n",
	} {
		write(t, filepath.Join(dir, ".git", path), content)
	}
	rename(t, dir, ".git/worktrees/other", "worktree")
	rename(t, dir, ".git", "settings")
	for _, path := range []string{"settings/config", "settings/hooks/pre-commit", "worktree/config.worktree"} {
		if err := folder.Write(path, []byte("mine\n")); code(err) != message.DeniedFile {
			t.Errorf("Write(%q) = %v, want %s", path, err, message.DeniedFile)
		}
	}
	if got := read(t, filepath.Join(dir, "settings", "config")); got != "of git\n" {
		t.Errorf("git's settings have %q", got)
	}
	write(t, filepath.Join(dir, "plain", "HEAD"), "a file that happens to have that name\n")
	if err := folder.Write("plain/config", nil); err != nil {
		t.Errorf("Write(plain/config): %v", err)
	}
}

func TestSEC09_WhatWasLookedAtIsWritten(t *testing.T) {
	for name, swap := range map[string]func(t *testing.T, dir, path string){
		"the folder became a link": func(t *testing.T, dir, _ string) {
			rename(t, dir, "sub", "was")
			sandboxtest.Link(t, "other", filepath.Join(dir, "sub"))
		},
		"the folder was exchanged": func(t *testing.T, dir, _ string) {
			rename(t, dir, "sub", "was")
			rename(t, dir, "other", "sub")
		},
		"the folder went away": func(t *testing.T, dir, _ string) { rename(t, dir, "sub", "was") },
		"the file became a link": func(t *testing.T, dir, path string) {
			_ = os.Remove(filepath.Join(dir, path))
			sandboxtest.Link(t, "../other/b.txt", filepath.Join(dir, path))
		},
		"the file was exchanged": func(t *testing.T, dir, path string) { rename(t, dir, "other/b.txt", path) },
		"the file was written": func(t *testing.T, dir, path string) {
			write(t, filepath.Join(dir, path), "longer than it was\n")
		},
	} {
		for _, path := range []string{"sub/b.txt", "sub/new.txt"} {
			t.Run(name+"/"+path, func(t *testing.T) {
				folder, dir, _ := open(t)
				write(t, filepath.Join(dir, "other", "b.txt"), "other\n")
				place, err := folder.Writable(path)
				if err != nil {
					t.Fatal(err)
				}
				swap(t, dir, path)
				if _, err := folder.Replace(t.Context(), "call", place, []byte("mine\n"), change.Lines{}); code(err) != message.StaleFile {
					t.Errorf("Replace = %v, want %s", err, message.StaleFile)
				}
				if content, _ := os.ReadFile(filepath.Join(dir, path)); string(content) == "mine\n" {
					t.Error("it was written")
				}
			})
		}
	}
}

func TestSEC09_WhatAWalkFoundIsNotReadThroughALink(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "other", "b.txt"), "other\n")
	rename(t, dir, "sub", "was")
	for _, path := range []string{"sub/b.txt", "other/link.txt"} {
		target := map[string]string{"sub/b.txt": "other", "other/link.txt": "b.txt"}[path]
		name := map[string]string{"sub/b.txt": "sub", "other/link.txt": path}[path]
		sandboxtest.Link(t, target, filepath.Join(dir, name))
		file, err := folder.OpenFound(path)
		if code(err) != message.StaleFile {
			t.Errorf("OpenFound(%q) = %v, want %s", path, err, message.StaleFile)
		}
		if err == nil {
			_ = file.Close()
		}
		opener := folder.Opener()
		if content, err := opener.Read(t.Context(), path, 100); code(err) != message.StaleFile {
			t.Errorf("Read(%q) = %q, %v, want %s", path, content, err, message.StaleFile)
		}
		opener.Close()
	}
}
