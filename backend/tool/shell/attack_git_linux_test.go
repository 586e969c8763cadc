package shell_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// plant is a shell function that makes a file a program that leaves a trace outside
// the workspace when somebody who is not confined runs it.
const plant = `plant() { mkdir -p "$(dirname "$1")" && printf '#!/bin/sh\necho >%s\n' "$outside/ran" >"$1" && chmod 755 "$1"; }
`

// gitAttacks make the user's own git run a program, the next time that git is
// used in the folder: by hand, by an editor, by Fairlead.
func gitAttacks() []attack {
	all := []attack{
		{name: "git hook", line: `plant .git/hooks/pre-commit`},
		{name: "git hook by rename", line: `plant new && mv -f new .git/hooks/pre-commit`},
		{name: "git hooks folder replaced", line: `plant new/pre-commit && mv .git/hooks .git/old && mv new .git/hooks`},
		{name: "git fsmonitor", line: `plant run && git config core.fsmonitor "$PWD/run"`},
		{name: "git hooksPath", line: `plant new/pre-commit && git config core.hooksPath "$PWD/new"`},
		{name: "git hooksPath that was there", prepare: hooksInside, line: `plant hooks/pre-commit`},
		{name: "git config replaced", line: `plant run && { cat .git/config && printf '[core]\n\tfsmonitor = %s\n' "$PWD/run"; } >new && mv -f new .git/config`},
		{name: "git config included", line: `plant run && printf '[core]\n\tfsmonitor = %s\n' "$PWD/run" >.git/more`, prepare: including},
		{name: "git folder replaced", line: `mv .git old && cp -r old .git && plant .git/hooks/pre-commit`},
		{name: "git folder replaced by a file", line: `mv .git old && cp -r old new && plant new/hooks/pre-commit && echo "gitdir: new" >.git`},
		{name: "git folder replaced by a link", line: `mv .git old && cp -r old new && plant new/hooks/pre-commit && ln -s new .git`},
		{name: "git common folder", line: `cp -r .git new && plant new/hooks/pre-commit && echo ../new >.git/commondir`},
		{name: "git submodule", prepare: submodule, line: `plant .git/modules/part/hooks/pre-commit`},
		{name: "git submodule by its file", prepare: submodule, line: `cp -r .git/modules/part new && plant new/hooks/pre-commit && git config -f new/config core.worktree ../part && echo "gitdir: ../new" >part/.git`},
		{name: "git worktree", prepare: worktree, line: `plant .git/hooks/pre-commit`},
		{name: "git worktree by its common folder", prepare: worktree, line: `cp -r .git new && plant new/hooks/pre-commit && echo ../../../new >.git/worktrees/part/commondir`},
		{name: "git worktree by its file", prepare: worktree, line: `cp -r .git new && plant new/hooks/pre-commit && echo "gitdir: ../new/worktrees/part" >part/.git`},
		{name: "git worktree configuration", prepare: worktreeConfigured, line: `plant run && git config --worktree core.fsmonitor "$PWD/run"`},
		{name: "git repository below", prepare: below, line: `plant part/.git/hooks/pre-commit`},
		{name: "git repository of a worktree outside", prepare: worktreeOutside, line: `plant "$(git rev-parse --git-common-dir)/hooks/pre-commit"`},
	}
	for i := range all {
		all[i].class = classGit
		if all[i].prepare == nil {
			all[i].prepare = repository
		}
	}
	all = append(
		all,
		attack{name: "git repository at the top", class: classFlagged, line: `git init -q && plant .git/hooks/pre-commit`},
		attack{name: "git repository that is new", class: classFlagged, line: `git init -q part && plant part/.git/hooks/pre-commit`},
	)
	for i := range all {
		all[i].missing, all[i].line, all[i].escaped = needs("git"), plant+all[i].line, runs
	}
	return append(all, attack{
		// What editors and shells run when the folder is opened. Nothing here does.
		name: "files that editors run", class: classFlagged,
		line: `mkdir .vscode && echo "$mark" >.vscode/tasks.json && echo "$mark" >.envrc`,
		escaped: func(_ *testing.T, l *lab) bool {
			return exists(filepath.Join(l.workspace, ".vscode", "tasks.json")) && exists(filepath.Join(l.workspace, ".envrc"))
		},
	})
}

// own runs the user's git in a folder of the lab and reports whether it succeeded.
func own(l *lab, folder string, arguments ...string) (string, error) {
	// What a test has made need not outlive a power cut: to wait for a busy disk takes
	// seconds.
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main",
		"-c", "core.fsync=none",
	}, arguments...)...)
	cmd.Dir = filepath.Join(l.above, folder)
	// Where an attack has left no repository, git is not to find another above.
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+l.above)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// mustGit runs the user's git to prepare an attack.
func mustGit(t *testing.T, l *lab, folder string, arguments ...string) {
	t.Helper()
	if output, err := own(l, folder, arguments...); err != nil {
		t.Fatalf("git %q: %v: %s", arguments, err, output)
	}
}

// runs reports whether the user's git runs what was planted, at the top or in part.
func runs(t *testing.T, l *lab) bool {
	t.Helper()
	for _, folder := range []string{"workspace", "workspace/part"} {
		if !exists(filepath.Join(l.above, folder, ".git")) {
			continue
		}
		for _, arguments := range [][]string{{"status"}, {"commit", "--allow-empty", "-m", "next"}} {
			if output, err := own(l, folder, arguments...); err != nil {
				t.Logf("git %q in %s: %v: %s", arguments, folder, err, output)
			}
		}
	}
	return exists(filepath.Join(l.outside, "ran"))
}

// repository makes the workspace one, with a commit.
func repository(t *testing.T, l *lab) {
	t.Helper()
	commit(t, l, "workspace")
}

// commit makes a folder a repository with a commit.
func commit(t *testing.T, l *lab, folder string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Join(l.above, folder), 0o755))
	mustGit(t, l, folder, "init", "-q")
	mustGit(t, l, folder, "commit", "-q", "--allow-empty", "-m", "first")
}

// including makes it one whose configuration includes a file that is not there yet.
func including(t *testing.T, l *lab) {
	t.Helper()
	repository(t, l)
	mustGit(t, l, "workspace", "config", "include.path", "more")
}

// hooksInside makes it one whose hooks lie among the files that are worked on, as
// tools for teams have it.
func hooksInside(t *testing.T, l *lab) {
	t.Helper()
	repository(t, l)
	must(t, os.Mkdir(filepath.Join(l.workspace, "hooks"), 0o755))
	mustGit(t, l, "workspace", "config", "core.hooksPath", "hooks")
}

// submodule gives it the submodule part.
func submodule(t *testing.T, l *lab) {
	t.Helper()
	repository(t, l)
	commit(t, l, "origin")
	mustGit(t, l, "workspace", "submodule", "--quiet", "add", "../origin", "part")
	mustGit(t, l, "workspace", "commit", "-q", "-m", "part")
}

// worktree gives it a second working folder, part.
func worktree(t *testing.T, l *lab) {
	t.Helper()
	repository(t, l)
	mustGit(t, l, "workspace", "worktree", "add", "-q", "part")
}

// worktreeConfigured makes it one whose working folders have configurations of
// their own.
func worktreeConfigured(t *testing.T, l *lab) {
	t.Helper()
	repository(t, l)
	mustGit(t, l, "workspace", "config", "extensions.worktreeConfig", "true")
}

// below puts a repository into a folder of the workspace.
func below(t *testing.T, l *lab) {
	t.Helper()
	commit(t, l, "workspace/part")
}

// worktreeOutside makes the workspace a working folder of a repository that lies
// outside.
func worktreeOutside(t *testing.T, l *lab) {
	t.Helper()
	commit(t, l, "origin")
	must(t, os.RemoveAll(l.workspace))
	mustGit(t, l, "origin", "worktree", "add", "-q", l.workspace)
	l.arm(t)
}
