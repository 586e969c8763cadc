package cli_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm"
)

// leaving is a run of all that leaves something for a moment outside the data folder, and of
// processes that stay.
const leaving = `
reasoning I look at it
chunk first
wait 4ms
chunk " words"
call c1 read_file {"path":"note.txt"}
call c2 write_file {"path":"new/deep/note.txt","content":"new\n"}
call c3 write_file {"path":"large.txt","content":"LARGE"}
---
text I edit it.
call c4 edit_file {"path":"note.txt","edits":[{"old":"a note","new":"edited"}]}
call c5 shell_start {"command":"sleep 1000"}
---
call c6 shell {"command":"echo ran>> ran.txt && start /b sleep 1000 && sleep 0.02 && echo done"}
---
chunk It is
wait 4ms
chunk " finished."
`

// large is what large.txt becomes.
var large = strings.Repeat("large\n", 50_000)

// TestREL04_SoakATerminatedRunLeavesNothing terminates the program at random moments and looks at
// what is left of it: no process, and after the next start all that was shown, and nothing but
// what was asked for.
func TestREL04_SoakATerminatedRunLeavesNothing(t *testing.T) {
	kills := 5
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		kills = 100
	}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	span := patience // until it is known how long a run takes
	all := map[string]int{}
	for i := 0; i < kills; {
		moment := span
		if span < patience {
			moment = time.Duration(random.Int64N(int64(span)))
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			killed, took, seen := terminate(t, moment)
			if killed {
				i++
			} else {
				span = took
			}
			for _, kind := range seen {
				all[kind]++
			}
		})
		if t.Failed() {
			t.Fatalf("seed %d: run %d, terminated after %v of %v", seed, i, moment, span)
		}
	}
	t.Logf("%d runs terminated within %v; found after them, before the next start: %v", kills, span, all)
}

// terminate terminates a run some time after its start, and looks at what is left of it. It
// reports whether the run had not ended by then, and returns how long that took, and what there
// was before the next start that nobody had asked for.
func terminate(t *testing.T, after time.Duration) (killed bool, took time.Duration, seen []string) {
	t.Helper()
	c := newCrashed(t, llm.ChatCompletions, strings.Replace(leaving, "LARGE", strings.ReplaceAll(large, "\n", `\n`), 1))
	began := time.Now()
	killed = c.runFor(after)
	took = time.Since(began)
	c.eventually("no process is left", func() bool { return len(runningWith(c.root)) == 0 })
	for _, name := range c.unasked() {
		if strings.HasPrefix(filepath.Base(name), ".fairlead-") {
			name = "….tmp"
		}
		seen = append(seen, name)
	}
	c.check()
	if len(c.shown) == 0 { // else that has gone on with it
		c.server.Play("text Let us see.\n")
		c.fairlead(c.task()...)
	}
	if left := c.unasked(); len(left) > 0 {
		t.Errorf("after the next start there is %q", left)
	}
	for name, wanted := range map[string][]string{
		"note.txt": {"a note\n", "edited\n"}, "large.txt": {"", large}, "new/deep/note.txt": {"", "new\n"},
	} {
		if got := c.read(name); !slices.Contains(wanted, got) {
			t.Errorf("%s holds %d bytes", name, len(got))
		}
	}
	return killed, took, seen
}

// unasked is what lies in the workspace and in the folder for temporary files and was not there
// before, nor is it what the run is told to make.
func (c *crashed) unasked() (found []string) {
	c.t.Helper()
	asked := []string{"ws", ".tmp", "ws/note.txt", "ws/large.txt", "ws/ran.txt"}
	if c.read("new/deep/note.txt") != "" {
		asked = append(asked, "ws/new", "ws/new/deep", "ws/new/deep/note.txt")
	}
	for _, folder := range []string{"ws", ".tmp"} {
		err := filepath.WalkDir(filepath.Join(c.root, folder), func(path string, _ fs.DirEntry, err error) error {
			name, _ := filepath.Rel(c.root, path)
			if name = filepath.ToSlash(name); !slices.Contains(asked, name) {
				found = append(found, name)
			}
			return err
		})
		c.must(err)
	}
	return found
}
