package secrettest

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	// patience is how long is waited for what must come.
	patience = 20 * time.Second

	secretService = "org.freedesktop.secrets"
)

// Login is a login of the user: a home, and, when started, a session bus with the
// real keyring behind it.
type Login struct {
	T    *testing.T
	Home string
	// Env is the environment of its processes.
	Env []string
	// Address is that of the bus, and EndBus ends it.
	Address string
	EndBus  func()
	Bus     *dbus.Conn
	// end closes the session.
	end func()
}

// NewLogin returns a login without a bus. Nothing that was started in it may be
// left when the test ends, and no key in its files.
func NewLogin(t *testing.T) *Login {
	t.Helper()
	home := t.TempDir()
	l := &Login{T: t, Home: home, end: func() {}, Env: []string{
		"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "XDG_DATA_HOME=" + filepath.Join(home, "data"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		// Else a process built for the race detector waits a second at its end.
		"GORACE=atexit_sleep_ms=0",
	}}
	t.Cleanup(func() {
		l.end()
		l.noneLeft()
		l.noKeyInFiles()
	})
	return l
}

// Need skips the test where one of the programs is missing.
func Need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: the real keyring cannot be tested", program)
		}
	}
}

// start starts a program of the session, which ends with it.
func (l *Login) start(stdin io.Reader, name string, args ...string) *exec.Cmd {
	l.T.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdin = l.Env, stdin
	var output bytes.Buffer
	cmd.Stderr = &output
	if err := cmd.Start(); err != nil {
		l.T.Fatal(err)
	}
	l.Then(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // what came of it does not matter any more
		if l.T.Failed() {
			l.T.Logf("%s: %s", name, output.String())
		}
	})
	return cmd
}

// Then puts what to do at the end before what was to be done before.
func (l *Login) Then(do func()) {
	before := l.end
	l.end = func() { do(); before() }
}

// StartBus starts a session bus. Its shell lives until standard input closes.
func (l *Login) StartBus(flags ...string) {
	l.T.Helper()
	Need(l.T, "dbus-run-session")
	cmd := exec.Command("dbus-run-session", append(flags, "--", "sh", "-c", `echo "$DBUS_SESSION_BUS_ADDRESS"; cat`)...)
	cmd.Env = l.Env
	stdin, err := cmd.StdinPipe()
	l.Must(err)
	stdout, err := cmd.StdoutPipe()
	l.Must(err)
	l.Must(cmd.Start())
	l.EndBus = sync.OnceFunc(func() {
		_ = stdin.Close()
		_ = cmd.Wait() // it passes on how the bus ended
	})
	l.Then(l.EndBus)
	address := make([]byte, 4096)
	n, err := stdout.Read(address)
	l.Must(err)
	l.Address = strings.TrimSpace(string(address[:n]))
	l.Env = append(l.Env, "DBUS_SESSION_BUS_ADDRESS="+l.Address)
	l.Bus, err = dbus.Connect(l.Address)
	l.Must(err)
	l.Then(func() { _ = l.Bus.Close() })
}

// StartKeyring starts a bus and the keyring, unlocked with a password.
func (l *Login) StartKeyring() {
	l.T.Helper()
	Need(l.T, "gnome-keyring-daemon")
	l.StartBus()
	l.start(strings.NewReader("the password"), "gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
	l.awaitName(secretService)
}

// awaitName waits until somebody on the bus has a name.
func (l *Login) awaitName(name string) {
	l.T.Helper()
	changes := make(chan *dbus.Signal, 100)
	l.Bus.Signal(changes)
	defer l.Bus.RemoveSignal(changes)
	l.Must(l.Bus.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, name)))
	var owned bool
	l.Must(l.Bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&owned))
	limit := time.After(patience)
	for !owned {
		select {
		case change, ok := <-changes:
			owned = ok && len(change.Body) == 3 && change.Body[0] == name && change.Body[2] != ""
		case <-limit:
			l.T.Fatalf("%s does not come", name)
		}
	}
}

// Must ends the test with an error.
func (l *Login) Must(err error) {
	l.T.Helper()
	if err != nil {
		l.T.Fatal(err)
	}
}

// noneLeft expects that no process is left that was started in this login. Those
// that were told to end get a moment.
func (l *Login) noneLeft() {
	for limit := time.Now().Add(patience); ; {
		left := l.processes()
		if len(left) == 0 {
			return
		}
		if time.Now().After(limit) {
			l.T.Errorf("processes left: %q", left)
			return
		}
		<-time.After(10 * time.Millisecond)
	}
}

func (l *Login) processes() (found []string) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		if environment, err := os.ReadFile(path); err == nil && bytes.Contains(environment, []byte("HOME="+l.Home+"\x00")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			found = append(found, string(line))
		}
	}
	return found
}

// noKeyInFiles expects that no file holds a key of a test, which has "canary" in it.
func (l *Login) noKeyInFiles() {
	l.Must(filepath.WalkDir(l.Home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // the test's own home
		if bytes.Contains(text, []byte("canary")) {
			l.T.Errorf("SEC-01: the key is in %s", path)
		}
		return err
	}))
}
