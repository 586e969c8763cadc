//go:build e2e && linux

package native

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// scene is a change that is seen in the row of its call, in the review, after a restart, and is
// taken back.
type scene struct {
	name, script, dialog string
	// row is what the review says of it beside the path, and detail what it shows.
	row, detail string
	// isDone reports whether the change is there.
	isDone func(p *place) bool
}

var scenes = []scene{
	{
		name: "an approved edit", dialog: changeTitle,
		script: `call c0 read_file {"path":"a.txt"}
---
call c1 edit_file {"path":"a.txt","edits":[{"old":"two","new":"zwei"}]}`,
		row: "+1 −1", detail: "zwei",
		isDone: func(p *place) bool { return p.read("a.txt") == "one\nzwei\n" },
	},
	{
		name: "a delete by a command", dialog: runTitle, script: `call c1 shell {"command":"rm a.txt"}`,
		row: "deleted", detail: "two",
		isDone: func(p *place) bool { return !p.exists("a.txt") },
	},
	{
		name: "a rename by a command", dialog: runTitle, script: `call c1 shell {"command":"mv a.txt b.txt"}`,
		row: "moved", detail: "Moved from a.txt.",
		isDone: func(p *place) bool { return p.exists("b.txt") && !p.exists("a.txt") },
	},
	{
		name: "a change of mode by a command", dialog: runTitle, script: `call c1 shell {"command":"chmod 755 a.txt"}`,
		row: "mode", detail: "Permissions 644 → 755",
		isDone: func(p *place) bool {
			info, err := os.Stat(filepath.Join(p.workspace, "a.txt"))
			p.must(err)
			return info.Mode().Perm() == 0o755
		},
	},
}

func TestDESK02_ScenesOfChanges(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			p := newPlace(t, s.script+"\n---\ntext Done.\n")
			p.write("a.txt", "one\ntwo\n")
			p.must(os.Chmod(filepath.Join(p.workspace, "a.txt"), 0o644))
			w := p.open()
			w.ask("change it")
			w.dialog(s.dialog).press(approve)
			w.sees("Done.")
			if !s.isDone(p) {
				t.Fatal("it was not changed")
			}
			side := query{Role: "landmark", Name: p.words.word("shell.desk.label")}
			w.find(query{Has: s.row, Within: &side})
			w.find(query{Has: s.detail, Within: &side})
			w.close()
			w.exits(patience)

			w = p.open()
			w.find(query{Has: s.row, Within: &side})
			w.find(query{Has: s.detail, Within: &side})
			w.push(query{Role: "button", Name: p.words.word("review.undoRun"), Within: &side})
			w.push(query{Role: "button", Name: p.words.word("review.plan.undo"), Within: &side})
			w.find(query{Has: p.words.word("review.states.undone"), Within: &side})
			if s.isDone(p) || p.read("a.txt") != "one\ntwo\n" {
				t.Error("it was not taken back")
			}
			w.push(query{Role: "button", Name: p.words.word("review.redoRun"), Within: &side})
			w.push(query{Role: "button", Name: p.words.word("review.plan.redo"), Within: &side})
			for until := time.Now().Add(patience); !s.isDone(p); pause() {
				if time.Now().After(until) {
					t.Fatal("it was not made again")
				}
			}
		})
	}
}
