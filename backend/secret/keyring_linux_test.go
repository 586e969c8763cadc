package secret_test

import (
	"bufio"
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

	"fairlead/backend/secret"
)

const (
	// patience is how long a test waits for what must come.
	patience = 20 * time.Second
	// quick is how long an answer may take that waits for nobody, less than
	// secret.Background.
	quick = 1500 * time.Millisecond

	secretService = "org.freedesktop.secrets"
	loginKeyring  = "/org/freedesktop/secrets/collection/login"
)

// login is a login of the user: a home, and, when started, a session bus with the
// real keyring behind it.
type login struct {
	t    *testing.T
	home string
	env  []string
	// address is that of the bus, and endBus ends it.
	address string
	endBus  func()
	bus     *dbus.Conn
	// end closes the session.
	end func()
}

// newLogin returns a login without a bus. Nothing that was started in it may be
// left when the test ends, and no key in its files.
func newLogin(t *testing.T) *login {
	t.Helper()
	home := t.TempDir()
	l := &login{t: t, home: home, end: func() {}, env: []string{
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

// need skips the test where one of the programs is missing.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: the real keyring cannot be tested", program)
		}
	}
}

// start starts a program of the session, which ends with it.
func (l *login) start(stdin io.Reader, name string, args ...string) *exec.Cmd {
	l.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdin = l.env, stdin
	var output bytes.Buffer
	cmd.Stderr = &output
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.then(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // what came of it does not matter any more
		if l.t.Failed() {
			l.t.Logf("%s: %s", name, output.String())
		}
	})
	return cmd
}

// then puts what to do at the end before what was to be done before.
func (l *login) then(do func()) {
	before := l.end
	l.end = func() { do(); before() }
}

// startBus starts a session bus. Its shell lives until standard input closes.
func (l *login) startBus(flags ...string) {
	l.t.Helper()
	need(l.t, "dbus-run-session")
	cmd := exec.Command("dbus-run-session", append(flags, "--", "sh", "-c", `echo "$DBUS_SESSION_BUS_ADDRESS"; cat`)...)
	cmd.Env = l.env
	stdin, err := cmd.StdinPipe()
	l.must(err)
	stdout, err := cmd.StdoutPipe()
	l.must(err)
	l.must(cmd.Start())
	l.endBus = sync.OnceFunc(func() {
		_ = stdin.Close()
		_ = cmd.Wait() // it passes on how the bus ended
	})
	l.then(l.endBus)
	address := make([]byte, 4096)
	n, err := stdout.Read(address)
	l.must(err)
	l.address = strings.TrimSpace(string(address[:n]))
	l.env = append(l.env, "DBUS_SESSION_BUS_ADDRESS="+l.address)
	l.bus, err = dbus.Connect(l.address)
	l.must(err)
	l.then(func() { _ = l.bus.Close() })
}

// startKeyring starts a bus and the keyring, unlocked with a password.
func (l *login) startKeyring() {
	l.t.Helper()
	need(l.t, "gnome-keyring-daemon")
	l.startBus()
	l.start(strings.NewReader("the password"), "gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
	l.awaitName(secretService)
}

// awaitName waits until somebody on the bus has a name.
func (l *login) awaitName(name string) {
	l.t.Helper()
	changes := make(chan *dbus.Signal, 100)
	l.bus.Signal(changes)
	defer l.bus.RemoveSignal(changes)
	l.must(l.bus.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, name)))
	var owned bool
	l.must(l.bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&owned))
	limit := time.After(patience)
	for !owned {
		select {
		case change, ok := <-changes:
			owned = ok && len(change.Body) == 3 && change.Body[0] == name && change.Body[2] != ""
		case <-limit:
			l.t.Fatalf("%s does not come", name)
		}
	}
}

func (l *login) lock() {
	l.t.Helper()
	service := l.bus.Object(secretService, "/org/freedesktop/secrets")
	l.must(service.Call("org.freedesktop.Secret.Service.Lock", 0, []dbus.ObjectPath{loginKeyring}).Err)
}

// child returns a process of this test that does one thing with the keys.
func (l *login) child(do string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(l.env[:len(l.env):len(l.env)], asChild+"="+do)
	cmd.Stdin = strings.NewReader(canary + "\n")
	return cmd
}

// does expects a word of a child, which takes no longer than within.
func (l *login) does(do, want string, within time.Duration) {
	l.t.Helper()
	output, err := l.child(do).CombinedOutput()
	got, took, _ := strings.Cut(strings.TrimSpace(string(output)), " after ")
	if err != nil || got != want {
		l.t.Errorf("%s: %q, %v; want %s", do, got, err, want)
	}
	if took, err := time.ParseDuration(took); err != nil || took > within {
		l.t.Errorf("%s took %s, %v", do, took, err)
	}
}

func (l *login) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// noneLeft expects that no process is left that was started in this login. Those
// that were told to end get a moment.
func (l *login) noneLeft() {
	for limit := time.Now().Add(patience); ; {
		left := l.processes()
		if len(left) == 0 {
			return
		}
		if time.Now().After(limit) {
			l.t.Errorf("processes left: %q", left)
			return
		}
		<-time.After(10 * time.Millisecond)
	}
}

func (l *login) processes() (found []string) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		if environment, err := os.ReadFile(path); err == nil && bytes.Contains(environment, []byte("HOME="+l.home+"\x00")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			found = append(found, string(line))
		}
	}
	return found
}

func (l *login) noKeyInFiles() {
	l.must(filepath.WalkDir(l.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("canary")) {
			l.t.Errorf("SEC-01: the key is in %s", path)
		}
		return err
	}))
}

func TestSEC01_KeyIsKeptInTheKeyring(t *testing.T) {
	need(t, "secret-tool")
	l := newLogin(t)
	l.startKeyring()
	l.does("check", "ok", patience)
	l.does("find", "not_found", patience)
	l.does("save", "ok", patience)
	l.does("find", "keyring", patience) // a new process each time
	l.does("find local", "not asked", patience)
	lookup := exec.Command("secret-tool", "lookup", "service", "fairlead", "username", string(account))
	lookup.Env = l.env
	if secret, err := lookup.Output(); err != nil || string(secret) != canary {
		t.Errorf("secret-tool finds %q, %v", secret, err)
	}
	l.atItsUsualPlace()
	l.does("find", "keyring", patience)
	l.does("forget", "ok", patience)
	l.does("find", "not_found", patience)
	l.does("forget", "ok", patience)
}

// atItsUsualPlace lets the bus be found without its address.
func (l *login) atItsUsualPlace() {
	l.t.Helper()
	socket, _, _ := strings.Cut(strings.TrimPrefix(l.address, "unix:path="), ",")
	l.must(os.Symlink(socket, filepath.Join(l.home, "bus")))
	l.env = append(l.env, "DBUS_SESSION_BUS_ADDRESS=")
}

func TestSEC01_LockedKeyringSaysSo(t *testing.T) {
	l := newLogin(t)
	l.startKeyring()
	l.does("save", "ok", patience)
	l.lock()
	l.does("find", "locked", secret.Background+quick)
	l.does("check", "locked", secret.Background+quick)
	l.does("find held", "session", secret.Background+quick)
}

// startDisplay starts a display, on which the keyring can ask.
func (l *login) startDisplay() {
	l.t.Helper()
	need(l.t, "Xvfb")
	read, write, err := os.Pipe()
	l.must(err)
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-nolisten", "tcp")
	cmd.Env, cmd.ExtraFiles = l.env, []*os.File{write}
	l.must(cmd.Start())
	l.then(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // what came of it does not matter any more
	})
	l.must(write.Close())
	number, err := bufio.NewReader(read).ReadString('\n')
	l.must(err)
	l.must(read.Close())
	l.env = append(l.env, "DISPLAY=:"+strings.TrimSpace(number))
}

// asking returns a channel that is closed when the keyring asks the user.
func (l *login) asking() <-chan struct{} {
	l.t.Helper()
	monitor, err := dbus.Connect(l.address)
	l.must(err)
	l.then(func() { _ = monitor.Close() })
	rule := "type='method_call',interface='org.gnome.keyring.internal.Prompter',member='PerformPrompt'"
	l.must(monitor.BusObject().Call("org.freedesktop.DBus.Monitoring.BecomeMonitor", 0, []string{rule}, uint32(0)).Err)
	messages := make(chan *dbus.Message, 10)
	monitor.Eavesdrop(messages)
	asked := make(chan struct{})
	go func() {
		for message := range messages {
			if message != nil && message.Type == dbus.TypeMethodCall {
				close(asked)
				return
			}
		}
	}()
	return asked
}

// lookUp is a look-up that a process of its own waits for.
type lookUp struct {
	output bytes.Buffer  // to be read once it has ended
	ended  chan struct{} // closed at the end
}

// lockedLogin is a session whose keyring has a key and is locked. The keyring asks the
// user because of the look-up that is returned, and nobody answers.
func lockedLogin(t *testing.T) (*login, *lookUp) {
	t.Helper()
	l := newLogin(t)
	l.startDisplay()
	l.startKeyring()
	l.does("save", "ok", patience)
	l.lock()
	asked := l.asking()
	waiting := &lookUp{ended: make(chan struct{})}
	cmd := l.child("find patiently")
	cmd.Stdout, cmd.Stderr = &waiting.output, &waiting.output
	l.must(cmd.Start())
	go func() {
		defer close(waiting.ended)
		_ = cmd.Wait() // its output says what came of it
	}()
	l.then(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-waiting.ended
	})
	await(t, asked, "question")
	return l, waiting
}

// A keyring that asks the user who does not answer.
func TestSEC01_KeyringThatWaitsForTheUserIsLocked(t *testing.T) {
	l, _ := lockedLogin(t)
	l.does("find", "locked", secret.Background+quick)
}

func TestABusThatGoesAwayIsNoCrash(t *testing.T) {
	l, waiting := lockedLogin(t)
	l.endBus()
	await(t, waiting.ended, "end of the look-up")
	if got, _, _ := strings.Cut(waiting.output.String(), " after "); got != "broken" && got != "absent" {
		t.Errorf("without a bus the look-up says %q", got)
	}
}

func await(t *testing.T, happened <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(patience):
		t.Fatalf("no %s comes", what)
	}
}

func TestSEC01_WithoutAKeyringKeysAreHeldInMemory(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(l *login)
	}{
		{"no bus", func(*login) {}},
		{"a bus to be started", func(l *login) { l.env = append(l.env, "DBUS_SESSION_BUS_ADDRESS=autolaunch:") }},
		{"a bus that is gone", func(l *login) {
			l.env = append(l.env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(l.home, "gone"))
		}},
		{"a bus without a keyring", func(l *login) { l.startBus("--config-file=" + l.bareBus()) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLogin(t)
			test.prepare(l)
			l.does("check", "absent", quick)
			l.does("find", "absent", quick)
			l.does("save", "absent", quick)
			l.does("find held", "session", quick)
			l.does("forget", "ok", quick)
		})
	}
}

// bareBus writes the configuration of a bus that starts no services.
func (l *login) bareBus() string {
	path := filepath.Join(l.home, "bus.conf")
	l.must(os.WriteFile(path, []byte(`<busconfig><type>session</type><listen>unix:dir=`+l.home+`</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`), 0o600))
	return path
}
