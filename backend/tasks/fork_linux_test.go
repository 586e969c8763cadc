//go:build !race

package tasks_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/sandboxtest"
)

// TestPRE09_AForkBeginsWithTheFilesAsTheyWere goes back to the second of three prompts, after the user
// has edited the folder too: the fork sees the files as they were, in a draft, and goes on from there;
// the conversation that it was forked from can be deleted.
func TestPRE09_AForkBeginsWithTheFilesAsTheyWere(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	d := openDrafted(t, b, folder, "", `
call c1 write_file {"path":"a.txt","content":"first\n"}
---
text First.
---
call c2 write_file {"path":"a.txt","content":"second\n"}
call c3 shell {"command":"rm b.txt; mkdir made; echo x >made/by.command; mv sub moved"}
---
text Second.
---
call c4 edit_file {"path":"a.txt","edits":[{"old":"second","new":"third"}]}
---
text Third.
`, false)
	d.SetApprove(approve.All)
	d.run("the first task")
	was := changetest.Snapshot(t, folder)
	second := d.run("the second task")[0].RunID
	d.run("the third task")
	put(t, folder, "mine.txt", "theirs\n")
	now := changetest.Snapshot(t, folder)
	changes, err := d.OpenChanges()
	must(t, err)
	fork, past, err := b.ForkAsItWas(t.Context(), changes, second)
	must(t, err)
	must(t, changes.Close())
	if diff := cmp.Diff([]change.Missing{{Path: "mine.txt", Why: change.AbsentOthers}}, past.Missing); diff != "" {
		t.Errorf("missing: %s", diff)
	}
	if fork.Parent != d.ID || fork.Title != "the first task (2)" {
		t.Errorf("the fork is %+v", fork)
	}
	d.close()
	must(t, b.Sessions.Delete(t.Context(), d.ID))

	branch := openDrafted(t, b, folder, fork.ID, `
call c5 shell {"command":"cat a.txt b.txt sub/c.txt mine.txt; ls"}
---
call c6 write_file {"path":"a.txt","content":"another way\n"}
---
text Done.
`, false)
	events := branch.run("another second task")
	requests := branch.model.Requests()
	for _, want := range []string{"the first task", "First.", "another second task", "the files are as they were then, but not mine.txt"} {
		if !strings.Contains(string(requests[0].Body), want) {
			t.Errorf("the model is told nothing of %q: %s", want, requests[0].Body)
		}
	}
	if strings.Contains(string(requests[0].Body), "the second task") {
		t.Errorf("the model is told what came later: %s", requests[0].Body)
	}
	if !strings.Contains(string(requests[1].Body), `first\ntwo\nthree\ntheirs\na.txt\nb.txt\nmine.txt\nsub\n`) {
		t.Errorf("the commands see %s", requests[1].Body)
	}
	if diff := cmp.Diff(now, changetest.Snapshot(t, folder)); diff != "" {
		t.Errorf("the folder was changed: %s", diff)
	}
	if opened, ok := events[1].Data.(event.DraftOpened); !ok || opened.Counts.Paths == 0 || opened.Conflicts > 0 {
		t.Errorf("the draft begins with %+v", events[1].Data)
	}
	applied := branch.apply()
	after := changetest.Snapshot(t, folder)
	if after["a.txt"].Content != "another way\n" || after["mine.txt"].Content != "theirs\n" {
		t.Errorf("applied: %+v", after)
	}
	for _, name := range []string{"b.txt", "sub", "sub/c.txt"} {
		if diff := cmp.Diff(was[name], after[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, err := os.Lstat(filepath.Join(folder, "made")); err == nil {
		t.Error("a folder is there that was made later")
	}
	if applied.RunID != events[0].RunID {
		t.Errorf("it counts as a change of run %s, not of %s", applied.RunID, events[0].RunID)
	}
	branch.close()
}

// TestPRE09_AForkOfATaskInADraftHasWhatWasInIt goes back to the second of two tasks in one draft: the fork has a
// draft of its own with what the first has left.
func TestPRE09_AForkOfATaskInADraftHasWhatWasInIt(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	before := changetest.Snapshot(t, folder)
	d := openDrafted(t, b, folder, "", `
call c1 write_file {"path":"a.txt","content":"first\n"}
call c2 shell {"command":"rm b.txt; mkdir made; echo x >made/by.command"}
---
text First.
---
call c3 shell {"command":"echo second >a.txt; rm -r made; echo back >b.txt"}
---
text Second.
`, false)
	d.run("the first task")
	second := d.run("the second task")[0].RunID
	changes, err := d.OpenChanges()
	must(t, err)
	fork, past, err := b.ForkAsItWas(t.Context(), changes, second)
	must(t, err)
	must(t, changes.Close())
	if len(past.Missing) > 0 || past.InDraft > 0 {
		t.Errorf("missing: %+v", past)
	}
	d.close()
	branch := openDrafted(t, b, folder, fork.ID, "call c4 shell {\"command\":\"cat a.txt made/by.command; ls\"}\n---\ntext Done.\n", false)
	branch.run("another second task")
	if !strings.Contains(branch.told(), `first\nx\na.txt\nmade\nsub\n`) {
		t.Errorf("the commands see %s", branch.told())
	}
	branch.apply()
	branch.close()
	after := changetest.Snapshot(t, folder)
	if _, there := after["b.txt"]; there || after["a.txt"].Content != "first\n" || after["made/by.command"].Content != "x\n" || after["sub/c.txt"] != before["sub/c.txt"] {
		t.Errorf("applied: %+v", after)
	}
	// The draft that it was forked from waits as before.
	again := openDrafted(t, b, folder, d.ID, "call c5 shell {\"command\":\"cat a.txt b.txt\"}\n---\ntext Done.\n", false)
	again.run("go on")
	if !strings.Contains(again.told(), `second\nback\n`) {
		t.Errorf("the commands of the other branch see %s", again.told())
	}
	again.close()
}

// TestPRE10_AFileWithKeysIsCoveredInAForkToo forks a conversation that has deleted one: the fork has it as it was,
// and its commands do not see that.
func TestPRE10_AFileWithKeysIsCoveredInAForkToo(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	put(t, folder, ".env", "OLD=1\n")
	must(t, os.Chmod(filepath.Join(folder, ".env"), 0o400))
	d := openDrafted(t, b, folder, "", "call c1 shell {\"command\":\"rm -f .env\"}\n---\ntext Done.\n", false)
	d.SetApprove(approve.All)
	first := d.run("delete it")[0].RunID
	changes, err := d.OpenChanges()
	must(t, err)
	fork, _, err := b.ForkAsItWas(t.Context(), changes, first)
	must(t, err)
	must(t, changes.Close())
	d.close()
	branch := openDrafted(t, b, folder, fork.ID, "call c2 shell {\"command\":\"cat .env; wc -c <.env\"}\n---\ntext Done.\n", false)
	branch.run("show it")
	if told := branch.told(); strings.Contains(told, "OLD=1") || !strings.Contains(told, `"0\\n`) && !strings.Contains(told, `0\n`) {
		t.Errorf("the commands see %s", told)
	}
	branch.apply()
	branch.close()
	if text, err := os.ReadFile(filepath.Join(folder, ".env")); err != nil || string(text) != "OLD=1\n" {
		t.Errorf("applied, it holds %q, %v", text, err)
	}
}

// apply applies all of the draft, and returns the set that it made.
func (d *drafted) apply() change.Set {
	d.Helper()
	changes, err := d.OpenChanges()
	must(d.T, err)
	draft, err := changes.ReviewDraft(d.Context())
	must(d.T, err)
	_, missed, err := changes.ApplyDraft(d.Context(), draft, func(int) bool { return true })
	if err != nil || missed > 0 {
		d.Fatalf("%d paths were missed, %v", missed, err)
	}
	sets, err := changes.Sets(d.Context())
	must(d.T, err)
	must(d.T, changes.Close())
	at := slices.IndexFunc(sets, func(s change.Set) bool { return s.Layer == draft.Draft.ID })
	if at < 0 {
		d.Fatalf("no set of the draft in %+v", sets)
	}
	return sets[at]
}

// TestPRE09_SoakAKilledForkIsThereOrNot kills forks with their files at random moments: each is there as a whole or
// not at all, and neither the folder nor what is kept for undo is touched.
func TestPRE09_SoakAKilledForkIsThereOrNot(t *testing.T) {
	sandboxtest.NeedsFull(t)
	tries := 10
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		tries = 100
	}
	k := &killing{T: t, folder: newFolder(t), data: filepath.Join(t.TempDir(), "data")}
	t.Cleanup(func() { must(t, overlay.RemoveAll(k.data)) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { k.model.Load().ServeHTTP(w, r) }))
	defer server.Close()
	k.url = server.URL + "/v1"
	was := changetest.Snapshot(t, k.folder)
	for _, script := range []string{"text Ready.\n", again} {
		k.model.Store(llmtest.Script(script))
		args := []string{"run", "--base-url", k.url, "--model", "m", "--approve", "all", "--workspace", k.folder, "do it"}
		if script == again {
			args = append(args, "--session", "last")
		}
		if said, err := k.say(args...); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	now := changetest.Snapshot(t, k.folder)
	fork := []string{"sessions", "fork", "last", "--task", "2", "--draft"}
	began := time.Now()
	line, err := k.say(fork...)
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	took := time.Since(began)
	want, err := k.say("drafts", "show")
	must(t, err)
	// A fork of the fork, at a task that both have, begins with the same.
	if said, err := k.say("sessions", "fork", "last", "--task", "1", "--draft", "--output", "json"); err != nil || !strings.Contains(said, `"draftId"`) {
		t.Errorf("a fork of the fork: %v: %s", err, said)
	}
	if again, err := k.say("drafts", "show"); err != nil || again != want {
		t.Errorf("a fork of the fork: %v: its draft holds\n%s\nwant\n%s", err, again, want)
	}
	parent := ""
	for _, one := range k.lines("sessions", "list") {
		if !strings.HasSuffix(one, ")  "+k.folder) {
			parent, _, _ = strings.Cut(one, " ")
		}
	}
	fork[2] = parent
	for range tries {
		k.killed(time.Duration(rand.Int64N(int64(took)*5/4)), fork...)
	}
	if diff := cmp.Diff(now, changetest.Snapshot(t, k.folder)); diff != "" {
		t.Errorf("the folder was changed: %s", diff)
	}
	drafts := k.lines("drafts")
	if sessions := k.lines("sessions", "list"); len(drafts) != len(sessions)-1 {
		t.Errorf("%d drafts of %d conversations", len(drafts), len(sessions))
	}
	for _, draft := range drafts {
		id, _, _ := strings.Cut(draft, " ")
		if got, err := k.say("drafts", "show", id); err != nil || got != want {
			t.Errorf("%v: the draft holds\n%s\nwant\n%s", err, got, want)
		}
	}
	t.Logf("%d of %d forks were made", len(drafts), tries+1)
	if said, err := k.say("undo", parent, "--run", "last"); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if diff := cmp.Diff(was, changetest.Snapshot(t, k.folder)); diff != "" {
		t.Errorf("taken back: %s", diff)
	}
}

// lines runs Fairlead, and returns the lines that it wrote.
func (k *killing) lines(args ...string) []string {
	k.Helper()
	output, err := exec.Command(sandboxtest.Program("fairlead"), append(args, "--data-dir", k.data)...).Output()
	must(k.T, err)
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}
