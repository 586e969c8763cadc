//go:build !race

package tasks_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/sandboxtest"
)

// TestPRE06_CallsAreTakenBackInADraft takes back calls of two runs in a draft, one by one and all, by the
// command line, and makes them again. The folder stays as it is until the draft is applied.
func TestPRE06_CallsAreTakenBackInADraft(t *testing.T) {
	sandboxtest.NeedsFull(t)
	k := &killing{T: t, folder: newFolder(t), data: filepath.Join(t.TempDir(), "data")}
	t.Cleanup(func() { must(t, overlay.RemoveAll(k.data)) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { k.model.Load().ServeHTTP(w, r) }))
	defer server.Close()
	k.url = server.URL + "/v1"
	say := func(want string, args ...string) string {
		t.Helper()
		said, err := k.say(append(args, "--workspace", k.folder)...)
		if err != nil || !strings.Contains(said, want) {
			t.Fatalf("%q: %v\n%s\nnot in it: %q", args, err, said, want)
		}
		return said
	}
	before := changetest.Snapshot(t, k.folder)
	run := func(script string) string {
		t.Helper()
		k.model.Store(llmtest.Script(script))
		return say("", "run", "--base-url", k.url, "--model", "m", "--approve", "draft", "--session", "last", "--output", "jsonl", "go on")
	}
	k.model.Store(llmtest.Script(`
call c1 write_file {"path":"a.txt","content":"first\n"}
---
call c2 shell {"command":"rm -r sub; echo x >made; echo draft >>b.txt"}
---
call c3 shell {"command":"echo more >>a.txt; echo again >>b.txt"}
---
text First.
`))
	say("", "run", "--base-url", k.url, "--model", "m", "--approve", "draft", "--output", "jsonl", "do it")
	say("Nothing was changed.", "changes")
	listed := say("  command c3\n", "changes", "--draft")
	for _, want := range []string{"call c1\n", "command c2\n", "delete  sub/c.txt", "create  made (+1", "modify  b.txt (+1"} {
		if !strings.Contains(listed, want) {
			t.Errorf("%q is not listed:\n%s", want, listed)
		}
	}
	say("+again\n", "changes", "--draft", "--patch")
	say("Taken back", "undo", "--draft", "--call", "c3")
	seen := run(`
call c4 shell {"command":"cat a.txt b.txt; ls"}
---
call c5 shell {"command":"rm a.txt; echo y >made"}
---
text Second.
`)
	if want := `first\ntwo\ndraft\na.txt\nb.txt\n`; !strings.Contains(seen, want) {
		t.Errorf("the next run sees %s", seen)
	}
	if requests := k.model.Load().Requests(); !strings.Contains(string(requests[0].Body), "b.txt") {
		t.Errorf("the model is not told: %s", requests[0].Body)
	}
	say("Taken back", "undo", "--draft", "--run", "last")
	say("Made again", "redo", "--draft", "--call", "c3")
	if diff := cmp.Diff(before, changetest.Snapshot(t, k.folder)); diff != "" {
		t.Errorf("the folder was changed: %s", diff)
	}
	if said, err := k.say("drafts", "apply"); err != nil || !strings.HasPrefix(said, "Applied") {
		t.Fatalf("applied: %v, %s", err, said)
	}
	after := changetest.Snapshot(t, k.folder)
	for name, want := range map[string]string{"a.txt": "first\nmore\n", "b.txt": "two\ndraft\nagain\n", "made": "x\n", "sub/c.txt": ""} {
		if after[name].Content != want {
			t.Errorf("%s is %q", name, after[name].Content)
		}
	}
	if said, err := k.say("undo", "--draft", "--run", "last", "--workspace", k.folder); err == nil || !strings.Contains(said, "NOT_FOUND: the conversation has no draft") {
		t.Errorf("without a draft: %v, %s", err, said)
	}
}
