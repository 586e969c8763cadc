package shell_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/sandbox/sandboxtest"
)

// secretService is the attack on the keyring of the user's session: the real one,
// on a session bus of its own, asked the way Fairlead itself asks for its keys.
func secretService() attack {
	return attack{
		name: "Secret Service", class: classSecret,
		missing: needs("dbus-daemon", "gnome-keyring-daemon"),
		prepare: func(t *testing.T, l *lab) {
			t.Helper()
			bus := startBus(t, l)
			keepSecret(t, l, bus)
			l.variables["bus"] = bus
		},
		line: `DBUS_SESSION_BUS_ADDRESS=$bus ./attack secret fairlead user`, escaped: printed,
	}
}

// startPart starts a part of a session, which ends with the test, and returns what
// it writes.
func startPart(t *testing.T, stdin string, env []string, name string, arguments ...string) *bufio.Reader {
	t.Helper()
	cmd := exec.Command(name, arguments...)
	cmd.Stdin, cmd.Env = strings.NewReader(stdin), append(os.Environ(), env...)
	output, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // it was killed
	})
	return bufio.NewReader(output)
}

// startBus starts a session bus that starts no service by itself, and returns its
// address.
func startBus(t *testing.T, l *lab) string {
	t.Helper()
	configuration := filepath.Join(l.runtime, "bus.conf")
	l.write(t, configuration, `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=`+filepath.Join(l.runtime, "bus")+`</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`)
	lines := startPart(t, "", nil, "dbus-daemon", "--config-file="+configuration, "--nofork", "--nopidfile", "--print-address=1")
	address, err := lines.ReadString('\n')
	must(t, err)
	return strings.TrimSpace(address)
}

// startKeyring starts the keyring and unlocks it, as signing in does.
func startKeyring(t *testing.T, l *lab, bus string) {
	t.Helper()
	startPart(t, "the password", []string{"DBUS_SESSION_BUS_ADDRESS=" + bus, "XDG_RUNTIME_DIR=" + l.runtime},
		"gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
}

// keepSecret puts the lab's secret into a keyring as soon as that answers. One that
// does not take its name on the bus, as was seen once on a busy machine, is replaced.
func keepSecret(t *testing.T, l *lab, bus string) {
	t.Helper()
	var err error
	for range 4 {
		startKeyring(t, l, bus)
		if err = tryToKeep(l, bus); err == nil {
			return
		}
	}
	t.Fatal(err)
}

// tryToKeep tries for 5 s.
func tryToKeep(l *lab, bus string) error {
	late := time.After(5 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		cmd := exec.Command(sandboxtest.Program("attack"), "keep-secret", "fairlead", "user")
		cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS="+bus)
		cmd.Stdin = strings.NewReader(l.secret)
		output, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		select {
		case <-late:
			return fmt.Errorf("keep the secret: %w: %s", err, output)
		case <-tick.C:
		}
	}
}
