package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

// open returns a space with every lock that the system has, and its workspace.
func open(t *testing.T, without Without) (space *Space, workspace string) {
	t.Helper()
	dir := t.TempDir()
	workspace = filepath.Join(dir, "workspace")
	if err := os.Mkdir(workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	want, needs := message.LevelFull, sandboxtest.NeedsFull
	if without.Namespaces {
		want, needs = message.LevelLimited, sandboxtest.NeedsLimited
	}
	needs(t)
	found := InspectWithout(t.Context(), helper(), without)
	if found.Level != want {
		t.Fatalf("the level is %s: %s", found.Level, found.Why)
	}
	space, err := found.Open(Place{Workspace: workspace, Private: filepath.Join(dir, "private"), Home: os.Getenv("HOME")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "private")); err == nil {
			t.Error("the private folder is left")
		}
	})
	return space, workspace
}

// helper is the program that starts commands, as it is installed.
func helper() string { return sandboxtest.Program("fairlead") }

// beginTold is begin for a command that writes "begun" first, and waits for that.
func beginTold(t *testing.T, s *Space, c Command) (*Process, *os.File) {
	t.Helper()
	p, out := begin(t, s, c)
	if line := make([]byte, len("begun\n")); !readFull(out, line) {
		t.Fatal("it did not begin")
	}
	return p, out
}

// begin starts a command and returns its output to read.
func begin(t *testing.T, s *Space, c Command) (*Process, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	t.Cleanup(func() { read.Close() })
	if c.Dir == "" {
		c.Dir = s.place.Workspace
	}
	c.Env = s.Environment([]string{"PATH=" + os.Getenv("PATH")})
	p, err := s.Start(c, write)
	if err != nil {
		t.Fatal(err)
	}
	return p, read
}

// run runs a command line to its end.
func run(t *testing.T, s *Space, c Command) (output string, code int, signal syscall.Signal) {
	t.Helper()
	p, read := begin(t, s, c)
	text, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	code, signal, err = p.Result()
	if err != nil {
		t.Fatal(err)
	}
	return string(text), code, signal
}

// kinds are the spaces that most tests are about.
var kinds = map[string]Without{"full": {}, "limited": {Namespaces: true}}

func TestTOOL03_CommandsRun(t *testing.T) {
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, workspace := open(t, without)
			for _, test := range []struct {
				line   string
				output string
				code   int
				signal syscall.Signal
			}{
				{"echo out; echo err >&2", "out\nerr\n", 0, 0},
				{"exit 3", "", 3, 0},
				{"kill -KILL $$", "", -1, syscall.SIGKILL},
				{"pwd; cat", workspace + "\n", 0, 0},
				{"echo a > file && cat file", "a\n", 0, 0},
				{"echo a > $TMPDIR/b && cat $TMPDIR/b", "a\n", 0, 0},
				{"cat $TMPDIR/b", "a\n", 0, 0},
				{"mktemp >/dev/null && echo ok", "ok\n", 0, 0},
				{"(sleep 1000 &) ; (setsid sleep 1000 &); echo left", "left\n", 0, 0},
			} {
				output, code, signal := run(t, s, Command{Line: test.line})
				if output != test.output || code != test.code || signal != test.signal {
					t.Errorf("%s: %q, code %d, signal %v", test.line, output, code, signal)
				}
			}
		})
	}
}

func TestSEC03_NothingOfTheEnvironmentComesAlong(t *testing.T) {
	t.Setenv("FAIRLEAD_CANARY_KEY", "sk-canary")
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, without)
			output, _, _ := run(t, s, Command{Line: "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"})
			if strings.Contains(output, "CANARY") {
				t.Errorf("got %s", output)
			}
		})
	}
}

func TestSEC02_CommandsOfASessionShareLoopbackAlone(t *testing.T) {
	s, workspace := open(t, Without{})
	outside, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	go func() {
		for {
			connection, err := outside.Accept()
			if err != nil {
				return
			}
			_, _ = connection.Write([]byte("outside\n"))
			connection.Close()
		}
	}()
	port := outside.Addr().(*net.TCPAddr).Port
	fetch := func(port int) string {
		return fmt.Sprintf("exec 3<>/dev/tcp/127.0.0.1/%d && cat <&3", port)
	}
	bash := func(script string) string { return "bash -c '" + script + "' 2>&1" }
	if output, _, _ := run(t, s, Command{Line: bash(fetch(port))}); strings.Contains(output, "outside") {
		t.Error("a server outside was reached without network")
	}
	if output, _, _ := run(t, s, Command{Line: bash(fetch(port)), Network: true}); !strings.Contains(output, "outside") {
		t.Errorf("a server outside was not reached with the network: %s", output)
	}

	server, out := begin(t, s, Command{Line: `perl -MIO::Socket::INET -e '$|=1;
		$s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 8099, ReuseAddr => 1) or die $!;
		print "listening\n"; $c = $s->accept; print $c "inside\n"; close $c;'`})
	if line := make([]byte, 10); !readFull(out, line) || string(line) != "listening\n" {
		t.Fatalf("the server said %q", line)
	}
	if connection, err := net.Dial("tcp4", "127.0.0.1:8099"); err == nil {
		connection.Close()
		t.Error("a server inside was reached from outside")
	}
	if output, _, _ := run(t, s, Command{Line: bash(fetch(8099))}); output != "inside\n" {
		t.Errorf("the next command got %q", output)
	}
	<-server.Done()
	_ = workspace
}

func readFull(r io.Reader, into []byte) bool {
	_, err := io.ReadFull(r, into)
	return err == nil
}

func TestSEC02_GitFoldersArePinned(t *testing.T) {
	s, workspace := open(t, Without{})
	for _, dir := range []string{"hooks", "objects"} {
		if err := os.MkdirAll(filepath.Join(workspace, ".git", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(workspace, ".git/config")
	if err := os.WriteFile(config, []byte("[core]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	line := `touch .git/objects/x && echo may
		echo y >> .git/config; mv .git .gitx; rm .git/config; touch .git/hooks/pre-commit; rm -r .git/hooks; mv .git/hooks .git/h
		rm -rf .git; ln -sf /tmp/evil .git/config; sed -i s/core/x/ .git/config; true`
	output, _, _ := run(t, s, Command{Line: line, Repositories: []string{".git/"}})
	if !strings.HasPrefix(output, "may\n") {
		t.Errorf("objects cannot be written: %s", output)
	}
	text, err := os.ReadFile(config)
	if err != nil || string(text) != "[core]\n" {
		t.Errorf("config is %q, %v", text, err)
	}
	if hooks, err := os.ReadDir(filepath.Join(workspace, ".git/hooks")); err != nil || len(hooks) > 0 {
		t.Errorf("hooks holds %v, %v", hooks, err)
	}
}

func TestSEC02_WhatCannotBeConfinedIsNotRun(t *testing.T) {
	refused := func(name string, s *Space, c Command) {
		t.Helper()
		witness := filepath.Join(s.place.Workspace, "witness")
		c.Line = "touch " + witness + c.Line
		p, _ := begin(t, s, c)
		<-p.Done()
		var failed *SetUpError
		if _, _, err := p.Result(); !errors.As(err, &failed) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(witness); err == nil {
			t.Errorf("%s: the command ran", name)
		}
	}
	s, workspace := open(t, Without{})
	refused("no such folder", s, Command{Dir: workspace + "/none"})
	refused("too long", s, Command{Line: strings.Repeat(" ", 1<<18)})
	s, _ = open(t, Without{}) // no guard has been started in it that has the home already
	if err := os.Rename(s.place.homeFolder(), filepath.Join(s.place.Private, "x")); err != nil {
		t.Fatal(err)
	}
	refused("no private home", s, Command{})
}

// A guard that was started ahead may have opened the private home before that was moved. Its
// command is confined to it, wherever it is now, or does not run.
func TestSEC02_AHomeThatIsMovedIsStillPrivate(t *testing.T) {
	s, _ := open(t, Without{})
	for i := range 10 {
		// The next guard is on its way then. This one may have been made while the home was
		// elsewhere, and refuse.
		p, _ := begin(t, s, Command{Line: "true"})
		<-p.Done()
		moved := filepath.Join(s.place.Private, fmt.Sprint(i))
		if err := os.Rename(s.place.homeFolder(), moved); err != nil {
			t.Fatal(err)
		}
		p, _ = begin(t, s, Command{Line: "touch ~/witness"})
		<-p.Done()
		var failed *SetUpError
		_, _, err := p.Result()
		_, missing := os.Stat(filepath.Join(moved, "witness"))
		if err != nil && (missing == nil || !errors.As(err, &failed)) {
			t.Errorf("the command ended with %v, and of its file is said: %v", err, missing)
		}
		if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), "witness")); err == nil {
			t.Fatal("the command wrote into the user's home")
		}
		if err := os.Rename(moved, s.place.homeFolder()); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(s.place.homeFolder(), "witness"))
	}
}

func TestTwentyAtOnce(t *testing.T) {
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, without)
			var all sync.WaitGroup
			for i := range 20 {
				all.Go(func() {
					output, code, _ := run(t, s, Command{Line: fmt.Sprintf("echo %d; sleep 0.05; echo %d", i, i)})
					if want := fmt.Sprintf("%d\n%d\n", i, i); output != want || code != 0 {
						t.Errorf("got %q, %d", output, code)
					}
				})
			}
			all.Wait()
		})
	}
}

func TestCAN01_TerminateAndKillReachEverything(t *testing.T) {
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, workspace := open(t, without)
			p, out := beginTold(t, s, Command{Line: "exec 2>/dev/null; trap 'touch asked; exit 0' TERM; (setsid sh -c \"trap '' TERM; sleep 1000\" &); echo begun; while :; do sleep 0.01; done"})
			p.Terminate()
			within(t, p.Done())
			if _, err := os.Stat(filepath.Join(workspace, "asked")); err != nil {
				t.Error("it was not asked to end")
			}
			if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
				t.Errorf("then came %q, %v", rest, err)
			}

			p, _ = beginTold(t, s, Command{Line: "trap '' TERM; (setsid sleep 1000 &); echo begun; sleep 1000"})
			p.Kill()
			within(t, p.Done())
			if _, signal, err := p.Result(); signal != syscall.SIGKILL || err != nil {
				t.Errorf("ended by %v, %v", signal, err)
			}
		})
	}
}

// within fails where something takes longer than anybody would wait.
func within(t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("it goes on")
	}
}
