package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/autorun"

	"github.com/google/go-cmp/cmp"
)

// since says in words what is new or changed in a folder since an earlier look.
func since(t *testing.T, f *workspace.Folder, before *autorun.Look) (said []string) {
	t.Helper()
	for _, n := range f.Look(t.Context()).Since(before) {
		said = append(said, workspace.NoticeOf(n).String())
	}
	return said
}

// inWords are notices in words.
func inWords(notices []message.Notice) (words []string) {
	for _, n := range notices {
		words = append(words, n.String())
	}
	return words
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
	before := folder.Look(t.Context())
	pins, _ := before.Pins()
	if diff := cmp.Diff([]string{".git/", ".git/config", ".git/hooks", "lib/.git", ".vscode"}, pins); diff != "" {
		t.Errorf("pinned: %s", diff)
	}
	if noticed := since(t, folder, before); noticed != nil {
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
		"a/b/c/.git is new: git runs what it says",
		"bare is new: git runs what it says",
		"lib/.git was changed: git runs what it says",
		".vscode/tasks.json is new: editors can run what it says when the folder is opened",
		"sub/.envrc is new: it decides which programs run when the project is used",
	}
	if diff := cmp.Diff(want, since(t, folder, before)); diff != "" {
		t.Errorf("noticed: %s", diff)
	}
}

func TestSEC02_GitWorksWhilePinned(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this system has no git")
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
	_, first := folder.BeforeCommand(t.Context())
	_, second := folder.BeforeCommand(t.Context())
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
	// The other command's file is none of what this one left.
	want := []message.Notice{{Code: message.NoticeNew, Data: message.NoticeData{Path: ".git/worktrees/tree", Autorun: message.AutorunGit}}}
	if diff := cmp.Diff(want, first(t.Context())); diff != "" {
		t.Errorf("noticed while another command runs: %s", diff)
	}
	if _, err := os.Stat(common); err != nil {
		t.Error("gone while another command needs it")
	}
	if diff := cmp.Diff(want, second(t.Context())); diff != "" {
		t.Errorf("noticed: %s", diff)
	}
	if _, err := os.Stat(common); err == nil {
		t.Error("left behind")
	}
	git("status")
}
