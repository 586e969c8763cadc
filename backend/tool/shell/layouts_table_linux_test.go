package shell_test

import (
	"os"
	"path/filepath"
	"testing"
)

// layout is a way in which a repository and its settings lie in a workspace.
type layout struct {
	// name is a row's name in the table.
	name string
	// prepare makes it.
	prepare func(t *testing.T, l *lab)
	// line is a command that tries to change what git runs.
	line string
	// file is the path that a file tool tries to write instead; text is what it writes,
	// a script that leaves the trace where it is empty.
	file, text string
	// later are further calls of the user's git, each in a folder of the lab; status and
	// commit are always tried.
	later [][]string
}

// evil is a settings text that has git run a program of the workspace.
const evil = "[core]\n\tfsmonitor = ./run\n"

// layouts is the table.
func layouts() []layout {
	return []layout{
		{name: "a folder", prepare: repository, line: `plant .git/hooks/pre-commit`, file: ".git/hooks/pre-commit"},
		{name: "hooks are a link", prepare: shaped(`git init -q && rm -r .git/hooks && mkdir githooks && ln -s ../githooks .git/hooks && printf '#!/bin/sh\n' >githooks/pre-commit && chmod 755 githooks/pre-commit`), line: `plant githooks/pre-commit`, file: "githooks/pre-commit"},
		{name: "hooks are a link that is changed", prepare: shaped(`git init -q && rm -r .git/hooks && mkdir githooks && ln -s ../githooks .git/hooks`), line: `plant new/pre-commit; ln -sfn ../new .git/hooks`, file: "githooks/pre-commit"},
		{name: "hooks are a link to a link", prepare: shaped(`git init -q && rm -r .git/hooks && mkdir one && ln -s one two && ln -s ../two .git/hooks`), line: `plant new/pre-commit; ln -sfn new two; plant one/pre-commit`, file: "one/pre-commit"},
		{name: "hooks are a link to nothing", prepare: shaped(`git init -q && rm -r .git/hooks && ln -s ../githooks .git/hooks`), line: `plant githooks/pre-commit`, file: "githooks/pre-commit"},
		{name: "a hook is a link", prepare: shaped(`git init -q && mkdir tools && printf '#!/bin/sh\n' >tools/hook && chmod 755 tools/hook && ln -s ../../tools/hook .git/hooks/pre-commit`), line: `plant tools/hook`, file: "tools/hook"},
		{name: "the settings are a link", prepare: shaped(`git init -q && mv .git/config settings && ln -s ../settings .git/config`), line: `plant run; printf '[core]\n\tfsmonitor = ./run\n' >>settings`, file: "settings", text: evil},
		{name: "the settings are a link that is changed", prepare: shaped(`git init -q && mv .git/config settings && ln -s ../settings .git/config`), line: `plant run; { cat settings; printf '[core]\n\tfsmonitor = ./run\n'; } >new; ln -sfn ../new .git/config`, file: ".git/config", text: evil},
		{name: ".git is a link", prepare: shaped(`git init -q && mv .git store && ln -s store .git`), line: `plant store/hooks/pre-commit`, file: "store/config", text: evil},
		{name: ".git is a link that is changed", prepare: shaped(`git init -q && mv .git store && ln -s store .git`), line: `cp -r store new; plant new/hooks/pre-commit; ln -sfn new .git`, file: "store/hooks/pre-commit"},
		{name: ".git is a file", prepare: shaped(`git init -q && mv .git .bare && echo 'gitdir: ./.bare' >.git`), line: `plant .bare/hooks/pre-commit`, file: ".bare/config", text: evil},
		{name: ".git is a file that is changed", prepare: shaped(`git init -q && mv .git .bare && echo 'gitdir: ./.bare' >.git`), line: `cp -r .bare new; plant new/hooks/pre-commit; echo 'gitdir: ./new' >.git`, file: ".git", text: "gitdir: ./new\n"},
		{name: "a separate folder, deep", prepare: shaped(`mkdir -p a/b/c/d/e && git init -q --separate-git-dir a/b/c/d/e/store`), line: `plant a/b/c/d/e/store/hooks/pre-commit`, file: "a/b/c/d/e/store/config", text: evil},
		{name: "a bare repository with a working tree", prepare: shaped(`seed && git clone -q --bare $above/seed .bare && git -C .bare worktree add -q $workspace/part`), line: `plant .bare/hooks/pre-commit`, file: ".bare/config", text: evil},
		{name: "a bare repository that is pushed to", prepare: shaped(`seed && git clone -q --bare $above/seed origin && git clone -q origin part`), line: `plant origin/hooks/pre-receive`, file: "origin/hooks/pre-receive", later: [][]string{{"workspace/part", "push", "-q", "origin", "HEAD:refs/heads/more"}}},
		{name: "a working tree", prepare: worktree, line: `plant .git/hooks/pre-commit`, file: ".git/worktrees/part/commondir", text: "../../../new\n"},
		{name: "a working tree with settings", prepare: worktreeConfigured, line: `plant run; printf '[core]\n\tfsmonitor = ./run\n' >.git/config.worktree`, file: ".git/config.worktree", text: evil},
		{name: "a submodule", prepare: submodule, line: `plant .git/modules/part/hooks/pre-commit`, file: ".git/modules/part/config", text: evil},
		{name: "a submodule of a submodule", prepare: nested, line: `plant .git/modules/part/modules/inner/hooks/pre-commit`, file: "part/inner/.git", later: [][]string{{"workspace/part/inner", "commit", "-q", "--allow-empty", "-m", "x"}}},
		{name: "a repository below", prepare: below, line: `plant part/.git/hooks/pre-commit`, file: "part/.git/config", text: evil},
		{name: "a repository around", prepare: around, line: `plant hooks/pre-commit`, file: "hooks/pre-commit", later: [][]string{{".", "commit", "--allow-empty", "-m", "x"}}},
		{name: "core.hooksPath", prepare: hooksInside, line: `plant hooks/pre-commit`, file: "hooks/pre-commit"},
		{name: "core.hooksPath with a comment", prepare: shaped(`git init -q && mkdir hooks && printf '[core]\n\thooksPath = hooks # the team\n' >>.git/config`), line: `plant hooks/pre-commit`, file: "hooks/pre-commit"},
		{name: "core.hooksPath on the line of its section", prepare: shaped(`git init -q && mkdir hooks && printf '[core] hooksPath = hooks\n' >>.git/config`), line: `plant hooks/pre-commit`, file: "hooks/pre-commit"},
		{name: "core.hooksPath in an include", prepare: shaped(`git init -q && mkdir hooks && git config include.path ../more && printf '[core]\n\thooksPath = hooks\n' >more`), line: `plant hooks/pre-commit`, file: "more", text: evil},
		{name: "core.hooksPath in an include of an include", prepare: shaped(`git init -q && mkdir hooks && git config include.path ../more && printf '[include]\n\tpath = most\n' >more && printf '[core]\n\thooksPath = hooks\n' >most`), line: `plant hooks/pre-commit`, file: "most", text: evil},
		{name: "an include for another branch", prepare: shaped(`git init -q && git commit -q --allow-empty -m x && git config includeIf.onbranch:other.path ../more && : >more`), line: `plant run; git checkout -q -b other; printf '[core]\n\tfsmonitor = ./run\n' >more`, file: "more", text: evil},
		{name: "an include that is not there", prepare: shaped(`git init -q && git config include.path ../more`), line: `plant run; printf '[core]\n\tfsmonitor = ./run\n' >more`, file: "more", text: evil},
		{name: "the user's hooks, relative", prepare: settled(".gitconfig", "[core]\n\thooksPath = .teamhooks\n", `git init -q && mkdir .teamhooks`), line: `plant .teamhooks/pre-commit`, file: ".teamhooks/pre-commit"},
		{name: "the user's hooks, absolute", prepare: settled(".gitconfig", "[core]\n\thooksPath = $workspace/team\n", `mkdir team && git init -q part`), line: `plant team/pre-commit`, file: "team/pre-commit"},
		{name: "the user's settings include a file", prepare: settled(".config/git/config", "[include]\n\tpath = $workspace/team\n", `git init -q && : >team`), line: `plant run; printf '[core]\n\tfsmonitor = ./run\n' >team`, file: "team", text: evil},
		{name: "core.fsmonitor", prepare: shaped(`git init -q && mkdir tools && printf '#!/bin/sh\n' >tools/fs && chmod 755 tools/fs && git config core.fsmonitor ./tools/fs`), line: `plant tools/fs`, file: "tools/fs"},
		{name: "a filter", prepare: shaped(`git init -q && mkdir tools && printf '#!/bin/sh\ncat\n' >tools/clean && chmod 755 tools/clean && git config filter.x.clean 'sh tools/clean %f' && echo '* filter=x' >.gitattributes && echo x >x`), line: `plant tools/clean`, file: "tools/clean", later: [][]string{{"workspace", "add", "x"}}},
		{name: "a diff program", prepare: shaped(`git init -q && printf '#!/bin/sh\n' >d && chmod 755 d && git config diff.external "$workspace/d" && echo x >x && git add x`), line: `plant d; echo y >x`, file: "d", later: [][]string{{"workspace", "diff", "HEAD"}, {"workspace", "diff"}}},
		{name: "an editor", prepare: shaped(`git init -q && mkdir tools && printf '#!/bin/sh\n' >tools/ed && chmod 755 tools/ed && git config core.editor tools/ed`), line: `plant tools/ed`, file: "tools/ed", later: [][]string{{"workspace", "commit", "--allow-empty"}}},
		{name: "a program for signatures", prepare: shaped(`git init -q && mkdir tools && printf '#!/bin/sh\nexit 1\n' >tools/gpg && chmod 755 tools/gpg && git config gpg.program tools/gpg && git config commit.gpgSign true`), line: `plant tools/gpg`, file: "tools/gpg"},
		{name: "an alias", prepare: shaped(`git init -q && mkdir tools && printf '#!/bin/sh\n' >tools/st && chmod 755 tools/st && git config alias.st '!sh tools/st'`), line: `plant tools/st`, file: "tools/st", later: [][]string{{"workspace", "st"}}},
		{name: "a rebase that was stopped", prepare: rebasing, line: `echo "exec echo >$outside/ran" >>.git/rebase-merge/git-rebase-todo`, file: ".git/rebase-merge/git-rebase-todo", later: [][]string{{"workspace", "rebase", "--continue"}}},
	}
}

// shaped makes a layout by the user's shell, in the workspace.
func shaped(line string) func(t *testing.T, l *lab) {
	return func(t *testing.T, l *lab) {
		t.Helper()
		l.shell(t, line)
	}
}

// settled makes one by the shell after the user's own settings of git.
func settled(file, text, line string) func(t *testing.T, l *lab) {
	return func(t *testing.T, l *lab) {
		t.Helper()
		l.write(t, filepath.Join(l.home, file), os.Expand(text, func(string) string { return l.workspace }))
		l.shell(t, line)
	}
}

// nested gives the workspace a submodule that has one itself.
func nested(t *testing.T, l *lab) {
	t.Helper()
	l.shell(t, `seed && git init -q && git init -q $above/middle && cd $above/middle && git submodule -q add $above/seed inner && git commit -q -m x &&
		cd $workspace && git submodule -q add $above/middle part && git -c protocol.file.allow=always submodule -q update --init --recursive`)
}

// around makes the workspace a folder of a repository whose hooks lie in it.
func around(t *testing.T, l *lab) {
	t.Helper()
	l.shell(t, `git init -q .. && mkdir hooks && git -C .. config core.hooksPath workspace/hooks`)
}

// rebasing stops a rebase half way.
func rebasing(t *testing.T, l *lab) {
	t.Helper()
	l.shell(t, `git init -q && echo a >x && git add x && git commit -q -m a && git checkout -q -b other && echo b >x && git commit -q -am b &&
		git checkout -q main && echo c >x && git commit -q -am c && git checkout -q other && ! git rebase -q main 2>/dev/null && git checkout -q --theirs x && git add x`)
}
