//go:build e2e && linux

package native

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/settings"
)

// startPart starts a part of a session, which ends with the test. Its output can
// be read.
func (p *place) startPart(stdin string, env []string, name string, args ...string) *bufio.Reader {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdin = env, strings.NewReader(stdin)
	stdout, err := cmd.StdoutPipe()
	p.must(err)
	p.must(cmd.Start())
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // it was killed
	})
	return bufio.NewReader(stdout)
}

// ownBus gives the place a session bus of its own, without a keyring.
func (p *place) ownBus() {
	p.t.Helper()
	lines := p.startPart("", p.env, "dbus-daemon",
		"--config-file="+filepath.Join(os.Getenv("DESKTOP_DIR"), "bus.conf"), "--nofork", "--nopidfile", "--print-address=1")
	address, err := lines.ReadString('\n')
	p.must(err)
	p.env = append(p.env, "DBUS_SESSION_BUS_ADDRESS="+strings.TrimSpace(address))
}

// lockedKeyring puts a keyring on the place's own bus and locks it.
func (p *place) lockedKeyring() {
	p.t.Helper()
	p.startPart("the password", append(p.env, "XDG_RUNTIME_DIR="+p.temporary), "gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
	p.command("gdbus", "wait", "--session", "--timeout", "20", "org.freedesktop.secrets")
	p.command("gdbus", "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path", "/org/freedesktop/secrets",
		"--method", "org.freedesktop.Secret.Service.Lock", "['/org/freedesktop/secrets/collection/login']")
}

// command runs a program of the session.
func (p *place) command(name string, args ...string) {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = p.env
	if output, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %v: %s", name, err, output)
	}
}

func TestSEC01_WithoutAKeyringTheKeyLastsForThisSession(t *testing.T) {
	for name, prepare := range map[string]func(*place){
		"absent": (*place).ownBus,
		"locked": func(p *place) { p.ownBus(); p.lockedKeyring() },
	} {
		t.Run(name, func(t *testing.T) {
			p := emptyPlace(t, "text I see.")
			p.model.Key = canary
			prepare(p)
			p.remember(settings.State{Workspace: p.workspace, Recent: []string{p.workspace}})
			w := p.start()
			w.giveModel(canary)
			w.press("welcome.start")
			w.sees(p.words.word("faults.codes.KEYRING"))
			w.press("faults.actions.session")
			w.find(query{Role: "entry", Name: p.words.word("shell.composer.label")})
			w.ask("hello")
			w.sees("I see.")
			w.close()
			w.exits(patience)
			if found := p.filesWith(canary); len(found) > 0 {
				t.Errorf("the key is in %q", found)
			}
		})
	}
}
