//go:build e2e && linux

package native

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// soak says that tests which are long by nature run in their long form.
var soak = os.Getenv("FAIRLEAD_SOAK") != ""

// giveNewWindowsTheKeyboard replaces the window manager by one that gives every new
// window the keyboard, whatever that window asks for. It returns how to restore it.
func giveNewWindowsTheKeyboard(t *testing.T) (restore func()) {
	t.Helper()
	run(t, "openbox", "--exit")
	// It does not start as long as the other is there.
	focusing := exec.Command("sh", "-c", "until ratpoison; do sleep 0.1; done")
	if err := focusing.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "windows are managed", patience, func() bool {
		// Asked while it starts, it does not answer.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return exec.CommandContext(ctx, "ratpoison", "-c", "version").Run() == nil
	})
	restore = sync.OnceFunc(func() {
		run(t, "ratpoison", "-c", "quit")
		_ = focusing.Wait() // how it ended does not matter
		manageWindows(t)
	})
	t.Cleanup(restore)
	return restore
}

// manageWindows starts the window manager that desktop.sh began with.
func manageWindows(t *testing.T) {
	t.Helper()
	manager := exec.Command("sh", "-c", "until openbox --sm-disable --startup 'echo up'; do sleep 0.1; done")
	says, err := manager.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := manager.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(says).ReadString('\n'); err != nil {
		t.Fatalf("start openbox: %v", err)
	}
}

// startInputMethod gives the window of a place an input method.
func (p *place) startInputMethod() {
	p.t.Helper()
	daemon := exec.Command("ibus-daemon", "--panel=disable", "--emoji-extension=disable")
	p.must(daemon.Start())
	p.t.Cleanup(func() {
		_ = daemon.Process.Kill() // it may have ended
		_ = daemon.Wait()
	})
	var address string
	eventually(p.t, "the input method has an address", patience, func() bool {
		found, err := exec.Command("ibus", "address").Output()
		address = strings.TrimSpace(string(found))
		return err == nil && strings.HasPrefix(address, "unix:")
	})
	p.env = append(p.env, "GTK_IM_MODULE=ibus", "IBUS_ADDRESS="+address)
	p.choose(latin)
}

// What an input method can make of keys: the letters on them, or Chinese.
const (
	latin  = "xkb:us::eng"
	pinyin = "libpinyin"
)

// choose chooses what the input method makes of keys from now on.
func (p *place) choose(engine string) {
	p.t.Helper()
	eventually(p.t, engine+" is chosen", patience, func() bool {
		_ = exec.Command("ibus", "engine", engine).Run() // without a window it fails, and is done all the same
		chosen, err := exec.Command("ibus", "engine").Output()
		return err == nil && strings.TrimSpace(string(chosen)) == engine
	})
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if output, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, output)
	}
}
