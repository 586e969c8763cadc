package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/sandbox"

	"golang.org/x/sys/unix"
)

func TestEXT01_CloseEndsTheWholeTree(t *testing.T) {
	inConfinedEnvironments(t, func(t *testing.T, r environment, k kind) {
		wantWithin(t, soon, "Close", func() time.Duration {
			g := newGrounds(t, r)
			pulse := newPulse(t, g.workspace)
			s := startScript(t, g.openSpace(t, sandbox.AccessWrite, nil), "exec 3>&2 2>&1\n"+pulse.held(k.line))
			lines := bufio.NewScanner(s.Output)
			for lines.Scan() && !strings.Contains(lines.Text(), "ready") {
				continue
			}
			at := time.Now()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if exit := s.Exit(); exit != (ServerExit{Code: -1}) {
				t.Errorf("%+v", exit)
			}
			return pulse.took(at)
		})
	})
}

// What a server has started ends when it does by itself.
func TestEXT01_NothingOutlivesAServer(t *testing.T) {
	for _, r := range confinedEnvironments() {
		t.Run(r.name, func(t *testing.T) {
			g := newGrounds(t, r)
			pulse := newPulse(t, g.workspace)
			output, exit := awaitScript(t, g.openSpace(t, sandbox.AccessWrite, nil),
				pulse.held(`(setsid sleep 1000 &); (nohup sleep 1000 >/dev/null 2>&1 &); echo left; exit 4`))
			if output != "left\n" || exit != (ServerExit{Code: 4}) || !pulse.gone(soon) {
				t.Errorf("printed %q, %+v", output, exit)
			}
		})
	}
}

func TestEXT01_AServerIsEndedAtItsBounds(t *testing.T) {
	g := newGrounds(t, confinedEnvironments()[0])
	space := g.openSpace(t, sandbox.AccessNone, func(p *sandbox.ServerPlace) { p.Memory = 64 << 20 })
	_, exit := awaitScript(t, space, `head -c 200000000 /dev/zero | tail -c 150000000 | sleep 1000`)
	if over, ok := errors.AsType[*sandbox.LimitError](exit.Err); !ok || over.Memory <= over.MostMemory {
		t.Errorf("%+v", exit)
	}
	output, _ := awaitScript(t, g.openSpace(t, sandbox.AccessNone, nil), `i=0; while [ $i -lt 5000 ]; do sleep 100 & i=$((i+1)); done; echo all`)
	if strings.Contains(output, "all") {
		t.Error("5000 processes were started")
	}
}

// countOwn counts the descriptors, the children and the mounts of this process, and its private
// folders.
func countOwn(t *testing.T, g *grounds) map[string]int {
	t.Helper()
	all := map[string]int{}
	for what, pattern := range map[string]string{
		"descriptors": "/proc/self/fd/*", "folders": filepath.Join(g.private, "*"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all[what] = len(found)
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	all["mounts"] = strings.Count(string(mounts), "\n")
	// All threads have a list of the children that they have started.
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		all["processes"] += len(strings.Fields(string(text)))
	}
	return all
}

func TestEXT01_AHundredStartsLeaveNothing(t *testing.T) {
	for _, r := range confinedEnvironments() {
		t.Run(r.name, func(t *testing.T) {
			g := newGrounds(t, r)
			round := func(i int) {
				space := g.openSpace(t, sandbox.AccessRead, nil)
				s, err := StartServer(space, ServerCommand{Program: "/bin/cat"})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(s.Input, "ping\n"); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(s.Output, make([]byte, 5)); err != nil {
					t.Fatal(err)
				}
				if i%2 == 0 { // else it is closed while it runs
					s.Input.Close()
					<-s.Done()
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			round(0)
			before := countOwn(t, g)
			for i := range 100 {
				round(i)
			}
			for what, now := range countOwn(t, g) {
				if now > before[what] {
					t.Errorf("%d %s, and %d before", now, what, before[what])
				}
			}
		})
	}
}

// A Fairlead that is killed leaves no server, and the next start deletes the private folder.
func TestEXT01_KilledFairleadLeavesNoServer(t *testing.T) {
	inConfinedEnvironments(t, func(t *testing.T, r environment, k kind) {
		wantWithin(t, soonAfter, "Fairlead", func() time.Duration { return k.leftAlone(t, r, "TestServerApp") })
	})
}

// TestServerApp is what the test above runs in a program of its own, until it is killed.
func TestServerApp(t *testing.T) {
	for _, r := range confinedEnvironments() {
		if r.name != os.Getenv(appEnvironment) {
			continue
		}
		workspace := os.Getenv(appWorkspace)
		space, err := r.inspect().OpenServer(sandbox.ServerPlace{Access: sandbox.AccessWrite, Place: sandbox.Place{
			Workspace: workspace, Private: filepath.Join(workspace, "private", "1"),
		}})
		if err != nil {
			t.Fatal(err)
		}
		s := startProgram(t, space, ServerCommand{Program: "/bin/sh", Arguments: []string{"-c", "exec 2>&1\n" + os.Getenv(appLine)}})
		for lines := bufio.NewScanner(s.Output); lines.Scan(); {
			if strings.Contains(lines.Text(), "ready") {
				fmt.Println("ready")
			}
		}
		select {} // it is killed
	}
	t.Skip("started by TestEXT01_KilledFairleadLeavesNoServer")
}

func TestEXT01_SweepDeletesWhatAKilledServerLeft(t *testing.T) {
	g := newGrounds(t, serverEnvironments()[0])
	space := g.openSpace(t, sandbox.AccessNone, nil)
	live := startProgram(t, space, ServerCommand{Program: "/bin/cat"})
	left := filepath.Join(g.private, "left")
	if err := os.MkdirAll(filepath.Join(left, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Sweep(g.private); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is left: %v", err)
	}
	if _, err := os.Stat(space.Folder()); err != nil {
		t.Error(err)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
}

// KillAll ends servers as well as commands.
func TestEXT01_KillAllEndsServers(t *testing.T) {
	g := newGrounds(t, serverEnvironments()[0])
	s := startProgram(t, g.openSpace(t, sandbox.AccessNone, nil), ServerCommand{Program: "/bin/cat"})
	fmt.Fprintln(s.Input, "ping")
	if _, err := io.ReadFull(s.Output, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	KillAll()
	<-s.Done()
	if exit := s.Exit(); exit.Signal != unix.SignalName(unix.SIGKILL) {
		t.Errorf("%+v", exit)
	}
}
