package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// look returns the hazards of a folder.
func look(t *testing.T, f *workspace.Folder) *workspace.Hazards {
	t.Helper()
	h, err := f.Hazards(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSEC02_HazardsAreNoticed(t *testing.T) {
	folder, dir, _ := open(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/config", "[core]\n")
	write(".git/hooks/pre-commit.sample", "")
	write("lib/.git", "gitdir: elsewhere\n")
	write(".vscode/settings.json", "{}")
	before := look(t, folder)
	if diff := cmp.Diff([]string{".git", "lib/.git"}, before.Repositories); diff != "" {
		t.Errorf("repositories: %s", diff)
	}
	if noticed := look(t, folder).Since(before); noticed != nil {
		t.Errorf("noticed %q where nothing changed", noticed)
	}

	write(".git/config", "[fsmo]\n") // of the same size
	write(".git/hooks/pre-commit", "#!/bin/sh\n")
	write(".git/index", "new")
	write("lib/.git", "gitdir: ../evil\n")
	write("a/b/c/.git/HEAD", "")
	write("a/b/c/d/e/.git/HEAD", "")
	write("bare/HEAD", "")
	write("bare/objects/x", "")
	write("bare/refs/x", "")
	write(".vscode/tasks.json", "{}")
	write("node_modules/x/.git/HEAD", "")
	write("sub/.envrc", "rm -rf ~")
	want := []string{
		".git/config was changed: git runs what it says",
		".git/hooks/pre-commit is new: git runs what it says",
		".vscode/tasks.json is new: editors and shells can run what it says when the folder is opened",
		"a/b/c/.git is new: git runs what its settings and hooks say",
		"bare is new: git runs what its settings and hooks say",
		"lib/.git was changed: git runs what its settings and hooks say",
		"sub/.envrc is new: editors and shells can run what it says when the folder is opened",
	}
	if diff := cmp.Diff(want, look(t, folder).Since(before)); diff != "" {
		t.Errorf("noticed: %s", diff)
	}
}

func TestSEC02_GitWorksWhilePinned(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	folder, dir, _ := open(t)
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, arguments...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", arguments, err, out)
		}
	}
	git("init", "-q", "-b", "main", ".")
	if err := os.RemoveAll(filepath.Join(dir, ".git/hooks")); err != nil {
		t.Fatal(err)
	}
	common := filepath.Join(dir, ".git/commondir")
	_, first := folder.PinGit([]string{".git"})
	_, second := folder.PinGit([]string{".git"})
	for _, made := range []string{common, filepath.Join(dir, ".git/hooks")} {
		if _, err := os.Stat(made); err != nil {
			t.Error(err)
		}
	}
	git("commit", "-q", "--allow-empty", "-m", "one")
	git("switch", "-q", "-c", "other")
	git("commit", "-q", "--allow-empty", "-m", "two")
	git("rebase", "-q", "main")
	git("worktree", "add", "-q", filepath.Join(t.TempDir(), "tree"))
	git("gc", "-q")
	git("fsck")
	first()
	first()
	if _, err := os.Stat(common); err != nil {
		t.Error("gone while another command needs it")
	}
	second()
	if _, err := os.Stat(common); err == nil {
		t.Error("left behind")
	}
	git("status")
}
