//go:build e2e && linux

package native

import (
	"fmt"
	"strings"
	"testing"
)

func TestHITL02_AWriteIsApprovedInTheDialogAndTheNextOnTheCard(t *testing.T) {
	const first, second = "one \\u2014 一\\ttab\\r\\n\\n  last line without an end", "second\\n"
	p := newPlace(t, fmt.Sprintf(`
call c1 write_file {"path":"a/first.txt","content":"%s"}
---
call c2 write_file {"path":"second.txt","content":"%s"}
---
text Both are written.
`, first, second))
	w := p.open()
	w.ask("write two files")

	question := w.dialog(changeTitle)
	w.find(query{Role: "landmark", Has: "first.txt"})
	if p.exists("a") {
		t.Error("something was written before anybody was asked")
	}
	question.press(approve)
	question.gone()

	question = w.dialog(changeTitle)
	w.find(query{Role: "landmark", Has: "second.txt"})
	if got, want := p.read("a/first.txt"), "one — 一\ttab\r\n\n  last line without an end"; got != want {
		t.Errorf("first.txt is %q, not %q", got, want)
	}
	if p.exists("second.txt") {
		t.Error("second.txt was written before anybody was asked")
	}
	w.press("confirm.approve")
	question.gone()
	w.sees("Both are written.")
	if got := p.read("second.txt"); got != "second\n" {
		t.Errorf("second.txt is %q", got)
	}
}

func TestHITL02_EnterInTheDialogRejects(t *testing.T) {
	p := newPlace(t, `
call c1 shell {"command":"touch ran"}
---
text As you like.
`)
	w := p.open()
	w.ask("run it")
	question := w.dialog(runTitle)
	question.focuses(reject)
	w.keys("Return")
	question.gone()
	w.sees("As you like.")
	if p.exists("ran") {
		t.Error("Enter approved the command")
	}
	if got := p.model.sent(2); !strings.HasPrefix(got, "REJECTED: ") {
		t.Errorf("the model was sent %q", got)
	}
}

func TestHITL02_WhatTheDialogCannotShowItDoesNotApprove(t *testing.T) {
	long := strings.Repeat(`line\n`, 40)
	p := newPlace(t, `call c1 write_file {"path":"long.txt","content":"`+long+`"}`+"\n---\ntext done")
	w := p.open()
	w.ask("write a lot")
	question := w.dialog(changeTitle)
	question.focuses(reject)
	if question.has(query{Role: dialogButton, Name: approve}) {
		t.Error("the dialog offers to approve what it does not show")
	}
	if question.has(query{Has: "+line"}) {
		t.Error("the dialog shows a part of the change")
	}
	question.press(inWindow)
	question.gone()
	w.find(query{Role: "landmark", Has: "long.txt"})
	if p.exists("long.txt") {
		t.Error("the review approved the change")
	}
	w.press("confirm.approve")
	w.sees("done")
	if got := p.read("long.txt"); got != strings.Repeat("line\n", 40) {
		t.Errorf("long.txt is %q", got)
	}
}

func TestHITL03_ARejectionWithAReasonReachesTheModel(t *testing.T) {
	p := newPlace(t, `
call c1 shell {"command":"touch ran"}
---
text I leave it.
`)
	w := p.open()
	w.ask("run it")
	question := w.dialog(runTitle)
	w.press("confirm.rejectReason")
	w.enter(query{Role: "entry", Name: p.words.word("confirm.reason")}, "use make instead, 谢谢")
	w.keys("Return")
	question.gone()
	w.sees("I leave it.")
	if p.exists("ran") {
		t.Error("the command ran")
	}
	if got := p.model.sent(2); !strings.HasPrefix(got, "REJECTED: ") || !strings.Contains(got, "use make instead, 谢谢") {
		t.Errorf("the model was sent %q", got)
	}
}

func TestHITL03_AnEditedCommandIsAskedAboutAgain(t *testing.T) {
	p := newPlace(t, `
call c1 shell {"command":"echo one > out.txt"}
---
text It ran.
`)
	w := p.open()
	w.ask("run it")
	question := w.dialog(runTitle)
	w.press("confirm.edit.open")
	w.enter(query{Role: "entry", Has: p.words.word("confirm.edit.command")}, "echo two > out.txt")
	w.press("confirm.edit.send")
	question.gone()
	w.sees(p.words.word("confirm.again.edited"))
	question = w.dialog(runTitle)
	if !question.has(query{Has: "echo two > out.txt"}) {
		t.Error("the dialog does not show the edited command")
	}
	if p.exists("out.txt") {
		t.Error("an edit approved the command")
	}
	w.press("confirm.approve")
	question.gone()
	w.sees("It ran.")
	if got := p.read("out.txt"); got != "two\n" {
		t.Errorf("out.txt is %q", got)
	}
	if got := p.model.sent(2); !strings.Contains(got, "edited") {
		t.Errorf("the model was not told of the edit: %q", got)
	}
}
