package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"

	"github.com/google/go-cmp/cmp"
)

// serverEnvironments are those in which servers run, the one with nothing that confines too.
func serverEnvironments() []environment {
	return append([]environment{{
		string(message.LevelNone), func() *sandbox.System {
			return inspect(sandbox.Without{Namespaces: true, Landlock: true, Seccomp: true})
		}, func(testing.TB) {},
	}}, confinedEnvironments()...)
}

// grounds are what a test of a server works with: folders of a user of its own.
type grounds struct {
	// workspace is the folder that servers are granted, private holds their private folders, and
	// install is a folder of programs in a hidden one.
	workspace, private, install string
	system                      *sandbox.System
	// servers counts those that were started.
	servers int
}

// newGrounds makes them in an environment. It skips the test where the system does not confine
// that way.
func newGrounds(t testing.TB, r environment) *grounds {
	t.Helper()
	r.needs(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &grounds{
		workspace: filepath.Join(dir, "workspace"), private: filepath.Join(dir, "data", "private"),
		install: filepath.Join(dir, "data", "servers", "one"), system: r.inspect(),
	}
	if string(g.system.Level) != r.name {
		t.Fatalf("the level is %s: %s", g.system.Level, g.system.Why)
	}
	for path, text := range map[string]string{
		filepath.Join(g.workspace, "file"): "of the folder\n", filepath.Join(g.workspace, ".env"): "KEY=canary\n",
		filepath.Join(g.workspace, "keys", "id_rsa"): "canary\n", filepath.Join(g.install, "program"): "a program\n",
		filepath.Join(dir, "data", "keys"): "canary\n", filepath.Join(dir, "outside"): "canary\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// openSpace opens the place of a server. set may change it; it may be nil.
func (g *grounds) openSpace(t testing.TB, access sandbox.Access, set func(p *sandbox.ServerPlace)) *sandbox.ServerSpace {
	t.Helper()
	g.servers++
	place := sandbox.ServerPlace{Access: access, Place: sandbox.Place{
		Workspace: g.workspace, Private: filepath.Join(g.private, fmt.Sprint(g.servers)), Home: os.Getenv("HOME"),
		Hide: []string{filepath.Dir(g.private)}, Install: []string{g.install},
	}}
	if set != nil {
		set(&place)
	}
	space, err := g.system.OpenServer(place)
	if err != nil {
		t.Fatal(err)
	}
	return space
}

// startServer starts a server that is a script of the shell. It ends with the test.
func startScript(t testing.TB, space *sandbox.ServerSpace, script string) *Server {
	t.Helper()
	return startProgram(t, space, ServerCommand{
		Program: "/bin/sh", Arguments: []string{"-c", script}, Cover: []string{".env", "keys/id_rsa"},
	})
}

func startProgram(t testing.TB, space *sandbox.ServerSpace, c ServerCommand) *Server {
	t.Helper()
	s, err := StartServer(space, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// awaitScript runs a script as a server to its end and returns what it wrote.
func awaitScript(t testing.TB, space *sandbox.ServerSpace, script string) (output string, exit ServerExit) {
	t.Helper()
	s := startScript(t, space, script)
	go func() { _, _ = io.Copy(os.Stderr, s.Errors) }()
	text, err := io.ReadAll(s.Output)
	if err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	return string(text), s.Exit()
}

// inServerEnvironments runs a test in each environment that servers run in.
func inServerEnvironments(t *testing.T, test func(t *testing.T, g *grounds)) {
	for _, r := range serverEnvironments() {
		t.Run(r.name, func(t *testing.T) { test(t, newGrounds(t, r)) })
	}
}

func TestEXT01_AServerIsTalkedToOverItsPipes(t *testing.T) {
	inServerEnvironments(t, func(t *testing.T, g *grounds) {
		s := startScript(t, g.openSpace(t, sandbox.AccessNone, nil), `while read line; do echo "got $line"; echo "error $line" >&2; done; exit 3`)
		if s.Level() != g.system.Level {
			t.Errorf("level %s", s.Level())
		}
		output, errors := bufio.NewScanner(s.Output), bufio.NewScanner(s.Errors)
		for _, word := range []string{"one", "two"} {
			fmt.Fprintln(s.Input, word)
			if !output.Scan() || output.Text() != "got "+word || !errors.Scan() || errors.Text() != "error "+word {
				t.Errorf("output %q, errors %q", output.Text(), errors.Text())
			}
		}
		s.Input.Close()
		if output.Scan() || errors.Scan() {
			t.Error("it goes on")
		}
		<-s.Done()
		if diff := cmp.Diff(ServerExit{Code: 3}, s.Exit()); diff != "" {
			t.Error(diff)
		}
		if left, _ := os.ReadDir(g.private); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

func TestEXT01_AServersArgumentsAreNoShellLine(t *testing.T) {
	inServerEnvironments(t, func(t *testing.T, g *grounds) {
		s := startProgram(t, g.openSpace(t, sandbox.AccessNone, nil), ServerCommand{
			Program: "/bin/sh", Arguments: []string{"-c", `printf '%s|' "$0" "$@" "$NAME" "$TERM" "$LANG" "$KEY"`, "$HOME", "a b", "", "`id`"},
			Variables: []string{"NAME=a $value", "LANG=x", "LANG=tr_TR"},
		})
		text, err := io.ReadAll(s.Output)
		if want := "$HOME|a b||`id`|a $value|dumb|tr_TR||"; err != nil || string(text) != want {
			t.Errorf("got %q, %v, want %q", text, err, want)
		}
	})
}

func TestEXT01_GrantsToTheFolder(t *testing.T) {
	const full, limited, none = string(message.LevelFull), string(message.LevelLimited), string(message.LevelNone)
	tests := []struct {
		access sandbox.Access
		line   string
		want   string
		// levels are where that holds.
		levels []string
	}{
		{sandbox.AccessNone, `cat "$WORKSPACE/file" || echo no`, "no\n", []string{full, limited}},
		{sandbox.AccessNone, `ls -d "$WORKSPACE" || echo no`, "no\n", []string{full}},
		{sandbox.AccessNone, `ls -A; echo a >own && cat own`, "a\n", []string{full, limited, none}},
		{sandbox.AccessRead, `cat "$WORKSPACE/file" && pwd`, "of the folder\nWORKSPACE\n", []string{full, limited, none}},
		{sandbox.AccessRead, `echo a >new || echo no`, "no\n", []string{full, limited}},
		{sandbox.AccessRead, `echo a >>file || rm file || mv file other || chmod 777 file || echo no`, "no\n", []string{full}},
		{sandbox.AccessWrite, `echo a >new && cat new && pwd`, "a\nWORKSPACE\n", []string{full, limited, none}},
		{sandbox.AccessRead, `cat .env keys/id_rsa; echo`, "\n", []string{full}},
		{sandbox.AccessWrite, `cat .env keys/id_rsa; echo a >.env || mv .env other || rm -r keys || echo no`, "no\n", []string{full}},
		{sandbox.AccessNone, `cat "$WORKSPACE/../outside" || echo no`, "no\n", []string{full, limited}},
		{sandbox.AccessNone, `cat "$INSTALL/program" && { echo a >"$INSTALL/new" || echo no; }`, "a program\nno\n", []string{full, limited}},
		{sandbox.AccessWrite, `cat "$INSTALL/../../keys" || echo no`, "no\n", []string{full, limited}},
		{sandbox.AccessWrite, `ls "$INSTALL/../.."`, "private\nservers\n", []string{full}},
		{sandbox.AccessRead, `echo a >"$TMPDIR/a" && cat "$TMPDIR/a" && mkdir -p "$XDG_CACHE_HOME" && echo b >"$XDG_CACHE_HOME/b" && echo ok`, "a\nok\n", []string{full, limited, none}},
	}
	inServerEnvironments(t, func(t *testing.T, g *grounds) {
		for _, test := range tests {
			if !slices.Contains(test.levels, string(g.system.Level)) {
				continue
			}
			script := fmt.Sprintf("exec 2>/dev/null; WORKSPACE='%s' INSTALL='%s'\n%s", g.workspace, g.install, test.line)
			output, exit := awaitScript(t, g.openSpace(t, test.access, nil), script)
			if got := strings.ReplaceAll(output, g.workspace, "WORKSPACE"); got != test.want || exit.Err != nil {
				t.Errorf("access %s: %s: printed %q, want %q, %+v", test.access, test.line, got, test.want, exit)
			}
		}
	})
}

// What git runs is kept from a server that may write, as it is from commands in the background.
func TestEXT01_AServerThatWritesMeetsPins(t *testing.T) {
	g := newGrounds(t, confinedEnvironments()[0])
	for _, name := range []string{".git/hooks", ".git/objects", ".git/refs", ".vscode"} {
		if err := os.MkdirAll(filepath.Join(g.workspace, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, access := range []sandbox.Access{sandbox.AccessWrite, sandbox.AccessRead, sandbox.AccessNone} {
		s := startProgram(t, g.openSpace(t, access, nil), ServerCommand{
			Program: "/bin/sh", Repositories: []string{".git/", ".vscode"}, Cover: []string{".env"},
			Arguments: []string{"-c", `exec 2>&1; (echo a >.git/hooks/post-commit || echo b >.vscode/tasks.json || mv .git other) || echo refused; [ "$ACCESS" = write ] || ! echo a >.git/new`},
			Variables: []string{"ACCESS=" + string(access)},
		})
		text, _ := io.ReadAll(s.Output)
		<-s.Done()
		if !strings.Contains(string(text), "refused\n") || s.Exit().Code != 0 {
			t.Errorf("access %s: printed %s, %+v", access, text, s.Exit())
		}
	}
}

func TestEXT01_WhatCannotBeRunIsSaid(t *testing.T) {
	inServerEnvironments(t, func(t *testing.T, g *grounds) {
		for program, want := range map[string]error{filepath.Join(g.install, "none"): fs.ErrNotExist, filepath.Join(g.install, "program"): fs.ErrPermission} {
			s := startProgram(t, g.openSpace(t, sandbox.AccessNone, nil), ServerCommand{Program: program})
			if text, err := io.ReadAll(s.Output); len(text) > 0 || err != nil {
				t.Errorf("printed %q, %v", text, err)
			}
			<-s.Done()
			if exit := s.Exit(); !errors.Is(exit.Err, want) || !errors.Is(exit.Err, ErrNotStarted) || !strings.Contains(exit.Err.Error(), program) || exit.Code != -1 {
				t.Errorf("%+v", exit)
			}
		}
		if _, err := StartServer(g.openSpace(t, sandbox.AccessNone, nil), ServerCommand{Program: "sh"}); !errors.Is(err, errNoProgram) {
			t.Errorf("error %v", err)
		}
		if left, _ := os.ReadDir(g.private); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// Where nothing confines, no server is started.
func TestEXT01_WithoutWhatConfinesNoServerRuns(t *testing.T) {
	g := &grounds{workspace: t.TempDir(), private: t.TempDir(), system: sandbox.Inspect(t.Context(), "/bin/true", nil)}
	if _, err := StartServer(g.openSpace(t, sandbox.AccessWrite, nil), ServerCommand{Program: "/bin/true"}); !errors.Is(err, ErrNotStarted) {
		t.Errorf("error %v", err)
	}
}

// Root is confined as the system allows, and promised nothing.
func TestEXT01_AsRootServersHaveLevelNone(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only with FAIRLEAD_TEST_AS_ROOT=1, as root")
	}
	g := newGrounds(t, environment{string(message.LevelNone), full, func(testing.TB) {}})
	output, exit := awaitScript(t, g.openSpace(t, sandbox.AccessNone, nil), `echo lives; exec 2>/dev/null; cat `+g.workspace+`/file`)
	if !strings.HasPrefix(output, "lives\n") || exit.Err != nil {
		t.Errorf("printed %q, %+v", output, exit)
	}
}
