package autorun

import (
	"slices"
	"strings"
	"sync"
)

// group is a set of names with one rule.
type group struct {
	rule  rule
	names string
}

// groups are the names of files and folders that programs act on wherever they lie.
// They are folded.
var groups = []group{
	{rule{Git, true}, `.git git~1 .githooks`},
	{rule{Git, false}, `.gitmodules`},
	{rule{Editor, true}, `.vscode .vscode-insiders .idea .zed .fleet .vs .theia .nvim .vim .helix
		.vimrc _vimrc .gvimrc .exrc _exrc .nvimrc .nvim.lua .lvimrc .ideavimrc .dir-locals.el .dir-locals-2.el
		.emacs .gdbinit .lldbinit .sublime`},
	// Plugins of editors load these when a file is opened.
	{rule{Editor, false}, `.eslintrc.js .eslintrc.cjs .eslintrc.mjs .eslintrc.json .eslintrc.yml .eslintrc.yaml .eslintrc
		eslint.config.js eslint.config.cjs eslint.config.mjs eslint.config.ts eslint.config.mts eslint.config.cts
		.prettierrc.js .prettierrc.cjs .prettierrc.mjs .prettierrc.ts prettier.config.js prettier.config.cjs
		prettier.config.mjs prettier.config.ts .stylelintrc.js .stylelintrc.cjs .stylelintrc.mjs stylelint.config.js
		stylelint.config.cjs stylelint.config.mjs .pylintrc .rubocop.yml .solargraph.yml`},
	{rule{Assistant, true}, `.claude .cursor .gemini .codex .mcp.json mcp.json .windsurf .roo .kiro .cline .continue .amazonq
		.opencode .goose .junie .augment .qwen .trae .crush .crush.json crush.json .agents .factory .kilocode .aider.conf.yml
		.opencode.json opencode.json opencode.jsonc .roomodes .openhands .void .codeium .tabnine`},
	{rule{Assistant, false}, `claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md crush.md warp.md
		.cursorrules .windsurfrules .clinerules .roorules .continuerules .goosehints .augment-guidelines .rules .cursorignore`},
	{rule{Shell, false}, `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
		.zlogout .kshrc .shrc .cshrc .tcshrc .login .logout .inputrc .tmux.conf .screenrc .xinitrc .xprofile .xsession
		.pythonstartup .irbrc .pryrc .rprofile .psqlrc .sqliterc .perldb .config.fish profile.ps1`},
	{rule{Environment, false}, `.envrc .direnv mise.toml .mise.toml mise.local.toml .mise.local.toml .mise .rtx.toml .tool-versions
		.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .bunfig.toml bunfig.toml .condarc pip.conf .pydistutils.cfg
		pyvenv.cfg flake.nix shell.nix devbox.json .devcontainer .devcontainer.json .gitpod.yml .replit .cargo
		rust-toolchain rust-toolchain.toml .bundle .mvn .bazelrc .buckconfig .wslconfig`},
	{rule{Task, false}, `.husky lefthook.yml lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthook.toml
		.lefthook.json lefthook-local.yml lefthook-local.yaml .lefthook .lefthook-local.yml .pre-commit-config.yaml
		.pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml .lintstagedrc .lintstagedrc.json .lintstagedrc.yml
		.lintstagedrc.yaml .lintstagedrc.js .lintstagedrc.mjs .lintstagedrc.cjs lint-staged.config.js lint-staged.config.mjs
		lint-staged.config.cjs .simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs simple-git-hooks.json .run
		.watchmanconfig .autorc`},
	{rule{CI, false}, `.gitlab-ci.yml .gitlab-ci.yaml .circleci jenkinsfile .travis.yml azure-pipelines.yml azure-pipelines.yaml
		.azure-pipelines bitbucket-pipelines.yml .drone.yml .drone.jsonnet .drone.star .woodpecker .woodpecker.yml
		.woodpecker.yaml .buildkite appveyor.yml .appveyor.yml .cirrus.yml .cirrus.star buildspec.yml cloudbuild.yaml
		.semaphore .teamcity .builds .build.yml`},
}

// names are the rules of groups by name.
var names = sync.OnceValue(byName)

func byName() map[string]rule {
	all := map[string]rule{}
	for _, g := range groups {
		for name := range strings.FieldsSeq(g.names) {
			all[name] = g.rule
		}
	}
	return all
}

// endings are the rules of names that end alike.
var endings = []struct {
	text string
	rule rule
}{
	{".code-workspace", rule{Editor, true}},
	{".sublime-project", rule{Editor, true}},
}

// below are the rules of names that count in a folder of a certain name.
var below = map[string]map[string]rule{
	".github": {
		"workflows": {kind: CI}, "actions": {kind: CI},
		"copilot-instructions.md": {kind: Assistant}, "instructions": {kind: Assistant}, "prompts": {kind: Assistant},
		"agents": {kind: Assistant}, "chatmodes": {kind: Assistant}, "skills": {kind: Assistant}, "hooks": {kind: Assistant, pinned: true},
	},
	".gitea":      {"workflows": {kind: CI}},
	".forgejo":    {"workflows": {kind: CI}},
	".config":     {"mise": {kind: Environment}, "mise.toml": {kind: Environment}, "nvim": {kind: Editor, pinned: true}, "fish": {kind: Shell}},
	"fish":        {"config.fish": {kind: Shell}},
	".venv":       environmentFolders,
	"venv":        environmentFolders,
	".virtualenv": environmentFolders,
	"env":         environmentFolders,
	".env":        environmentFolders,
}

// environmentFolders are the folders of programs in a virtual environment for Python.
var environmentFolders = map[string]rule{"bin": {kind: Environment}, "scripts": {kind: Environment}}

// sitePackages are the folders in which Python looks for modules: what a .pth file
// there says is run whenever Python starts.
var sitePackages = map[string]bool{"site-packages": true, "dist-packages": true}

// topNames are the names to ask for in a folder that is too large to be listed, in a
// fixed order: those of groups, and the folders in which further names count.
func topNames() []string {
	all := []string{"HEAD", "objects", "refs", "Jenkinsfile", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md", "WARP.md"}
	for name := range names() {
		all = append(all, name)
	}
	for name := range below {
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
