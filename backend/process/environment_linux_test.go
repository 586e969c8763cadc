package process

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"

	"golang.org/x/sys/unix"
)

// environment is a way to run commands.
type environment struct {
	name string
	// inspect finds out what the system can do there; nil where nothing confines.
	inspect func() *sandbox.System
	// needs skips a test where it cannot do that.
	needs func(t testing.TB)
}

// environments are all there are: without confinement, and confined as well as the system
// can and as one can that has no namespaces.
func environments() []environment {
	return append([]environment{{name: "unconfined"}}, confinedEnvironments()...)
}

func confinedEnvironments() []environment {
	return []environment{
		{string(message.LevelFull), full, sandboxtest.NeedsFull}, {string(message.LevelLimited), limited, sandboxtest.NeedsLimited},
	}
}

var (
	full    = sync.OnceValue(func() *sandbox.System { return inspect(sandbox.Without{}) })
	limited = sync.OnceValue(func() *sandbox.System { return inspect(sandbox.Without{Namespaces: true}) })
)

// inspect looks at the system with the program that people have as the one that
// confines: a test program with the race detector takes a second to end.
func inspect(without sandbox.Without) *sandbox.System {
	return sandbox.InspectWithout(context.Background(), sandboxtest.Program("fairlead"), without)
}

// open opens the environment in a workspace of the test. It skips the test where the system
// does not confine that way.
func (r environment) open(t *testing.T) (space *sandbox.Space, workspace string) {
	t.Helper()
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if r.inspect == nil {
		return nil, workspace
	}
	r.needs(t)
	system := r.inspect()
	if string(system.Level) != r.name {
		t.Fatalf("the level is %s: %s", system.Level, system.Why)
	}
	space, err = system.Open(sandbox.Place{Workspace: workspace, Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	})
	return space, workspace
}

// pulse is held by processes and tells when all of them are gone: a confined command
// has process numbers of its own, which say nothing outside.
type pulse struct {
	t    *testing.T
	path string
	fd   int
}

// newPulse makes a pulse that commands in a workspace can hold.
func newPulse(t *testing.T, workspace string) *pulse {
	t.Helper()
	path := filepath.Join(workspace, "pulse")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return &pulse{t, path, fd}
}

// held returns a command line whose processes hold the pulse.
func (p *pulse) held(line string) string { return "exec 9>" + p.path + "\n" + line }

// gone waits for the end of all processes that hold the pulse and reports whether they
// ended in time. At least one has to have held it.
func (p *pulse) gone(within time.Duration) bool {
	p.t.Helper()
	until := time.Now().Add(within)
	for {
		poll := []unix.PollFd{{Fd: int32(p.fd)}}
		left := max(time.Until(until).Milliseconds(), 0)
		n, err := unix.Poll(poll, int(left))
		switch {
		case err == unix.EINTR:
		case err != nil:
			p.t.Fatal(err)
		default:
			return n == 1
		}
	}
}

// opened is a space that is there already.
func opened(space *sandbox.Space) func() (*sandbox.Space, error) {
	return func() (*sandbox.Space, error) { return space, nil }
}
