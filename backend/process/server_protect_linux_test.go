package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
)

// dialogue is a server that runs the lines it is told.
type dialogue struct {
	*Server
	output *bufio.Scanner
}

func startDialogue(t *testing.T, space *sandbox.ServerSpace, c ServerCommand) *dialogue {
	t.Helper()
	c.Program, c.Arguments = "/bin/sh", []string{"-c", `exec 2>&1; while read -r line; do eval "$line"; echo end; done`}
	s := startProgram(t, space, c)
	return &dialogue{s, bufio.NewScanner(s.Output)}
}

// do has it run a line and returns what that printed.
func (d *dialogue) do(line string) string {
	fmt.Fprintln(d.Input, line)
	var said []string
	for d.output.Scan() && d.output.Text() != "end" {
		said = append(said, d.output.Text())
	}
	return strings.Join(said, "\n")
}

// replace replaces a file as an editor does.
func replace(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+"~", []byte(text), 0o600), os.Rename(path+"~", path)); err != nil {
		t.Fatal(err)
	}
}

// What other programs replace or make while a server runs is kept from it once that is asked for:
// the system takes what covers a file off with the file.
func TestEXT01_WhatIsReplacedIsKeptFromAServerThatRuns(t *testing.T) {
	for _, access := range []sandbox.Access{sandbox.AccessRead, sandbox.AccessWrite} {
		t.Run(string(access), func(t *testing.T) {
			g := newGrounds(t, environment{string(message.LevelFull), full, sandboxtest.NeedsFull})
			for _, name := range []string{".git/hooks", ".git/objects", ".git/refs"} {
				if err := os.MkdirAll(filepath.Join(g.workspace, name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			config := filepath.Join(g.workspace, ".git", "config")
			replace(t, config, "[core]\n")
			repositories, cover := []string{".git/"}, []string{".env", "keys"}
			d := startDialogue(t, g.openSpace(t, access, nil), ServerCommand{Repositories: repositories, Cover: cover})
			wantKept := func() {
				t.Helper()
				if said := d.do("cat .env; ls keys; cat keys/id_rsa new.env 2>/dev/null"); said != "" {
					t.Errorf("it reads %q", said)
				}
				for _, line := range []string{"echo a >>.git/config", "mv .git other", "echo a >.env", "rm -r keys", "echo a >keys/new", "echo a >/dev/covered/file"} {
					if said := d.do(line + " && echo worked"); strings.Contains(said, "worked") {
						t.Errorf("%s works", line)
					}
				}
			}
			wantKept()
			replace(t, filepath.Join(g.workspace, ".env"), "new canary\n")
			replace(t, filepath.Join(g.workspace, "new.env"), "canary\n")
			replace(t, config, "[core]\n\tbare = false\n")
			if err := errors.Join(os.Rename(filepath.Join(g.workspace, "keys"), filepath.Join(g.workspace, "old")),
				os.MkdirAll(filepath.Join(g.workspace, "keys"), 0o700), os.WriteFile(filepath.Join(g.workspace, "keys", "id_rsa"), []byte("canary\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
			if said := d.do("cat .env new.env keys/id_rsa"); said != "new canary\ncanary\ncanary" {
				t.Errorf("before it is kept from it, it reads %q", said)
			}
			for range 3 {
				if err := d.Protect(t.Context(), repositories, append(cover, "new.env", "old", "gone.env")); err != nil {
					t.Fatal(err)
				}
				wantKept()
			}
			mounts := d.do("grep -c workspace /proc/self/mountinfo")
			if err := d.Protect(t.Context(), repositories, append(cover, "new.env", "old", "gone.env")); err != nil {
				t.Fatal(err)
			}
			if now := d.do("grep -c workspace /proc/self/mountinfo"); now != mounts {
				t.Errorf("%s mounts, and %s before", now, mounts)
			}
			if text, err := os.ReadFile(filepath.Join(g.workspace, ".env")); err != nil || string(text) != "new canary\n" {
				t.Errorf("the file is %q, %v", text, err)
			}
		})
	}
}

func TestEXT01_WhatCannotBeKeptFromAServerIsSaid(t *testing.T) {
	g := newGrounds(t, environment{string(message.LevelFull), full, sandboxtest.NeedsFull})
	d := startDialogue(t, g.openSpace(t, sandbox.AccessWrite, nil), ServerCommand{})
	if err := d.Protect(t.Context(), nil, []string{"a/" + strings.Repeat("x", 300)}); err != nil {
		t.Errorf("what is not there: %v", err)
	}
	// A link that was put on the way to a pin leads elsewhere.
	if err := errors.Join(os.MkdirAll(filepath.Join(g.workspace, "real"), 0o700), os.Symlink("real", filepath.Join(g.workspace, "link"))); err != nil {
		t.Fatal(err)
	}
	if err := d.Protect(t.Context(), []string{"link/file"}, nil); err == nil || !strings.Contains(err.Error(), "link/file") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("stop")
	cancel(cause)
	if err := d.Protect(ctx, nil, nil); err != nil && !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := d.Protect(t.Context(), nil, nil); err == nil {
		t.Error("a server that has ended is kept from files")
	}
}

// A server that sees no workspace, and one below level full, is kept from nothing.
func TestEXT01_WhereNothingIsCoveredNothingIsRenewed(t *testing.T) {
	inServerEnvironments(t, func(t *testing.T, g *grounds) {
		access := sandbox.AccessWrite
		if g.system.Level == message.LevelFull {
			access = sandbox.AccessNone
		}
		d := startDialogue(t, g.openSpace(t, access, nil), ServerCommand{})
		if err := d.Protect(t.Context(), []string{".git/"}, []string{"file"}); err != nil {
			t.Error(err)
		}
		if said := d.do("echo lives"); said != "lives" {
			t.Errorf("it says %q", said)
		}
	})
}
