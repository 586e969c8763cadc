package autorun_test

import (
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/workspace/autorun"
)

func TestSEC08_WhatProgramsActOnIsKnownByName(t *testing.T) {
	for kind, paths := range map[autorun.Kind]string{
		autorun.Git: `.git .git/config .git/hooks/pre-commit lib/.git .GIT/config GIT~1/config .githooks/pre-commit .gitmodules
			.git/rebase-merge/git-rebase-todo .git/modules/a/b/config`,
		autorun.Editor: `.vscode/tasks.json .VSCode/tasks.json a/b/.vscode/settings.json .idea/runConfigurations/x.xml .zed/tasks.json
			.fleet/run.json .vs/x a.code-workspace .vimrc .exrc .nvim.lua .dir-locals.el .gdbinit .lldbinit .eslintrc.js
			web/.eslintrc.cjs eslint.config.mjs`,
		autorun.Assistant: `.claude/settings.json .claude/hooks/h.sh .cursor/mcp.json .gemini/settings.json .codex/config.toml .mcp.json
			CLAUDE.md sub/AGENTS.md GEMINI.md .cursorrules .windsurfrules .roo/mcp.json .kiro/hooks/x .clinerules
			.github/copilot-instructions.md .GitHub/Instructions/a.md`,
		autorun.Shell:       `.bashrc .zshrc .profile .zshenv .bash_profile home/.bashrc`,
		autorun.Environment: `.envrc .venv/bin/python venv/bin/activate .venv/Scripts/python.exe pyvenv.cfg .npmrc .yarnrc.yml .pnpmfile.cjs flake.nix .devcontainer/devcontainer.json .tool-versions mise.toml .cargo/config.toml .venv/lib/python3.11/site-packages/x.pth`,
		autorun.Task:        `.husky/pre-commit lefthook.yml .pre-commit-config.yaml .run/all.run.xml`,
		autorun.CI:          `.github/workflows/x.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile sub/jenkinsfile .github/actions/a/action.yml`,
	} {
		for name := range strings.FieldsSeq(paths) {
			if got, ok := autorun.Reason(name); !ok || got != kind {
				t.Errorf("%s: %q, %v; want %q", name, got, ok, kind)
			}
		}
	}
	for _, name := range []string{
		".", "main.go", "Makefile", "package.json", "src/git/config", "gitconfig", ".github/README.md", ".gitignore", "bin/python",
		"workflows/x.yml", ".venv/lib/x.py", "vscode/tasks.json", "code-workspace", ".code-workspace", "a.pth",
	} {
		if kind, ok := autorun.Reason(name); ok {
			t.Errorf("%s: %q", name, kind)
		}
	}
}

func TestSEC08_EveryKindIsReported(t *testing.T) {
	seen := map[string]bool{message.Autorun("").Sentence(): true}
	for _, kind := range autorun.Kinds() {
		sentence := message.Autorun(kind).Sentence()
		if seen[sentence] {
			t.Errorf("%s has the sentence of another", kind)
		}
		seen[sentence] = true
	}
}
