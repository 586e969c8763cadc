//go:build e2e && linux

package native

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// sleepers are the processes of the command that the tests below have run.
func (p *place) sleepers() []proc {
	var found []proc
	for _, one := range processes(p.root) {
		if strings.HasPrefix(string(one.arguments), "sleep\x00") {
			found = append(found, one)
		}
	}
	return found
}

// asleep opens the window and has it run a command of several processes.
func asleep(t *testing.T) *window {
	t.Helper()
	p := newPlace(t, `
call c1 shell {"command":"sleep 1001 & (sleep 1002 & sleep 1003)"}
---
text done
`)
	w := p.open()
	w.ask("run it")
	w.dialog(runTitle)
	w.press("confirm.approve")
	eventually(t, "the command runs", patience, func() bool { return len(p.sleepers()) == 3 })
	return w
}

func (w *window) awake(within time.Duration) {
	w.t.Helper()
	eventually(w.t, "no process of the command is left", within, func() bool { return len(w.sleepers()) == 0 })
}

func TestCAN01_StopEndsACommandWithItsChildren(t *testing.T) {
	w := asleep(t)
	w.press("shell.composer.stop")
	w.awake(time.Second)
	w.sees(w.words.word("ends.codes.CANCELLED"))
}

func TestUI03_ClosingAsksOnceWhileATaskIsRunning(t *testing.T) {
	w := asleep(t)
	w.close()
	w.sees(w.words.word("shell.closing.text"))
	w.press("shell.closing.stay")
	w.gone(query{Role: "button", Name: w.words.word("shell.closing.stay")})
	if len(w.sleepers()) != 3 {
		t.Error("the command was stopped although the window stays")
	}
	w.close()
	w.exits(patience)
	w.awake(time.Second)
}

func TestUI03_StopAndQuit(t *testing.T) {
	w := asleep(t)
	w.close()
	w.press("shell.closing.quit")
	w.exits(patience)
	w.awake(time.Second)
}

func TestCAN01_ASignalClosesAtOnce(t *testing.T) {
	w := asleep(t)
	w.must(w.cmd.Process.Signal(syscall.SIGTERM))
	w.exits(3 * time.Second)
	w.awake(time.Second)
}
