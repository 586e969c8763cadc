package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/runnable"
	"fairlead/backend/sandbox/sandboxtest"

	"golang.org/x/sys/unix"
)

// build makes this program one that has a supervisor built in.
func build(t *testing.T, text string) {
	t.Helper()
	before := supervisorProgram
	supervisorProgram = text
	t.Cleanup(func() { supervisorProgram = before })
}

// smallProgram is the supervisor as build/program.sh builds it in.
func smallProgram(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(sandboxtest.Program("fairlead-supervisor"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSEC02_TheSupervisorThatIsBuiltInConfines(t *testing.T) {
	sandboxtest.NeedsFull(t)
	sandboxtest.NeedsLimited(t)
	build(t, smallProgram(t))
	for name, test := range map[string]struct {
		without Without
		level   message.Level
	}{
		"full":    {Without{}, message.LevelFull},
		"limited": {Without{Namespaces: true}, message.LevelLimited},
	} {
		t.Run(name, func(t *testing.T) {
			// No other program is needed.
			found := InspectWithout(t.Context(), "/nowhere", test.without)
			if found.Level != test.level {
				t.Fatalf("level %s, because %q", found.Level, found.Why)
			}
			s := openIn(t, found)
			if output, code, _ := run(t, s, Command{Line: "echo begun; cat " + s.place.Home + "/../*"}); !strings.HasPrefix(output, "begun\n") || code == 0 {
				t.Errorf("%q, code %d", output, code)
			}
		})
	}
}

// openIn opens a space in folders of the test.
func openIn(t *testing.T, system *System) *Space {
	t.Helper()
	dir := t.TempDir()
	workspace := filepath.Join(dir, "workspace")
	if err := os.Mkdir(workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := system.Open(Place{Workspace: workspace, Private: filepath.Join(dir, "private"), Home: os.Getenv("HOME")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestSEC02_WhereTheSupervisorThatIsBuiltInDoesNotRunTheProgramItselfConfines(t *testing.T) {
	sandboxtest.NeedsFull(t)
	build(t, "no program of this system")
	if found := Inspect(t.Context(), helper(), nil); found.Level != message.LevelFull {
		t.Errorf("level %s, because %q", found.Level, found.Why)
	}
}

func TestSEC02_WithoutAnyProgramNothingIsPromised(t *testing.T) {
	build(t, "no program of this system")
	for _, helper := range []string{"/nowhere", "/bin/true"} {
		if found := Inspect(t.Context(), helper, nil); found.Level != message.LevelNone || found.Why == "" {
			t.Errorf("%s: level %s, because %q", helper, found.Level, found.Why)
		}
	}
}

func TestSEC02_NobodyCanChangeTheSupervisorInMemory(t *testing.T) {
	text := smallProgram(t)
	program, err := runnable.InMemory("test", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	path := fmt.Sprintf("/proc/self/fd/%d", program.Fd())
	for name, try := range map[string]func() error{
		"write": func() error {
			fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			_, err = unix.Pwrite(fd, []byte("#!"), 0)
			return err
		},
		"empty": func() error { return os.Truncate(path, 0) },
		"map": func() error {
			fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			_, err = unix.Mmap(fd, 0, 4096, unix.PROT_WRITE, unix.MAP_SHARED)
			return err
		},
	} {
		if err := try(); !errors.Is(err, unix.EPERM) {
			t.Errorf("%s: %v, want that it is not allowed", name, err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != text {
		t.Errorf("%d bytes of %d, %v", len(now), len(text), err)
	}
}
