package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reading is a model that reads two long files and answers, with a summary between if
// it is asked for one.
func reading(t *testing.T, replies ...string) *place {
	t.Helper()
	p := newPlace(t, strings.Join(replies, "\n---\n"))
	for _, name := range []string{"a.txt", "b.txt"} {
		var lines strings.Builder
		for i := range 400 {
			fmt.Fprintf(&lines, "line %d of %s\n", i, name)
		}
		p.write(name, lines.String())
	}
	return p
}

// lastRequest is what the model was sent last.
func (p *place) lastRequest() string {
	requests := p.server.Requests()
	return string(requests[len(requests)-1].Body)
}

const (
	readA = `call c1 read_file {"path":"a.txt"}`
	readB = `call c2 read_file {"path":"b.txt"}`
)

func TestCTX02_TheWindowOfTheModel(t *testing.T) {
	t.Parallel()
	const window = "6000"
	t.Run("known", func(t *testing.T) {
		t.Parallel()
		p := reading(t, readA, readB, "text I have read a.txt.", "text done")
		run := p.written("--context-window", window)
		run.exits(0)
		if !strings.Contains(run.trouble.String(), "\n(older messages were summed up: ") || run.out.String() != "done\n" {
			t.Errorf("standard error %q, standard output %q", run.trouble.String(), run.out.String())
		}
		if body := p.lastRequest(); !strings.Contains(body, "I have read a.txt.") || strings.Contains(body, "line 7 of a.txt") {
			t.Errorf("the model was sent %s", body)
		}
	})
	t.Run("known and not to be minded", func(t *testing.T) {
		t.Parallel()
		run := reading(t, readA, readB, "text done").start("--context-window", window, "--no-compact")
		if usage := run.await("usage"); usage.Data["window"] != 6000.0 {
			t.Errorf("the window: %v", usage.Data)
		}
		run.ends(0)
	})
	t.Run("not known", func(t *testing.T) {
		t.Parallel()
		run := reading(t, readA, readB, "text done").start()
		if usage := run.await("usage"); usage.Data["window"] != nil {
			t.Errorf("the window: %v", usage.Data)
		}
		run.ends(0)
	})
}

const tooLong = `status 400 {"error":{"message":"This model's maximum context length is 9000 tokens.","code":"context_length_exceeded"}}`

func TestCTX02_AConversationThatIsTooLong(t *testing.T) {
	t.Parallel()
	t.Run("is summed up", func(t *testing.T) {
		t.Parallel()
		p := reading(t, readA, readB, tooLong, "text I have read a.txt.", "text done")
		p.start().ends(0)
		learned, err := os.ReadFile(filepath.Join(p.root, "xdg", "state", "fairlead", "windows.json"))
		if err != nil || !strings.Contains(string(learned), "9000") {
			t.Errorf("what is remembered: %s, %v", learned, err)
		}
	})
	t.Run("ends the run", func(t *testing.T) {
		t.Parallel()
		run := reading(t, readA, tooLong).start("--no-compact")
		if end := run.ends(1); end.field("reason") != "context_overflow" || end.field("code") != "CONTEXT_OVERFLOW" {
			t.Errorf("the end: %v", end.Data)
		}
	})
}
