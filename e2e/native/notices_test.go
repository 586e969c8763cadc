//go:build e2e && linux

package native

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// dunst starts a service that shows notices, for the time of a test.
func (p *place) dunst() {
	p.t.Helper()
	service := exec.Command("dunst", "-conf", "/dev/null")
	service.Env = p.env
	p.must(service.Start())
	p.t.Cleanup(func() {
		_ = service.Process.Kill() // it has nothing to save
		_ = service.Wait()
	})
	eventually(p.t, "the service of notices is there", patience, func() bool { return p.dunstctl("count", "displayed") == "0" })
}

func (p *place) dunstctl(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("dunstctl", args...)
	cmd.Env = p.env
	text, err := cmd.Output()
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// badges listens as a launcher does: it receives each number that the icon is to show, 0 for none.
func (p *place) badges() <-chan int64 {
	p.t.Helper()
	var address string
	for _, variable := range p.env {
		if value, ok := strings.CutPrefix(variable, "DBUS_SESSION_BUS_ADDRESS="); ok {
			address = value
		}
	}
	bus, err := dbus.Connect(address)
	p.must(err)
	p.must(bus.AddMatchSignal(dbus.WithMatchInterface("com.canonical.Unity.LauncherEntry"), dbus.WithMatchMember("Update")))
	signals, numbers := make(chan *dbus.Signal, 16), make(chan int64, 16)
	bus.Signal(signals)
	go func() {
		for signal := range signals { // it is closed with the connection
			var icon string
			properties := map[string]dbus.Variant{}
			if dbus.Store(signal.Body, &icon, &properties) != nil || icon != "application://fairlead.desktop" {
				continue
			}
			number, _ := properties["count"].Value().(int64)
			if shown, _ := properties["count-visible"].Value().(bool); shown != (number > 0) {
				number = -1
			}
			numbers <- number
		}
	}()
	p.t.Cleanup(func() { p.must(bus.Close()) })
	return numbers
}

// TestUI12_TheSystemTellsWhatHappensBehind minimises the window while a task runs: a question and the end are
// told of by the system, once, and a click leads back.
func TestUI12_TheSystemTellsWhatHappensBehind(t *testing.T) {
	p := newPlace(t, `text One.
---
wait 1500ms
call c1 write_file {"path":"a.txt","content":"x"}
---
text Two.
---
wait 1500ms
text Three.
`)
	p.configure(`dialog = "never"`)
	p.dunst()
	badges := p.badges()
	badge := func(when string, want int64) {
		t.Helper()
		select {
		case number := <-badges:
			if number != want {
				t.Errorf("%s the icon shows %d, want %d", when, number, want)
			}
		case <-time.After(patience):
			t.Fatalf("%s nothing is told of the icon", when)
		}
	}
	w := p.open()
	w.ask("stay in front")
	w.sees("One.")
	shown := func(when, want string) {
		t.Helper()
		began := time.Now()
		eventually(t, when, patience, func() bool { return p.dunstctl("count", "displayed") == want })
		t.Logf("%s: after %v", when, time.Since(began))
	}
	shown("nothing is told in front", "0")
	if told := p.dunstctl("count", "history"); told != "0" {
		t.Errorf("%s notices were shown in front", told)
	}

	w.ask("write it")
	w.xdotool("windowminimize", w.handle())
	shown("the question is told of", "1")
	badge("with the question", 1)
	p.dunstctl("action")
	w.find(query{Role: "landmark", Has: "a.txt"})
	shown("the notice is gone", "0")
	w.push(query{Role: "button", Name: w.words.word("confirm.approve"), States: []string{"sensitive"}})
	w.sees("Two.")
	badge("after the answer", 0)
	if !p.exists("a.txt") {
		t.Error("nothing was written")
	}

	w.ask("end behind")
	w.xdotool("windowminimize", w.handle())
	shown("the end is told of", "1")
	if told := p.dunstctl("count", "history"); told != "1" {
		t.Errorf("%s notices were shown before, not 1", told)
	}
	p.dunstctl("action")
	w.sees("Three.")
	shown("that notice is gone", "0")
	w.exitsWell()
}
