package process

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"

	"golang.org/x/sys/unix"
)

// serverAttack is one way of a server to what it was not granted. What commands try, servers try
// in package shell.
type serverAttack struct {
	name   string
	access sandbox.Access
	// against starts what the attack is on, besides the grounds; nil for nothing.
	against func(t *testing.T, a *arena) *target
	// line is the script, with the paths and numbers of the arena as variables.
	line string
	// escaped judges from outside whether the attack had its effect; nil where it had if the
	// server printed the secret.
	escaped func(t *testing.T, a *arena) bool
}

// arena is what an attack is carried out in.
type arena struct {
	*grounds
	secret, output string
	target         *target
}

// target is another program, which has the secret in its environment, its memory, an open file
// and its folder.
type target struct {
	pid, fd int
	// address is that of the secret in its memory.
	address uint64
	// private is its private folder.
	private string
	input   io.Writer
	output  *bufio.Reader
}

func serverAttacks() []serverAttack {
	exists := func(name string) func(*testing.T, *arena) bool {
		return func(_ *testing.T, a *arena) bool {
			_, err := os.Lstat(filepath.Join(a.workspace, name))
			return err == nil
		}
	}
	isAsIs := func(_ *testing.T, a *arena) bool {
		text, err := os.ReadFile(filepath.Join(a.workspace, "file"))
		return err != nil || string(text) != "of the folder\n"
	}
	all := []serverAttack{
		{name: "read a file outside", access: sandbox.AccessWrite, line: `cat "$ABOVE/outside"`},
		{name: "read Fairlead's own", access: sandbox.AccessWrite, line: `cat "$ABOVE/data/keys"`},
		{name: "read the folder", access: sandbox.AccessNone, line: `cat "$WORKSPACE/secret"`},
		{name: "read the folder by a link", access: sandbox.AccessNone, line: `ln -s "$WORKSPACE" link && cat link/secret`},
		{name: "read the folder by its parent's name", access: sandbox.AccessNone, line: `cat "$ABOVE/data/../workspace/secret"`},
		{name: "write into the folder that is not seen", access: sandbox.AccessNone, line: `echo a >"$WORKSPACE/new"`, escaped: exists("new")},
		{name: "make a file", access: sandbox.AccessRead, line: `echo a >"$WORKSPACE/new"`, escaped: exists("new")},
		{name: "make a folder", access: sandbox.AccessRead, line: `mkdir "$WORKSPACE/new"`, escaped: exists("new")},
		{name: "make a link", access: sandbox.AccessRead, line: `ln -s / "$WORKSPACE/new"`, escaped: exists("new")},
		{name: "rename", access: sandbox.AccessRead, line: `mv "$WORKSPACE/file" "$WORKSPACE/new"`, escaped: exists("new")},
		{name: "write", access: sandbox.AccessRead, line: `echo a >>"$WORKSPACE/file"`, escaped: isAsIs},
		{name: "truncate", access: sandbox.AccessRead, line: `"$INSTALL/attack" truncate "$WORKSPACE/file"`, escaped: isAsIs},
		{name: "delete", access: sandbox.AccessRead, line: `rm -f "$WORKSPACE/file"`, escaped: isAsIs},
		{name: "change a mode", access: sandbox.AccessRead, line: `chmod 777 "$WORKSPACE/file"`, escaped: func(t *testing.T, a *arena) bool {
			t.Helper()
			info, err := os.Stat(filepath.Join(a.workspace, "file"))
			return err != nil || info.Mode().Perm() != 0o600
		}},
		{name: "write into the installed program", access: sandbox.AccessWrite, line: `echo a >"$INSTALL/program"`, escaped: func(_ *testing.T, a *arena) bool {
			text, err := os.ReadFile(filepath.Join(a.install, "program"))
			return err != nil || string(text) != "a program\n"
		}},
		{name: "read what is covered", access: sandbox.AccessRead, line: `cat "$WORKSPACE/.env"`},
		{name: "read what is covered, with the right to write", access: sandbox.AccessWrite, line: `cat "$WORKSPACE/keys/id_rsa"`},
		{name: "move what is covered", access: sandbox.AccessWrite, line: `mv "$WORKSPACE/keys" "$WORKSPACE/moved"; cat "$WORKSPACE/moved/id_rsa"`},
		{name: "link to what is covered", access: sandbox.AccessWrite, line: `ln "$WORKSPACE/.env" "$WORKSPACE/linked" && cat "$WORKSPACE/linked"`},
		{name: "read what is covered by another process", access: sandbox.AccessWrite, line: `for p in /proc/[0-9]*; do cat $p/root$WORKSPACE/.env $p/cwd/.env; done`},
	}
	for kind, start := range map[string]func(t *testing.T, a *arena) *target{"server": startOtherServer, "command": startOtherCommand} {
		gone := func(_ *testing.T, a *arena) bool { return !a.target.lives() }
		for _, row := range []serverAttack{
			{name: "read the private folder", line: `cat "$OTHER/home/secret" "$OTHER/tmp/secret"`},
			{name: "read the environment", line: `tr '\0' '\n' </proc/$PID/environ`},
			{name: "read a file in use", line: `cat /proc/$PID/fd/$FD`},
			{name: "read memory by a file", line: `tail -c +$((ADDRESS + 1)) /proc/$PID/mem | head -c $LENGTH`},
			{name: "read memory", line: `"$INSTALL/attack" memory $PID $ADDRESS $LENGTH`},
			{name: "take a file in use", line: `"$INSTALL/attack" take-fd $PID $FD`},
			{name: "trace", line: `"$INSTALL/attack" ptrace $PID`, escaped: gone},
			{name: "kill", line: `kill -KILL $PID`, escaped: gone},
		} {
			row.name, row.access, row.against = row.name+" of another "+kind, sandbox.AccessWrite, start
			all = append(all, row)
		}
	}
	return append(all, loopbackAttacks()...)
}

// loopbackAttacks are on a server of the user's own computer.
func loopbackAttacks() []serverAttack {
	var heard func() bool
	all := []serverAttack{
		{name: "TCP to this computer", line: `"$INSTALL/attack" send tcp4 $LISTENER "$SECRET"`},
		{name: "UDP to this computer", line: `"$INSTALL/attack" send udp4 $LISTENER "$SECRET"`},
	}
	for i := range all {
		network := strings.Fields(all[i].line)[2]
		all[i].access = sandbox.AccessRead
		all[i].against = func(t *testing.T, a *arena) *target {
			t.Helper()
			var address string
			address, heard = listenFor(t, network, a.secret)
			return &target{private: address}
		}
		all[i].line = strings.Replace(all[i].line, "$LISTENER", "$OTHER", 1)
		all[i].escaped = func(*testing.T, *arena) bool { return heard() }
	}
	return append(all, serverAttack{
		name: "connect to another server", access: sandbox.AccessRead, against: startListeningServer,
		line:    `"$INSTALL/attack" send tcp4 127.0.0.1:$OTHER x && echo worked`,
		escaped: func(_ *testing.T, a *arena) bool { return strings.Contains(a.output, "worked") },
	})
}

// startListeningServer starts a server that listens on loopback.
func startListeningServer(t *testing.T, a *arena) *target {
	t.Helper()
	ready := filepath.Join(a.workspace, "ready")
	if err := unix.Mkfifo(ready, 0o600); err != nil {
		t.Fatal(err)
	}
	startScript(t, a.openSpace(t, sandbox.AccessWrite, nil), fmt.Sprintf(
		`"%s/attack" serve . x & while ! [ -e port ]; do sleep 0.01; done; cat port >ready; wait`, a.install))
	port, err := os.ReadFile(ready)
	if err != nil {
		t.Fatal(err)
	}
	return &target{private: string(port)}
}

// listenFor listens on loopback, and returns what tells afterwards whether a text has come.
func listenFor(t *testing.T, network, text string) (address string, heard func() bool) {
	t.Helper()
	const queued = 200 * time.Millisecond // what was sent is there by then
	if network == "udp4" {
		conn, err := net.ListenPacket(network, "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn.LocalAddr().String(), func() bool { return hears(conn.(net.Conn), queued, text) }
	}
	listener, err := net.Listen(network, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String(), func() bool {
		_ = listener.(*net.TCPListener).SetDeadline(time.Now().Add(queued)) // accepting fails then too
		conn, err := listener.Accept()
		if err != nil {
			return false
		}
		defer conn.Close()
		return hears(conn, queued, text)
	}
}

func hears(conn net.Conn, within time.Duration, text string) bool {
	_ = conn.SetReadDeadline(time.Now().Add(within)) // reading fails then too
	got := make([]byte, len(text))
	n, _ := conn.Read(got)
	return string(got[:n]) == text
}

// victimLine keeps the secret in the private folders and becomes a program that has it in its
// environment, its memory and a file.
const victimLine = `echo "$FAIRLEAD_TEST_VICTIM" >"$HOME/secret"; echo "$FAIRLEAD_TEST_VICTIM" >"$TMPDIR/secret"; exec "$VICTIM" victim`

// startOtherServer starts another server as the target.
func startOtherServer(t *testing.T, a *arena) *target {
	t.Helper()
	program := a.linkVictim(t)
	space := a.openSpace(t, sandbox.AccessRead, nil)
	s := startProgram(t, space, ServerCommand{
		Program: "/bin/sh", Arguments: []string{"-c", victimLine}, Variables: []string{"FAIRLEAD_TEST_VICTIM=" + a.secret, "VICTIM=" + program},
	})
	v := &target{private: filepath.Join(a.private, fmt.Sprint(a.servers)), input: s.Input, output: bufio.NewReader(s.Output)}
	v.learn(t, program)
	return v
}

// startOtherCommand starts a command of a conversation as the target. It has no input: whether it
// lives is seen from its number alone.
func startOtherCommand(t *testing.T, a *arena) *target {
	t.Helper()
	program := a.linkVictim(t)
	private := filepath.Join(a.private, "commands")
	space, err := a.system.Open(sandbox.Place{
		Workspace: a.workspace, Private: private, Home: os.Getenv("HOME"), Hide: []string{filepath.Dir(a.private)}, Install: []string{a.install},
	})
	if err != nil {
		t.Fatal(err)
	}
	jobs := NewJobs(JobsOptions{Space: opened(space)})
	t.Cleanup(func() {
		jobs.Close()
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	})
	said := filepath.Join(a.workspace, "said")
	if err := unix.Mkfifo(said, 0o600); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("export FAIRLEAD_TEST_VICTIM='%s' VICTIM='%s'; cd '%s'; (sleep 1000 | sh -c '%s') >said", a.secret, program, a.workspace, victimLine)
	if _, err := jobs.Start("call", Command{Line: line, Dir: a.workspace}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(said)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	v := &target{private: private, output: bufio.NewReader(file)}
	v.learn(t, program)
	return v
}

// linkVictim gives the program of a target a name of its own, to be found by.
func (a *arena) linkVictim(t *testing.T) string {
	t.Helper()
	path := filepath.Join(a.install, "victim-"+rand.Text())
	if err := os.Link(sandboxtest.Program("attack"), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// learn reads where the target has its secret, and finds its number, which is another one inside.
func (v *target) learn(t *testing.T, program string) {
	t.Helper()
	if _, err := fmt.Fscanln(v.output, new(int), &v.address, &v.fd); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil && bytes.HasPrefix(text, []byte(program+"\x00")) {
			v.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
		}
	}
	if v.pid == 0 {
		t.Fatal("the target is not found")
	}
}

// lives reports whether the target is still there. A signal that was sent has ended it before it
// answers; one without an input is given a moment for that.
func (v *target) lives() bool {
	if v.input != nil {
		if _, err := io.WriteString(v.input, "still there?\n"); err != nil {
			return false
		}
		_, err := v.output.ReadString('\n')
		return err == nil
	}
	fd, err := unix.PidfdOpen(v.pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	const moment = 200
	ended, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, moment)
	return ended == 0
}

// carryOut carries an attack out and reports whether it had its effect.
func (row serverAttack) carryOut(t *testing.T, r environment) bool {
	t.Helper()
	a := &arena{grounds: newGrounds(t, r), secret: "canary-" + rand.Text()}
	above := filepath.Dir(a.workspace)
	for _, path := range []string{
		filepath.Join(above, "outside"), filepath.Join(above, "data", "keys"), filepath.Join(a.workspace, "secret"),
		filepath.Join(a.workspace, ".env"), filepath.Join(a.workspace, "keys", "id_rsa"),
	} {
		if err := os.WriteFile(path, []byte(a.secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(sandboxtest.Program("attack"), filepath.Join(a.install, "attack")); err != nil {
		t.Fatal(err)
	}
	a.target = &target{}
	if row.against != nil {
		a.target = row.against(t, a)
	}
	variables := fmt.Sprintf("ABOVE='%s' WORKSPACE='%s' INSTALL='%s' OTHER='%s' PID=%d FD=%d ADDRESS=%d LENGTH=%d\n",
		above, a.workspace, a.install, a.target.private, a.target.pid, a.target.fd, a.target.address, len(a.secret))
	if strings.Contains(row.line, "$SECRET") {
		variables += "SECRET=" + a.secret + "\n"
	}
	a.output, _ = awaitScript(t, a.openSpace(t, row.access, nil), "exec 2>&1; echo begun\n"+variables+row.line)
	if !strings.HasPrefix(a.output, "begun\n") || strings.Contains(a.output, "wrong use") || strings.Contains(a.output, "not found") {
		t.Errorf("%s was not carried out: %s", row.name, a.output)
	}
	t.Logf("%s: %s", row.name, strings.ReplaceAll(a.output, a.secret, "THE SECRET"))
	if row.escaped != nil {
		return row.escaped(t, a)
	}
	return strings.Contains(a.output, a.secret)
}

// Each attack works where nothing confines servers, and none at level full.
func TestEXT01_AttacksOfServers(t *testing.T) {
	for _, row := range serverAttacks() {
		t.Run(row.name, func(t *testing.T) {
			if !row.carryOut(t, serverEnvironments()[0]) {
				t.Error("it does not work unconfined")
			}
			if row.carryOut(t, environment{string(message.LevelFull), full, sandboxtest.NeedsFull}) {
				t.Error("it escaped")
			}
		})
	}
}
