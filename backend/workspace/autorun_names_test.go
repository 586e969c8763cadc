package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/change/changetest"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"
)

// put writes a file of a folder.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
}

// relink makes a link, in place of what was there.
func relink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path) // there may be none
	sandboxtest.Link(t, target, path)
}

// named fails the test unless one of some sentences begins with a path.
func named(t *testing.T, said []string, path string) {
	t.Helper()
	if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, path+" ") }) {
		t.Errorf("%s is not named: %q", path, said)
	}
}

// actedOn are files that programs act on by themselves.
var actedOn = strings.Fields(`
	.idea/runConfigurations/x.xml .claude/hooks/h.sh .claude/settings.json .venv/bin/python
	venv/bin/activate .eslintrc.js .gdbinit CLAUDE.md AGENTS.md .cursorrules .windsurfrules .roo/mcp.json .kiro/hooks/a.json
	.github/copilot-instructions.md .github/workflows/x.yml .npmrc .bashrc .zshrc .profile .run/x.run.xml flake.nix
	.vscode/tasks.json .mcp.json .cursor/mcp.json .gemini/settings.json .gitlab-ci.yml Jenkinsfile .lldbinit .clinerules/a.md
	.husky/_/pre-commit lefthook.yml .devcontainer/devcontainer.json .envrc .exrc .dir-locals.el a.code-workspace
	sub/.idea/runConfigurations/x.xml .venv/lib/python3/site-packages/x.pth .githooks/pre-commit .pnpmfile.cjs
`)

func TestSEC08_WhatOthersActOnIsNamed(t *testing.T) {
	for _, name := range actedOn {
		t.Run(name, func(t *testing.T) {
			folder, dir, _ := open(t)
			_, after := folder.BeforeCommand(t.Context())
			put(t, dir, name, "one")
			fresh := inWords(after(t.Context()))
			// A folder that is new stands for what is in it.
			if len(fresh) != 1 || !strings.HasPrefix(name, strings.Split(fresh[0], " is new")[0]) {
				t.Errorf("new: said %q", fresh)
			}
			_, after = folder.BeforeCommand(t.Context())
			put(t, dir, name, "two")
			named(t, inWords(after(t.Context())), name)
			_, after = folder.BeforeCommand(t.Context())
			if said := inWords(after(t.Context())); said != nil {
				t.Errorf("said %q where nothing changed", said)
			}
		})
	}
}

func TestSEC08_LinksArePartOfWhatIsCompared(t *testing.T) {
	folder, dir, outside := open(t)
	put(t, dir, "tools/code/tasks.json", "one")
	put(t, dir, "other/tasks.json", "other")
	relink(t, "tools/code", filepath.Join(dir, ".vscode"))
	_, after := folder.BeforeCommand(t.Context())
	put(t, dir, "tools/code/tasks.json", "two")
	named(t, inWords(after(t.Context())), "tools/code/tasks.json")

	_, after = folder.BeforeCommand(t.Context())
	relink(t, "other", filepath.Join(dir, ".vscode"))
	named(t, inWords(after(t.Context())), ".vscode")

	_, after = folder.BeforeCommand(t.Context())
	relink(t, outside, filepath.Join(dir, ".vscode"))
	named(t, inWords(after(t.Context())), ".vscode")

	_, after = folder.BeforeCommand(t.Context())
	relink(t, "..", filepath.Join(dir, "sub/.idea")) // the folder itself
	relink(t, ".claude", filepath.Join(dir, ".claude"))
	said := inWords(after(t.Context()))
	named(t, said, "sub/.idea")
	named(t, said, ".claude")
}

func TestSEC08_OverlappingCommandsDoNotReportEachOther(t *testing.T) {
	folder, dir, _ := open(t)
	put(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, ".git/config", "[include]\n\tpath = more\n[extensions]\n\tworktreeConfig\n")
	_, first := folder.BeforeCommand(t.Context())
	_, second := folder.BeforeCommand(t.Context())
	for _, after := range []func() []string{
		func() []string { return inWords(first(t.Context())) }, func() []string { return inWords(second(t.Context())) },
	} {
		if said := after(); said != nil {
			t.Errorf("said %q", said)
		}
	}
	for _, name := range []string{"commondir", "more", "config.worktree"} {
		if _, err := os.Lstat(filepath.Join(dir, ".git", name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// TestSEC08_SoakManyEntriesAtTheTop plants a hook in a folder whose top has more entries
// than are looked at: in whatever order the file system tells them, it is named.
func TestSEC08_SoakManyEntriesAtTheTop(t *testing.T) {
	count := 25_000
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		count = 250_000
	}
	for _, above := range []string{"", "/dev/shm"} {
		t.Run("in "+above, func(t *testing.T) {
			dir, err := os.MkdirTemp(above, "fairlead-many-")
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			for i := range count / 10 {
				put(t, dir, fmt.Sprintf("file-%d", i), "")
			}
			folder, err := workspace.Open(dir)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { _ = folder.Close() })
			changetest.Use(t, folder)
			_, after := folder.BeforeCommand(t.Context())
			put(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
			put(t, dir, ".git/hooks/pre-commit", "#!/bin/sh\n")
			put(t, dir, ".envrc", "")
			for i := range count * 9 / 10 {
				put(t, dir, fmt.Sprintf("more-%d", i), "")
			}
			said := inWords(after(t.Context()))
			named(t, said, ".git")
			named(t, said, ".envrc")
			if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "not everything was looked at") }) {
				t.Errorf("nothing is said of what was not looked at: %q", said)
			}
			_, after = folder.BeforeCommand(t.Context())
			put(t, dir, ".git/hooks/pre-push", "#!/bin/sh\n")
			named(t, inWords(after(t.Context())), ".git/hooks/pre-push")
		})
	}
}

// TestSEC08_BigFoldersAreSearchedWhole plants files that programs act on beyond 20,000
// others, and below paths that tools do not take.
func TestSEC08_BigFoldersAreSearchedWhole(t *testing.T) {
	folder, dir, _ := open(t)
	for i := range 22 {
		for k := range 1000 {
			put(t, dir, fmt.Sprintf("folder-%d/%d/file-%d", i, k/100, k), "")
		}
	}
	long := strings.Repeat("x", 250)
	deep := strings.Join([]string{long, long, long, long, ".vscode"}, "/")
	put(t, dir, deep+"/tasks.json", "one")
	for range 2 { // the second time most is remembered
		_, after := folder.BeforeCommand(t.Context())
		put(t, dir, "folder-9/9/.envrc", "")
		put(t, dir, deep+"/tasks.json", "two")
		said := inWords(after(t.Context()))
		named(t, said, "folder-9/9/.envrc")
		if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "x/.vscode/tasks.json was changed") }) || len(said) != 2 {
			t.Errorf("said %q", said)
		}
		if err := os.Remove(filepath.Join(dir, "folder-9/9/.envrc")); err != nil {
			t.Fatal(err)
		}
		put(t, dir, deep+"/tasks.json", "one")
	}
}

func TestSEC08_FileToolsRefuseRepositoriesInEveryLayout(t *testing.T) {
	folder, dir, _ := open(t)
	for _, name := range []string{
		".bare/HEAD", ".bare/objects/x", ".bare/refs/x", ".bare/worktrees/main/HEAD", ".bare/worktrees/main/commondir",
		"half/HEAD", "half/objects/x", "origin.git/HEAD", "origin.git/objects/x", "origin.git/refs/x", "plain/HEAD",
	} {
		put(t, dir, name, "")
	}
	put(t, dir, ".git", "gitdir: ./.bare\n")
	put(t, dir, "origin.git/main/.git", "gitdir: ../worktrees/main\n")
	relink(t, ".bare", filepath.Join(dir, "alias"))
	for name, refused := range map[string]bool{
		".git": true, ".bare/config": true, ".bare/hooks/pre-commit": true, ".bare/worktrees/main/config.worktree": true,
		"alias/config": true, "origin.git/config": true, "half/refs/heads/main": true, "sub/.git": true, "sub/.GIT/config": true,
		"origin.git/main/a.txt": false, "half/config": false, "plain/a.txt": false, "sub/objects/x": false, "a.txt": false,
	} {
		if _, err := folder.Writable(name); refused != (err != nil) {
			t.Errorf("whether %s may be written: %v", name, err)
		}
		err := folder.Write(name, []byte("x"))
		if refused != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if refused && !strings.Contains(fmt.Sprint(err), "belongs to git") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
