package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
)

// inspected is what this computer can do; tests of confined commands need Seatbelt.
func inspected(t *testing.T) *System {
	t.Helper()
	found := Inspect(t.Context(), "", nil)
	if found.Level != message.LevelLimited {
		t.Fatalf("level %s, because %s", found.Level, found.Why)
	}
	return found
}

func TestSEC02_LevelIsLimitedAtMost(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root has level None")
	}
	found := inspected(t)
	if text := found.Sentence(false); !strings.Contains(text, "cannot start servers") || strings.Contains(text, "what git runs") {
		t.Errorf("said: %s", text)
	}
	without := InspectWithout(t.Context(), "", Without{Namespaces: true})
	if without.Level != message.LevelNone || without.Why == "" {
		t.Errorf("without Seatbelt: level %s, because %q", without.Level, without.Why)
	}
}

func TestSEC02_WhatConfinedCommandsCanDo(t *testing.T) {
	dir := t.TempDir()
	workspace := filepath.Join(dir, `work "space"`)
	for _, folder := range []string{"lib/.git/hooks", ".git"} {
		if err := os.MkdirAll(filepath.Join(workspace, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	space, err := inspected(t).Open(Place{
		Workspace: workspace, Private: filepath.Join(dir, "own", "private"), Home: os.Getenv("HOME"), Hide: []string{filepath.Join(dir, "own")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	for _, test := range []struct {
		line  string
		works bool
	}{
		{"echo a > file && cat file && rm file", true},
		{`echo a > "$TMPDIR/file" && cat "$TMPDIR/file"`, true},
		{"printf '#!/bin/sh\nexit 0\n' > run && chmod 755 run && ./run", true},
		{"mkdir -p a/b && mv a c && ln -s c d && cd d/b && pwd -P && ls -l ..", true},
		{"sleep 60 & kill $! && date && id && uname -a && ls / /usr/bin >/dev/null", true},
		{"git init -q new && git -C new status", true},
		{"git --git-dir=new/.git rev-parse", true},
		{"cat ../secret", false},
		{"echo x > ../written", false},
		{"ls ..", false},
		{"ls ../own", false},
		{"echo x > lib/.git/hooks/pre-commit", false},
		{"echo x > lib/.git/config", false},
		{"echo x > .GIT/Config", false},
		{"mv lib other", false},
		{`mv "$PWD" "$TMPDIR/other"`, false},
		{"/usr/bin/osascript -e 1", false},
		{"/usr/bin/security list-keychains", false},
		{`ls "$HOME/Library/Keychains"`, false},
		{"echo x > /private/tmp/fairlead-written", false},
		{"nc -z 1.1.1.1 53", false},
	} {
		arguments, err := space.Arguments(test.line, false, []string{".git", "lib/.git"})
		if err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
		command.Dir, command.Env = workspace, space.Environment([]string{"PATH=" + os.Getenv("PATH")})
		if output, err := command.CombinedOutput(); (err == nil) != test.works {
			t.Errorf("%s: %v: %s", test.line, err, output)
		}
	}
}
