package suggestiontest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// watched are programs that hostile folders would have run, and those that Fairlead does.
var watched = []string{
	"sh", "bash", "zsh", "env", "git", "gh", "ssh", "curl", "wget", "node", "npx", "npm", "yarn", "pnpm", "bun", "deno", "python", "python3", "pip",
	"pytest", "uv", "uvx", "pipx", "go", "cargo", "make", "cmake", "just", "docker", "podman", "direnv", "mise", "asdf", "nix", "code", "claude", "gemini",
	"codex", "opencode", "rg", "fd", "watchman", "gpg", "xdg-open", "pre-commit", "husky", "lefthook", "ruby", "perl", "java", "gradle", "vagrant",
}

// WatchPrograms makes PATH one folder of programs that note that they are started, and then are
// those of the system. started returns their names and arguments so far, one line each.
func WatchPrograms(t *testing.T) (dir string, started func() []string) {
	t.Helper()
	dir = t.TempDir()
	noted := filepath.Join(dir, "started")
	for _, name := range watched {
		then := "exit 1"
		if program, err := exec.LookPath(name); err == nil {
			then = fmt.Sprintf("exec '%s' \"$@\"", program)
		}
		script := fmt.Sprintf("#!/bin/sh\n{ echo \"%s $*\" >>'%s'; } 2>/dev/null\n%s\n", name, noted, then)
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700)) //nolint:gosec // it is a program
	}
	t.Setenv("PATH", dir)
	return dir, func() []string {
		text, err := os.ReadFile(noted)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}
