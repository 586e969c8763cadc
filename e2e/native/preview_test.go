//go:build e2e && linux

package native

import (
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// long is a text of 20 lines, of which a test changes the first and the last.
func long(first, last string) string {
	lines := []string{first}
	for i := range 18 {
		lines = append(lines, fmt.Sprint("line ", i+2))
	}
	return strings.Join(append(lines, last), "\n") + "\n"
}

// showing opens a window in which a command is to change three files, and has it ask for that.
func showing(t *testing.T, language string, choose func(*window)) *window {
	t.Helper()
	p := newPlace(t, `
call c1 shell {"command":"sed -i 's/^first$/FIRST/; s/^last$/LAST/' long.txt; echo new >new.txt; rm old.txt"}
---
text It is as you decided.
`)
	p.speak(language)
	p.write("long.txt", long("first", "last"))
	p.write("old.txt", "old\n")
	w := p.open()
	choose(w)
	w.ask("change them")
	w.find(query{Has: p.words.word("confirm.changes.question")})
	if got := p.read("long.txt"); got != long("first", "last") || p.exists("new.txt") || !p.exists("old.txt") {
		t.Errorf("something was done before anybody was asked: %q", got)
	}
	return w
}

// decided looks at what became of it: the first part of long.txt and new.txt are there, the
// second part was left out, and old.txt was kept.
func (w *window) decided() {
	w.t.Helper()
	w.sees("It is as you decided.")
	if got, want := w.read("long.txt"), long("FIRST", "last"); got != want {
		w.t.Errorf("long.txt is %q, want %q", got, want)
	}
	if got := w.read("new.txt"); got != "new\n" {
		w.t.Errorf("new.txt is %q", got)
	}
	if !w.exists("old.txt") {
		w.t.Error("old.txt was deleted, which was not chosen")
	}
	told := w.model.sent(2)
	for _, want := range []string{"long.txt @@ -17,4 +17,4 @@", "created new.txt", "not applied: deleted old.txt"} {
		if !strings.Contains(told, want) {
			w.t.Errorf("the model is told nothing of %q: %q", want, told)
		}
	}
}

// part names the box of the second part of long.txt, and file that of a path.
func (w *window) part() query {
	return query{Role: "check box", Name: w.words.word("confirm.changes.part", "n", "2", "all", "2", "path", "long.txt")}
}

func (w *window) file(path string) query { return query{Role: "check box", Name: path} }

// modeButton opens the choice of what is asked about.
func (w *window) modeButton(mode string) query {
	return query{Role: "combo box", Name: w.words.word("shell.approve.label", "name", w.words.word("shell.approve."+mode))}
}

// chooseMode chooses what is asked about, with keys alone.
func (w *window) chooseMode(mode string) {
	w.goTo(w.modeButton("ask"), "Tab")
	w.keys("Return")
	w.goTo(query{Role: "radio button", Name: w.words.word("shell.approve." + mode)}, "Down")
	w.find(w.modeButton(mode))
	w.keys("Escape")
}

// TestPRE03_ShowFirstByMouse goes from the choice of the mode to what lies on the disk with the
// mouse alone.
func TestPRE03_ShowFirstByMouse(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	for language, dialog := range map[string]struct{ title, inWindow string }{
		"en": {keepTitle, inWindow}, "zh-CN": {"Fairlead：保留更改？", "在窗口中查看"},
	} {
		t.Run(language, func(t *testing.T) {
			w := showing(t, language, func(w *window) {
				w.click(w.modeButton("ask"))
				w.click(query{Role: "radio button", Name: w.words.word("shell.approve.preview")})
				w.find(w.modeButton("preview"))
			})
			question := w.dialog(dialog.title) // which lies above the card
			question.press(dialog.inWindow)
			question.gone()
			w.click(w.part())
			apply := query{Role: "button", Name: w.words.word("confirm.changes.applyChosen"), States: []string{"sensitive"}}
			top := w.find(apply).Box[1]
			w.xdotool("click", "--repeat", "10", "--delay", "15", "5") // the wheel
			eventually(t, "the last row comes into sight", patience, func() bool {
				box := w.find(w.file("old.txt")).Box
				return box[1]+box[3] < top
			})
			w.click(w.file("old.txt"))
			w.click(apply)
			w.decided()
		})
	}
}

// TestPRE03_ShowFirstByKeyboard does the same with keys alone.
func TestPRE03_ShowFirstByKeyboard(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	for _, language := range []string{"en", "zh-CN"} {
		t.Run(language, func(t *testing.T) {
			w := showing(t, language, func(w *window) {
				w.activate()
				w.goTo(w.modeButton("ask"), "Tab")
				w.keys("Return")
				w.goTo(query{Role: "radio button", Name: w.words.word("shell.approve.ask")}, "Tab")
				w.keys("Down")
				w.find(w.modeButton("preview"))
				w.keys("Escape")
			})
			rest() // what was typed before answers nothing
			w.goTo(w.part(), "Tab")
			w.keys("space")
			w.goTo(w.file("old.txt"), "Tab")
			w.keys("space")
			w.find(query{Role: "button", Name: w.words.word("confirm.changes.applyChosen"), States: []string{"sensitive"}})
			w.keys("alt+a")
			w.decided()
		})
	}
}

// goTo presses a key until something has the focus.
func (w *window) goTo(q query, key string) {
	w.t.Helper()
	q.States = append(q.States, "focused")
	for range 60 {
		if w.has(q) {
			return
		}
		w.keys(key)
		pause()
	}
	w.t.Fatalf("%s does not lead to %s", key, q)
}

// TestPRE03_TheDialogAppliesAllOrLeadsToTheWindow answers once in the dialog, which can only
// apply all or nothing, and once in the window to which it leads.
func TestPRE03_TheDialogAppliesAllOrLeadsToTheWindow(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	p := newPlace(t, `
call c1 shell {"command":"echo one >one.txt"}
---
call c2 shell {"command":"mkdir -p .vscode && echo {} >.vscode/tasks.json; echo two >two.txt"}
---
call c3 shell {"command":"cat one.txt"}
---
text Done.
`)
	p.configure(`approve = "preview"`)
	w := p.open()
	w.ask("change it")
	question := w.dialog(keepTitle)
	question.press(applyAll)
	// The next dialog has the same title, and may be there before anybody saw the first one gone.
	eventually(t, "the first file is there", patience, func() bool { return p.read("one.txt") == "one\n" })
	w.find(w.file("two.txt"))
	question = w.dialog(keepTitle)
	question.press(inWindow)
	question.gone()
	if p.exists("two.txt") || p.exists(".vscode") {
		t.Error("leading to the window applied something")
	}
	w.press("confirm.changes.drop")
	w.sees("Done.") // the third changed nothing, and is not asked about
	if p.exists("two.txt") || p.exists(".vscode") {
		t.Error("what was dropped is there")
	}
}

// TestPRE10_AFileWithKeysIsReadOnceTheUserAgreed has a command fail on a file that it saw empty,
// and lets the next one read it.
func TestPRE10_AFileWithKeysIsReadOnceTheUserAgreed(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	p := newPlace(t, `
call c1 shell {"command":"grep HOST .env"}
---
text I need the file.
---
call c2 shell {"command":"grep HOST .env"}
---
text I have read it.
`)
	p.write(".env", "HOST=one\n")
	w := p.open()
	w.click(w.modeButton("ask"))
	w.click(query{Role: "radio button", Name: w.words.word("shell.approve.preview")})
	w.find(w.modeButton("preview"))
	w.keys("Escape")
	w.ask("read it")
	w.sees("I need the file.")
	w.click(query{Role: "button", Name: w.words.word("transcript.letRead", "path", ".env")})
	dialog := w.dialog("Fairlead: let commands read a file with keys?")
	dialog.press("Let them read")
	dialog.gone()
	w.find(query{Has: w.words.word("transcript.readable")})
	w.ask("read it again")
	w.sees("I have read it.")
	if first, second := w.model.sent(2), w.model.sent(4); !strings.Contains(first, "saw these empty") || strings.Contains(first, "HOST=one") || !strings.Contains(second, "HOST=one") {
		t.Errorf("the model was told %q, then %q", first, second)
	}
}

// TestPRE06_ADraftIsReviewedAppliedAndUndone has a task done in a draft, while the user changes two
// of its files in the folder, and decides about it with keys alone.
func TestPRE06_ADraftIsReviewedAppliedAndUndone(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	for _, language := range []string{"en", "zh-CN"} {
		t.Run(language, func(t *testing.T) {
			p := newPlace(t, `
call c1 write_file {"path":"new.txt","content":"draft\n"}
call c2 shell {"command":"cat new.txt; sed -i s/2/draft/ apart.txt; echo draft >same.txt; rm old.txt"}
---
call c3 shell {"command":"sleep 3"}
---
text It is done in the draft.
`)
			p.speak(language)
			before := map[string]string{"apart.txt": "1\n2\n3\n4\n5\n6\n", "same.txt": "one\n", "old.txt": "old\n"}
			for name, text := range before {
				p.write(name, text)
			}
			w := p.open()
			w.chooseMode("draft")
			// Else the review is shown as soon as something is changed.
			w.push(query{Role: "page tab", Name: w.words.word("shell.desk.preview")})
			w.push(query{Role: "page tab", Name: w.words.word("shell.desk.files")})
			w.ask("do it")
			// While the run works there, the tree shows the draft.
			row := query{Role: "tree item", Has: "new.txt"}
			w.find(row)
			if p.exists("new.txt") {
				t.Error("new.txt is in the folder")
			}
			w.sees("It is done in the draft.")
			w.gone(row)
			apply := query{Role: "button", Name: w.words.word("shell.draft.apply"), States: []string{"sensitive"}}
			w.find(apply)
			for name, text := range before {
				if p.read(name) != text {
					t.Errorf("%s was changed before it was applied", name)
				}
			}
			before["apart.txt"], before["same.txt"] = "1\n2\n3\n4\n5\nuser\n", "user\n"
			p.write("apart.txt", before["apart.txt"])
			p.write("same.txt", before["same.txt"])
			w.find(query{Has: w.words.word("shell.draft.conflicts.other", "n", "2")})
			w.goTo(apply, "shift+Tab")
			w.keys("Return")
			eventually(t, "what nothing is in the way of is applied", patience, func() bool { return p.exists("new.txt") && !p.exists("old.txt") })
			if p.read("new.txt") != "draft\n" || p.read("apart.txt") != before["apart.txt"] || p.read("same.txt") != "user\n" {
				t.Errorf("new.txt is %q, apart.txt %q, same.txt %q", p.read("new.txt"), p.read("apart.txt"), p.read("same.txt"))
			}
			// What is in the way of it is chosen by the user.
			w.goTo(query{Role: "button", Name: w.words.word("shell.draft.review")}, "shift+Tab")
			w.keys("Return")
			for _, name := range []string{"apart.txt", "same.txt"} {
				w.goTo(w.file(name), "Tab")
				w.keys("space")
			}
			w.goTo(query{Role: "button", Name: w.words.word("confirm.changes.applyAll"), States: []string{"sensitive"}}, "Tab")
			w.keys("Return")
			eventually(t, "the rest is applied", patience, func() bool { return p.read("same.txt") == "draft\n" })
			if p.read("apart.txt") != "1\ndraft\n3\n4\n5\nuser\n" {
				t.Errorf("apart.txt is %q", p.read("apart.txt"))
			}
			w.gone(apply)
			w.keys("ctrl+z")
			w.goTo(query{Role: "button", Name: w.words.word("review.plan.undo"), States: []string{"sensitive"}}, "Tab")
			w.keys("Return")
			eventually(t, "all of it is taken back", patience, func() bool {
				return !p.exists("new.txt") && p.exists("old.txt") && p.read("same.txt") == "user\n" && p.read("apart.txt") == before["apart.txt"]
			})
		})
	}
}
