package shell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// soon is how long an effect is awaited that the kernel brings about on its own,
// after the command.
const soon = 500 * time.Millisecond

// queued is how long what has arrived may take to be found: it only has to be
// fetched.
const queued = 100 * time.Millisecond

// temporaryAttacks write where all programs of a system do.
func temporaryAttacks() []attack {
	var all []attack
	for _, folder := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
		all = append(all, attack{
			name: "file in " + folder, class: classOutside, missing: shared(folder),
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				t.Cleanup(func() { _ = os.Remove(filepath.Join(folder, l.mark)) }) // an attack that was refused leaves none
			},
			line:    `echo $mark >` + folder + `/$mark`,
			escaped: func(_ *testing.T, l *lab) bool { return exists(filepath.Join(folder, l.mark)) },
		})
	}
	return append(all, attack{
		name: "temporary folder of another session", class: classOutside,
		prepare: func(t *testing.T, l *lab) {
			t.Helper()
			other, err := os.MkdirTemp("", "session-")
			must(t, err)
			t.Cleanup(func() { must(t, os.RemoveAll(other)) })
			l.write(t, filepath.Join(other, "file"), "as it was\n")
			l.variables["other"] = other
		},
		line: `echo $mark >$other/file`,
		escaped: func(t *testing.T, l *lab) bool {
			t.Helper()
			text, err := os.ReadFile(filepath.Join(l.variables["other"], "file"))
			must(t, err)
			return strings.Contains(string(text), l.mark)
		},
	})
}

// shared returns the check that everyone may write in a folder.
func shared(folder string) func() string {
	return func() string {
		if err := unix.Access(folder, unix.W_OK); err != nil {
			return fmt.Sprintf("%s: %v", folder, err)
		}
		return ""
	}
}

// deviceAttacks write into what is no file, but has the name of one: a view of the
// files that is read-only does not keep from it.
func deviceAttacks() []attack {
	var far *os.File
	heard := func(t *testing.T, l *lab) bool {
		t.Helper()
		return hears(t, far, l.mark)
	}
	return []attack{
		{
			name: "named pipe outside", class: classOutside,
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				path := filepath.Join(l.outside, "pipe")
				must(t, unix.Mkfifo(path, 0o600))
				pipe, err := os.OpenFile(path, os.O_RDWR, 0)
				must(t, err)
				t.Cleanup(func() { pipe.Close() })
				far = pipe
			},
			line: `echo $mark >$outside/pipe`, escaped: heard,
		},
		{
			name: "write to a terminal", class: classOutside, missing: hasTerminals,
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				screen, keyboard := terminal(t)
				l.variables["terminal"], far = keyboard.Name(), screen
			},
			line: `echo $mark >$terminal`, escaped: heard,
		},
		{
			name: "type into a terminal", class: classKernel, missing: hasTerminals,
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				_, keyboard := terminal(t)
				l.variables["terminal"], far = keyboard.Name(), keyboard
			},
			line: `./attack tty $terminal $mark`, escaped: heard,
		},
	}
}

// hears reports whether a word comes out of a file soon.
func hears(t *testing.T, file *os.File, word string) bool {
	t.Helper()
	must(t, file.SetReadDeadline(time.Now().Add(soon)))
	text, buffer := "", make([]byte, 1<<10)
	for !strings.Contains(text, word) {
		n, err := file.Read(buffer)
		if err != nil {
			return false
		}
		text += string(buffer[:n])
	}
	return true
}

// hasTerminals says why no terminal can be made, or why the kernel lets nobody type
// into one.
func hasTerminals() string {
	if err := unix.Access("/dev/ptmx", unix.W_OK); err != nil {
		return fmt.Sprintf("/dev/ptmx: %v", err)
	}
	switch text, _ := os.ReadFile("/proc/sys/dev/tty/legacy_tiocsti"); string(text) { // older kernels have no such file
	case "0\n":
		return "this kernel lets no program type into a terminal"
	}
	return ""
}

// terminal makes a terminal of the tests' own, which is the terminal of no session:
// what its user sees, and what programs read.
func terminal(t *testing.T) (screen, keyboard *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	must(t, err)
	t.Cleanup(func() { screen.Close() })
	connection, err := screen.SyscallConn()
	must(t, err)
	var number int
	must(t, connection.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}))
	must(t, err)
	keyboard, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	must(t, err)
	t.Cleanup(func() { keyboard.Close() })
	return screen, keyboard
}
