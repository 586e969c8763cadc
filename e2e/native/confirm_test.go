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

	// The next dialog has the same title, and may be there before anybody saw the first one gone.
	w.find(query{Role: "landmark", Has: "second.txt"})
	question = w.dialog(changeTitle)
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

func TestHITL02_NoKeyThatWasMeantForSomethingElseAnswersTheDialog(t *testing.T) {
	p := newPlace(t, `
call c1 shell {"command":"touch ran"}
---
text As you like.
`)
	w := p.open()
	w.ask("run it")
	question := w.dialog(runTitle)
	// It appears without the keyboard, which stays with the window.
	w.enter(query{Role: "entry", Name: p.words.word("shell.composer.label")}, "still here")
	question.offers(approve)
	question.activate()
	w.keys("Return", "space", "a", "ctrl+Return", "KP_Enter", "y")
	if !question.has(query{Role: dialogButton, Name: approve}) || p.exists("ran") {
		t.Fatal("a key answered the dialog")
	}
	// Enter is no answer on a button either.
	rest()
	w.keys("Tab", "Tab", "Return", "ctrl+Return")
	rest()
	w.keys("Escape")
	question.gone()
	if p.exists("ran") {
		t.Error("Enter or Escape approved the command")
	}
	if w.has(query{Has: "As you like."}) {
		t.Error("closing the dialog answered the question")
	}
	w.press("confirm.reject")
	w.sees("As you like.")
	if p.exists("ran") {
		t.Error("the command ran")
	}
}

func TestHITL02_ASpaceOnAButtonAnswersTheDialog(t *testing.T) {
	p := newPlace(t, `
call c1 shell {"command":"touch ran"}
---
text It ran.
`)
	w := p.open()
	w.ask("run it")
	question := w.dialog(runTitle)
	question.offers(approve)
	question.activate()
	rest()
	for !question.has(query{Role: dialogButton, Name: approve, States: []string{"focused"}}) {
		w.keys("Tab")
	}
	w.keys("space")
	question.gone()
	w.sees("It ran.")
	if !p.exists("ran") {
		t.Error("the command did not run")
	}
}

func TestHITL02_WhatTheDialogCannotShowItDoesNotApprove(t *testing.T) {
	long := strings.Repeat(`line\n`, 40)
	p := newPlace(t, `call c1 write_file {"path":"long.txt","content":"`+long+`"}`+"\n---\ntext done")
	w := p.open()
	w.ask("write a lot")
	question := w.dialog(changeTitle)
	question.offers(reject)
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
	w.enter(query{Role: "entry", Has: p.words.word("confirm.edit.names.command")}, "echo two > out.txt")
	w.press("confirm.edit.send")
	question.gone()
	w.sees(p.words.word("confirm.again.edited"))
	if w.has(query{Role: "dialog", Name: runTitle}) {
		t.Error("the user's own edit is asked about in a dialog")
	}
	if p.exists("out.txt") {
		t.Error("an edit approved the command")
	}
	w.press("confirm.approve")
	w.sees("It ran.")
	if got := p.read("out.txt"); got != "two\n" {
		t.Errorf("out.txt is %q", got)
	}
	if got := p.model.sent(2); !strings.Contains(got, "edited") {
		t.Errorf("the model was not told of the edit: %q", got)
	}
}

// TestDESK03_SeveralOfOneReplyInAnyOrderAndTogether rejects the second of four first, and
// approves the others together once each was seen.
func TestDESK03_SeveralOfOneReplyInAnyOrderAndTogether(t *testing.T) {
	p := newPlace(t, `
call c1 write_file {"path":"one.txt","content":"1"}
call c2 write_file {"path":"two.txt","content":"2"}
call c3 shell {"command":"cat one.txt >three.txt"}
call c4 write_file {"path":"four.txt","content":"4"}
---
text As you decided.
`)
	w := p.open()
	w.ask("write them all")
	card := func(name string) query { return query{Role: "landmark", Has: name} }
	button := func(path, card string) query {
		return query{Role: "button", Name: w.words.word(path), Within: &query{Role: "landmark", Has: card}, States: []string{"sensitive"}}
	}
	w.find(card("one.txt"))
	w.dialog(changeTitle) // one at a time
	w.find(query{Has: "1 of 4"})
	w.click(button("confirm.next", "one.txt"))
	w.click(button("confirm.reject", "two.txt"))
	all := query{Role: "button", Name: w.words.word("confirm.approveAll", "n", "3")}
	w.find(query{Has: "2 of 3"})
	if all.States = []string{"sensitive"}; w.has(all) {
		t.Error("what was not looked at can be approved")
	}
	for _, name := range []string{"three.txt", "four.txt"} {
		w.find(button("confirm.approve", name))
		if name != "four.txt" {
			w.click(button("confirm.next", name))
		}
	}
	if p.exists("one.txt") || p.exists("three.txt") || p.exists("four.txt") {
		t.Error("something was done before anybody said so")
	}
	w.click(all)
	w.sees("As you decided.")
	for name, want := range map[string]string{"one.txt": "1", "two.txt": "", "three.txt": "1", "four.txt": "4"} {
		if got := p.read(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	w.gone(query{Role: "dialog", Name: changeTitle})
}
