//go:build e2e && linux

package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fcitxProfile has the letters on the keys first, and Chinese second.
const fcitxProfile = `[Groups/0]
Name=Default
Default Layout=us
DefaultIM=pinyin

[Groups/0/Items/0]
Name=keyboard-us

[Groups/0/Items/1]
Name=pinyin

[GroupOrder]
0=Default
`

// startFcitx gives the window of a place the input method that most people in China use.
func (p *place) startFcitx() {
	p.t.Helper()
	config := p.t.TempDir()
	p.must(os.Mkdir(filepath.Join(config, "fcitx5"), 0o700))
	p.must(os.WriteFile(filepath.Join(config, "fcitx5", "profile"), []byte(fcitxProfile), 0o600))
	daemon := exec.Command("fcitx5", "--disable=cloudpinyin,notifications,wayland,waylandim")
	daemon.Env = append(p.env, "XDG_CONFIG_HOME="+config, "XDG_DATA_HOME="+config)
	p.must(daemon.Start())
	p.t.Cleanup(func() {
		_ = daemon.Process.Kill() // it may have ended
		_ = daemon.Wait()
	})
	p.env = append(p.env, "GTK_IM_MODULE=fcitx")
	eventually(p.t, "the input method is there", patience, func() bool { return p.fcitx() != "" })
}

// fcitx tells the input method something, and returns what it says.
func (p *place) fcitx(args ...string) string {
	cmd := exec.Command("fcitx5-remote", args...)
	cmd.Env = p.env
	said, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(said))
}

// chooseFcitx chooses what is made of keys from now on: pinyin, or keyboard-us for the letters on them.
func (p *place) chooseFcitx(method string) {
	p.t.Helper()
	eventually(p.t, method+" is chosen", patience, func() bool {
		p.fcitx("-s", method)
		return p.fcitx("-n") == method
	})
}

// TestUI07_SoakAWordIsComposedWhateverHappens composes words letter by letter while a run ends, a question arrives,
// and another conversation is opened.
func TestUI07_SoakAWordIsComposedWhateverHappens(t *testing.T) {
	if !soak {
		t.Skip("it needs an input method: make soak")
	}
	p := newPlace(t, `text One.
---
wait 2500ms
text Two.
---
wait 2500ms
call c1 shell {"command":"touch ran"}
---
text Three.
---
text Four.
`)
	p.configure(`dialog = "never"`)
	p.startFcitx()
	w := p.open()
	field := query{Role: "entry", Name: w.words.word("shell.composer.label")}
	holds := func(when, text string) {
		t.Helper()
		if err := screen.do("find", query{PID: w.cmd.Process.Pid, Role: field.Role, Name: field.Name, Text: text}, patience.Seconds(), nil); err != nil {
			t.Fatalf("%s the field does not hold %q: %v", when, text, err)
		}
	}
	w.ask("begin")
	w.sees("One.")

	w.ask("end while I type")
	p.chooseFcitx("pinyin")
	w.types("zhong")
	w.sees("Two.")
	w.types("guo")
	w.keys("space")
	holds("after the end of a run", "中国")

	// The Enter that ends a composition sends nothing, and answers nothing.
	p.chooseFcitx("keyboard-us")
	w.ask("ask while I type")
	p.chooseFcitx("pinyin")
	w.types("ni")
	w.find(query{Role: "landmark", Has: "touch ran"})
	w.types("hao")
	w.keys("Return")
	holds("after Enter while a question waits", "nihao")
	w.keys("ctrl+a", "BackSpace")
	w.types("nihao")
	w.keys("space")
	holds("while a question waits", "你好")
	if p.exists("ran") {
		t.Error("typing has answered the question")
	}
	w.push(query{Role: "button", Name: w.words.word("confirm.approve"), States: []string{"sensitive"}})
	w.sees("Three.")
	holds("after the answer", "你好")

	// What is composed when another conversation is opened stays where it was typed.
	w.click(field)
	w.types("shijian")
	// The input method keeps the keys to itself.
	w.click(query{Role: "button", Name: w.words.word("shell.conversation")})
	w.find(query{Has: w.words.word("shell.empty.title", "name", "work")})
	holds("in a new conversation", "")
	p.chooseFcitx("keyboard-us")
	w.ask("another")
	w.sees("Four.")
	w.push(query{Role: "button", Has: "begin"})
	w.sees("Three.")
	if text := w.find(field).Text; !strings.HasPrefix(text, "你好") {
		t.Errorf("back in the first conversation the field holds %q", text)
	}
	w.exitsWell()
}
