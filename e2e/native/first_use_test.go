//go:build e2e && linux

package native

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// firstUse is the way from the first start to a change in a folder of the user's own.
const firstUse = `
call c1 read_file {"path":"notes.txt"}
---
call c2 edit_file {"path":"notes.txt","edits":[{"old":"milk","new":"oat milk"}]}
---
text It says oat milk now.
`

// way counts what the user has to decide, each shown in a picture where FAIRLEAD_PICTURES
// names a folder.
type way struct {
	*window

	name      string
	decisions int
}

// decides does what the user decides at what the window shows.
func (y *way) decides(do func()) {
	y.t.Helper()
	y.decisions++
	if into := os.Getenv("FAIRLEAD_PICTURES"); into != "" {
		y.picture(filepath.Join(into, "first-use-"+y.name+"-"+string(rune('a'+y.decisions-1))+".png"))
	}
	do()
}

// TestUI06_FromTheFirstStartToAChange goes that way with a model on this computer, and with a
// key for one elsewhere.
func TestUI06_FromTheFirstStartToAChange(t *testing.T) {
	for name, choose := range map[string]func(*way){
		"ollama": func(y *way) {
			// It was found, and is chosen.
			y.find(query{Role: "radio button", Name: y.words.word("welcome.model.local", "title", "Ollama"), States: []string{"checked"}})
		},
		"key": func(y *way) {
			y.decides(func() {
				y.enter(query{Role: "combo box", Name: y.words.word("welcome.model.provider")}, y.words.word("welcome.model.elsewhere"))
				y.keys("Return")
			})
			y.decides(func() {
				y.enter(query{Role: "entry", Name: y.words.word("welcome.model.address")}, y.model.url)
			})
			y.decides(func() {
				y.enter(query{Role: "password text", Name: y.words.word("welcome.model.key")}, canary)
			})
			y.decides(func() {
				y.enter(query{Role: "combo box", Name: y.words.word("welcome.model.name")}, "scripted")
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := emptyPlace(t, firstUse)
			p.write("notes.txt", "bread\nmilk\n")
			var env []string
			if name == "ollama" {
				env = []string{"OLLAMA_HOST=" + strings.TrimSuffix(p.model.url, "/v1")}
			} else {
				p.model.Key = canary
				p.secure()
				forget(t)
			}
			start := time.Now()
			y := &way{window: p.start(env...), name: name}
			y.find(query{Role: "heading", Name: p.words.word("welcome.title")})
			choose(y)
			y.decides(func() {
				y.press("shell.folder.choose")
				y.find(query{Role: "file chooser", Name: folderTitle})
				y.keys("ctrl+l")
				y.types(p.workspace)
				y.find(query{Role: "text", Has: p.workspace, States: []string{"focused"}})
				y.keys("Return")
				y.gone(query{Role: "file chooser"})
			})
			y.decides(func() { y.press("welcome.start") })
			if name == "key" {
				question := y.dialog(settingTitle)
				y.decides(func() { question.press("Save") })
			}
			y.find(query{Role: "entry", Name: p.words.word("shell.composer.label")})
			y.decides(func() { y.ask("oat milk, please") })
			change := y.dialog(changeTitle)
			y.decides(func() { change.press(approve) })
			y.sees("It says oat milk now.")
			took := time.Since(start)
			if got := p.read("notes.txt"); got != "bread\noat milk\n" {
				t.Errorf("notes.txt is %q", got)
			}
			t.Logf("%d decisions, %v", y.decisions, took)
			if y.decisions >= 10 || took >= 2*time.Minute {
				t.Errorf("it takes %d decisions and %v, which is not under 10 and 2 minutes", y.decisions, took)
			}
		})
	}
}
