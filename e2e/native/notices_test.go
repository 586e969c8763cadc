//go:build e2e && linux

package native

import (
	"os/exec"
	"strings"
	"testing"
	"time"
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
	p.dunstctl("action")
	w.find(query{Role: "landmark", Has: "a.txt"})
	shown("the notice is gone", "0")
	w.push(query{Role: "button", Name: w.words.word("confirm.approve"), States: []string{"sensitive"}})
	w.sees("Two.")
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
