//go:build e2e && linux

package native

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// handle is the window's number at the display.
func (w *window) handle() string {
	w.t.Helper()
	return strings.TrimSpace(w.xdotool("search", "--sync", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid), "--name", "(^|— )Fairlead$"))
}

// geometry is the window's place and size, in lines of NAME=VALUE.
func (w *window) geometry() string {
	w.t.Helper()
	_, geometry, _ := strings.Cut(w.xdotool("getwindowgeometry", "--shell", w.handle()), "\n") // the number comes first
	return geometry
}

func TestWS01_EverythingIsWhereItWas(t *testing.T) {
	p := newPlace(t, "")
	w := p.open()
	before := w.geometry()
	w.xdotool("windowsize", "--sync", w.handle(), "1000", "700")
	w.xdotool("windowmove", "--sync", w.handle(), "140", "90")
	eventually(t, "the window is elsewhere", patience, func() bool {
		return strings.Contains(w.geometry(), "WIDTH=1000\nHEIGHT=700\n")
	})
	moved := w.geometry()
	if moved == before {
		t.Fatalf("the window did not move from %q", before)
	}
	w.close()
	w.exits(patience)

	w = p.open()
	eventually(t, "the window is back in its place", patience, func() bool { return w.geometry() == moved })
	w.find(query{Has: p.words.word("shell.folder.label", "name", filepath.Base(p.workspace))})
	w.find(query{Has: p.words.word("shell.model.label", "name", "scripted")})
}

func TestCLI02_ASecondStartShowsTheFirstWindow(t *testing.T) {
	p := newPlace(t, "")
	w := p.open()
	shown := w.handle()
	w.xdotool("windowminimize", "--sync", shown)
	second := p.start()
	select {
	case <-second.ended:
	case <-time.After(patience):
		t.Fatal("the second start stays")
	}
	if got := w.handle(); got != shown {
		t.Errorf("window %s is shown, not %s", got, shown)
	}
}
