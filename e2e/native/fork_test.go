//go:build e2e && linux

package native

import (
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// TestPRE09_ATaskIsSentAgainWithTheFilesAsTheyWere has a task done in the folder, adds files there, and says
// the task again with keys alone, with the files as they were: what follows is in a draft.
func TestPRE09_ATaskIsSentAgainWithTheFilesAsTheyWere(t *testing.T) {
	sandboxtest.NeedsFull(t) // which root never has: see build/e2e.sh
	for _, language := range []string{"en", "zh-CN"} {
		t.Run(language, func(t *testing.T) {
			p := newPlace(t, `
text Ready.
---
call c1 write_file {"path":"a.txt","content":"first way\n"}
call c2 delete_file {"path":"old.txt"}
call c3 write_file {"path":"made.txt","content":"x\n"}
---
text The first way is done.
---
call c4 shell {"command":"cat a.txt old.txt; ls; echo second way >a.txt"}
---
text The second way is done.
`)
			p.speak(language)
			p.write("a.txt", "begin\n")
			p.write("old.txt", "old\n")
			w := p.open()
			w.chooseMode("writes")
			w.ask("get ready")
			w.sees("Ready.")
			w.ask("do it")
			w.sees("The first way is done.")
			if p.read("a.txt") != "first way\n" || p.exists("old.txt") {
				t.Fatalf("a.txt is %q", p.read("a.txt"))
			}
			p.write("mine.txt", "theirs\n")
			p.write("yours.txt", "theirs\n")

			again := query{Role: "button", Name: w.words.word("transcript.fork.label")}
			w.goTo(again, "shift+Tab") // the last task comes first from below
			w.keys("Return")
			w.goTo(query{Role: "button", Name: w.words.word("transcript.fork.asItWas")}, "Tab")
			w.keys("Return")
			w.gone(query{Has: "The first way is done."})
			w.sees("Ready.")
			w.find(w.modeButton("draft"))
			w.find(query{Has: w.words.word("shell.draft.missing.other", "n", "2")})
			// The task is in the field, and the cursor too.
			w.keys("End")
			w.types(" another way")
			w.keys("Return")
			w.sees("The second way is done.")
			w.sees("do it another way")
			if p.read("a.txt") != "first way\n" || p.exists("old.txt") || p.read("mine.txt") != "theirs\n" {
				t.Errorf("the folder was changed: a.txt is %q", p.read("a.txt"))
			}
			apply := query{Role: "button", Name: w.words.word("shell.draft.apply"), States: []string{"sensitive"}}
			w.goTo(apply, "shift+Tab")
			w.keys("Return")
			eventually(t, "the draft is applied", patience, func() bool {
				return p.read("a.txt") == "second way\n" && p.exists("old.txt") && !p.exists("made.txt")
			})
			if p.read("mine.txt") != "theirs\n" {
				t.Errorf("mine.txt is %q", p.read("mine.txt"))
			}
		})
	}
}
