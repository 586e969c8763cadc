package secret_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"fairlead/backend/secret"
	"fairlead/backend/secret/secrettest"
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

// login is a login of the user.
type login struct{ *secrettest.Login }

func newLogin(t *testing.T) *login {
	t.Helper()
	return &login{secrettest.NewLogin(t)}
}

func (l *login) lock() {
	l.T.Helper()
	service := l.Bus.Object(secretService, "/org/freedesktop/secrets")
	l.Must(service.Call("org.freedesktop.Secret.Service.Lock", 0, []dbus.ObjectPath{loginKeyring}).Err)
}

// child returns a process of this test that does one thing with the keys.
func (l *login) child(do string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(l.Env[:len(l.Env):len(l.Env)], asChild+"="+do)
	cmd.Stdin = strings.NewReader(canary + "\n")
	return cmd
}

// does expects a word of a child, which takes no longer than within.
func (l *login) does(do, want string, within time.Duration) {
	l.T.Helper()
	output, err := l.child(do).CombinedOutput()
	got, took, _ := strings.Cut(strings.TrimSpace(string(output)), " after ")
	if err != nil || got != want {
		l.T.Errorf("%s: %q, %v; want %s", do, got, err, want)
	}
	if took, err := time.ParseDuration(took); err != nil || took > within {
		l.T.Errorf("%s took %s, %v", do, took, err)
	}
}

func TestSEC01_KeyIsKeptInTheKeyring(t *testing.T) {
	secrettest.Need(t, "secret-tool")
	l := newLogin(t)
	l.StartKeyring()
	l.does("check", "ok", patience)
	l.does("find", "not_found", patience)
	l.does("save", "ok", patience)
	l.does("find", "keyring", patience) // a new process each time
	l.does("find local", "not asked", patience)
	lookup := exec.Command("secret-tool", "lookup", "service", "fairlead", "username", string(account))
	lookup.Env = l.Env
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
	l.T.Helper()
	socket, _, _ := strings.Cut(strings.TrimPrefix(l.Address, "unix:path="), ",")
	l.Must(os.Symlink(socket, filepath.Join(l.Home, "bus")))
	l.Env = append(l.Env, "DBUS_SESSION_BUS_ADDRESS=")
}

func TestSEC01_LockedKeyringSaysSo(t *testing.T) {
	l := newLogin(t)
	l.StartKeyring()
	l.does("save", "ok", patience)
	l.lock()
	l.does("find", "locked", secret.Background+quick)
	l.does("check", "locked", secret.Background+quick)
	l.does("find held", "session", secret.Background+quick)
}

// startDisplay starts a display, on which the keyring can ask.
func (l *login) startDisplay() {
	l.T.Helper()
	secrettest.Need(l.T, "Xvfb")
	read, write, err := os.Pipe()
	l.Must(err)
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-nolisten", "tcp")
	cmd.Env, cmd.ExtraFiles = l.Env, []*os.File{write}
	l.Must(cmd.Start())
	l.Then(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // what came of it does not matter any more
	})
	l.Must(write.Close())
	number, err := bufio.NewReader(read).ReadString('\n')
	l.Must(err)
	l.Must(read.Close())
	l.Env = append(l.Env, "DISPLAY=:"+strings.TrimSpace(number))
}

// asking returns a channel that is closed when the keyring asks the user.
func (l *login) asking() <-chan struct{} {
	l.T.Helper()
	monitor, err := dbus.Connect(l.Address)
	l.Must(err)
	l.Then(func() { _ = monitor.Close() })
	rule := "type='method_call',interface='org.gnome.keyring.internal.Prompter',member='PerformPrompt'"
	l.Must(monitor.BusObject().Call("org.freedesktop.DBus.Monitoring.BecomeMonitor", 0, []string{rule}, uint32(0)).Err)
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
	l.StartKeyring()
	l.does("save", "ok", patience)
	l.lock()
	asked := l.asking()
	waiting := &lookUp{ended: make(chan struct{})}
	cmd := l.child("find patiently")
	cmd.Stdout, cmd.Stderr = &waiting.output, &waiting.output
	l.Must(cmd.Start())
	go func() {
		defer close(waiting.ended)
		_ = cmd.Wait() // its output says what came of it
	}()
	l.Then(func() {
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
	l.EndBus()
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
		{"a bus to be started", func(l *login) { l.Env = append(l.Env, "DBUS_SESSION_BUS_ADDRESS=autolaunch:") }},
		{"a bus that is gone", func(l *login) {
			l.Env = append(l.Env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(l.Home, "gone"))
		}},
		{"a bus without a keyring", func(l *login) { l.StartBus("--config-file=" + l.bareBus()) }},
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
	path := filepath.Join(l.Home, "bus.conf")
	l.Must(os.WriteFile(path, []byte(`<busconfig><type>session</type><listen>unix:dir=`+l.Home+`</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`), 0o600))
	return path
}
