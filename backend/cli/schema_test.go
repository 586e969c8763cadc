//go:build !race

// Thousands of messages take the race detector many times as long, and one goroutine reads them.

package cli_test

import (
	"compress/bzip2"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// longConversation puts a database with 5,000 messages, which a build of a schema wrote,
// where the program finds it. Its conversation is s1, of the workspace.
func (p *place) longConversation(schema int) {
	p.t.Helper()
	packed, err := os.Open(fmt.Sprintf("../store/testdata/long%d.db.bz2", schema))
	p.must(err)
	defer func() { _ = packed.Close() }() // it is only read
	text, err := io.ReadAll(bzip2.NewReader(packed))
	p.must(err)
	folder := filepath.Join(p.root, "xdg", "data", "fairlead")
	p.must(os.MkdirAll(folder, 0o700))
	path := filepath.Join(folder, "fairlead.db")
	p.must(os.WriteFile(path, text, 0o600))
	workspace, err := filepath.EvalSymlinks(p.workspace)
	p.must(err)
	db, err := sql.Open("sqlite", path)
	p.must(err)
	_, err = db.Exec("UPDATE sessions SET workspace = ?", workspace)
	p.must(err)
	p.must(db.Close())
}

// sessions is what a command on saved conversations writes.
func (p *place) sessions(args ...string) string {
	p.t.Helper()
	out, _ := p.output(append([]string{"sessions"}, args...)...)
	return out
}

func TestPART04_DatabasesOfEverySchemaAreShownAndContinued(t *testing.T) {
	for schema := 1; schema <= 6; schema++ {
		t.Run(fmt.Sprintf("schema %d", schema), func(t *testing.T) {
			t.Parallel()
			// The images in them are a few bytes, for a model that does not see.
			p := newPlace(t, `when "image_url"
status 400 {"error":{"message":"this is not a multimodal model"}}
---
text Done once more.`)
			p.longConversation(schema)
			p.shown(schema)
			p.start("--session", "s1").ends(0)
			p.counted(5002)
			requests := p.server.Requests()
			request := string(requests[len(requests)-1].Body)
			for _, words := range []string{"Task 249", "output 4994", "exit code 1", "do it"} {
				if !strings.Contains(request, words) {
					t.Errorf("the model is not shown %q", words)
				}
			}
			if schema > 4 && !strings.Contains(request, "[image: a249.png, image/png, 6 bytes]") {
				t.Error("the model is shown no mark of an image")
			}
		})
	}
}

// counted checks that the conversation is shown with so many messages, and returns it. It
// is not decoded, which takes long under the race detector.
func (p *place) counted(messages int) string {
	p.t.Helper()
	whole := p.sessions("show", "s1", "--output", "json")
	if got := strings.Count(whole, `"role":`); got != messages {
		p.t.Errorf("%d messages are shown, want %d", got, messages)
	}
	return whole
}

// shown checks that the conversation is shown and exported whole.
func (p *place) shown(schema int) {
	p.t.Helper()
	whole := p.counted(5000)
	text := p.sessions("export", "s1")
	for _, words := range []string{"Task 0\n", "output 4994\n", "CANCELLED: cancelled", "Reply 249"} {
		if !strings.Contains(text, words) {
			p.t.Errorf("%q is not exported", words)
		}
	}
	events := p.sessions("export", "s1", "--form", "jsonl")
	if got := strings.Count(events, `"type":"lifecycle.start"`); got != 250 {
		p.t.Errorf("%d runs are exported, want 250", got)
	}
	if schema < 5 {
		return
	}
	if !strings.Contains(text, "\n[image: a3.png, image/png, 6 bytes]\n") || !strings.Contains(whole, `"iVBORw0K"`) {
		p.t.Error("an image is not exported")
	}
}
