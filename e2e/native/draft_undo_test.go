//go:build e2e && linux

package native

import (
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// TestPRE06_WhatARunDidInADraftIsUndoneThere has two tasks done in a draft, undoes the second one there and
// makes it again, with keys alone, undoes it once more, and applies what the first has left.
func TestPRE06_WhatARunDidInADraftIsUndoneThere(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	for _, language := range []string{"en", "zh-CN"} {
		t.Run(language, func(t *testing.T) {
			p := newPlace(t, `
call c1 write_file {"path":"kept.txt","content":"first\n"}
---
text The first task is done.
---
call c2 shell {"command":"echo second >>kept.txt; rm old.txt; echo x >made.txt"}
---
text The second task is done.
`)
			p.speak(language)
			p.write("old.txt", "old\n")
			w := p.open()
			w.chooseMode("draft")
			w.ask("the first task")
			w.sees("The first task is done.")
			w.ask("the second task")
			w.sees("The second task is done.")
			inDraft := func(n string) {
				w.find(query{Has: w.words.word("confirm.changes.counts.created.other", "n", n) + " · "})
			}
			inDraft("2")

			push := func(button string) {
				w.goTo(query{Role: "button", Name: w.words.word(button), States: []string{"sensitive"}}, "Tab")
				w.keys("Return")
			}
			agree := func(button, left string) {
				w.find(query{Has: w.words.word("review.plan.files.other", "n", "3")})
				push(button)
				inDraft(left)
			}
			w.keys("ctrl+z") // the last run is what it is about
			agree("review.plan.undo", "1")
			push("review.redoRun")
			agree("review.plan.redo", "2")
			push("review.undoRun")
			agree("review.plan.undo", "1")
			if p.exists("kept.txt") || !p.exists("old.txt") {
				t.Error("the folder was changed")
			}
			w.goTo(query{Role: "button", Name: w.words.word("shell.draft.apply"), States: []string{"sensitive"}}, "shift+Tab")
			w.keys("Return")
			eventually(t, "the draft is applied", patience, func() bool { return p.exists("kept.txt") })
			if p.read("kept.txt") != "first\n" || p.read("old.txt") != "old\n" || p.exists("made.txt") {
				t.Errorf("applied: kept.txt is %q", p.read("kept.txt"))
			}
		})
	}
}
