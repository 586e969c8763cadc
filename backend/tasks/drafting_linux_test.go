//go:build !race

package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// drafted is a conversation in the mode draft, with a scripted model.
type drafted struct {
	*testing.T
	*backend.Conversation
	backend *backend.Backend
	folder  string
	model   *llmtest.Server
}

// openDrafted opens a conversation on a folder; an empty id begins one.
func openDrafted(t *testing.T, b *backend.Backend, folder, id, script string, unsaved bool) *drafted {
	t.Helper()
	d := &drafted{T: t, backend: b, folder: folder, model: llmtest.Script(script)}
	server := httptest.NewServer(d.model)
	t.Cleanup(server.Close)
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: server.URL + "/v1", Model: "m"}, os.Getenv)
	must(t, err)
	d.Conversation, err = b.OpenConversation(t.Context(), backend.Task{
		Folder: folder, Session: id, Unsaved: unsaved, Endpoint: endpoint, Mode: session.React, Approve: approve.Draft,
		Limits: message.Limits{
			MaxSteps: 20, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1, ContinueOnError: true,
		},
	})
	must(t, err)
	return d
}

// run runs a prompt to its end, and returns the events.
func (d *drafted) run(prompt string) []event.Event {
	d.Helper()
	run, err := d.BeginRun(prompt)
	must(d.T, err)
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		d.Fatalf("the run ended %s: %v", result.Reason, result.Err)
	}
	events, err := run.Events.Since(context.Background(), 0)
	must(d.T, err)
	return events
}

func (d *drafted) close() { must(d.T, d.Close(context.Background())) }

// told is what the model was told in its last request.
func (d *drafted) told() string {
	requests := d.model.Requests()
	return string(requests[len(requests)-1].Body)
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
	must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
}

func newFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "folder")
	put(t, folder, "a.txt", "one\n")
	put(t, folder, "b.txt", "two\n")
	put(t, folder, "sub/c.txt", "three\n")
	return folder
}

// TestPRE06_ADraftGoesOnFromRunToRun works in a draft in three runs, of two processes, while the
// user works in the folder.
func TestPRE06_ADraftGoesOnFromRunToRun(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	before := changetest.Snapshot(t, folder)
	d := openDrafted(t, b, folder, "", `
call c1 write_file {"path":"a.txt","content":"draft\n"}
call c2 shell {"command":"cat a.txt; mv sub moved"}
call c3 read_file {"path":"moved/c.txt"}
call c4 search_files {"pattern":"three"}
---
text First.
---
call c5 shell {"command":"cat a.txt b.txt moved/c.txt"}
call c6 read_file {"path":"b.txt"}
---
call c7 edit_file {"path":"b.txt","edits":[{"old":"theirs","new":"edited"}]}
---
text Second.
`, false)
	events := d.run("first")
	for _, want := range []string{"draft\\\\n", "three", "moved/c.txt:1", "(changed in the folder: created moved, created moved/c.txt, deleted sub, deleted sub/c.txt)"} {
		if !strings.Contains(d.told(), want) {
			t.Errorf("the model is told nothing of %q: %s", want, d.told())
		}
	}
	opened, isOpened := events[1].Data.(event.DraftOpened)
	changed, isChanged := events[len(events)-2].Data.(event.DraftChanged)
	if !isOpened || !isChanged || opened.DraftID != changed.DraftID || opened.Counts.Paths != 0 || changed.Counts != (event.DraftCounts{Paths: 5, Deleted: 2}) {
		t.Errorf("the events: %+v, %+v", events[1].Data, events[len(events)-2].Data)
	}
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Error(diff)
	}
	// What the user changes is seen in the next run, and is a conflict where the draft is changed.
	put(t, folder, "b.txt", "theirs\n")
	d.run("second")
	if !strings.Contains(d.told(), `draft\ntheirs\nthree`) {
		t.Errorf("the second run sees %s", d.told())
	}
	d.close()
	var refused *message.Refusal
	if err := b.Sessions.Delete(t.Context(), d.ID); !errors.As(err, &refused) || refused.Code != message.InvalidState {
		t.Errorf("a conversation with a draft was deleted: %v", err)
	}
	again := openDrafted(t, b, folder, d.ID, "call c8 shell {\"command\":\"cat b.txt; rm b.txt\"}\n---\ntext Third.\n", false)
	again.run("third")
	if !strings.Contains(again.told(), "edited") {
		t.Errorf("the third run sees %s", again.told())
	}
	// What is decided about while the conversation is open is what is decided about later.
	changes, err := again.OpenChanges()
	must(t, err)
	draft, err := changes.ReviewDraft(t.Context())
	must(t, err)
	if len(draft.Collisions) > 0 {
		t.Errorf("collisions: %v", draft.Collisions)
	}
	_, _, err = changes.ApplyDraft(t.Context(), draft, func(int) bool { return true })
	must(t, err)
	must(t, changes.Close())
	after := changetest.Snapshot(t, folder)
	if _, there := after["b.txt"]; there || after["a.txt"].Content != "draft\n" || after["moved/c.txt"] != before["sub/c.txt"] {
		t.Errorf("the folder has %+v", after)
	}
	// It is one set, which is taken back as a whole.
	changes, err = again.OpenChanges()
	must(t, err)
	sets, err := changes.Sets(t.Context())
	must(t, err)
	if len(sets) != 1 || sets[0].Layer != draft.Draft.ID {
		t.Errorf("%d sets: %+v", len(sets), sets)
	}
	plan, err := changes.PlanUndo(t.Context(), change.Scope{Runs: []string{sets[0].RunID}})
	must(t, err)
	_, _, err = changes.CarryOut(t.Context(), plan)
	must(t, err)
	must(t, changes.Close())
	back := changetest.Snapshot(t, folder)
	if back["b.txt"].Content != "theirs\n" {
		t.Errorf("b.txt is %+v", back["b.txt"])
	}
	back["b.txt"] = before["b.txt"]
	if diff := cmp.Diff(before, back); diff != "" {
		t.Error(diff)
	}
	again.close()
}

// TestPRE07_WhatRunsInTheBackgroundOfADraftEndsWithIt leaves a command in the background.
func TestPRE07_WhatRunsInTheBackgroundOfADraftEndsWithIt(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	d := openDrafted(t, b, folder, "", `
call c1 shell_start {"command":"while :; do cat a.txt >seen; sleep 0.01; done"}
call c2 write_file {"path":"a.txt","content":"draft\n"}
call c3 shell {"command":"until grep -q draft seen; do sleep 0.01; done; echo it was seen"}
---
text Runs.
---
call c4 shell_status {"processId":"p1"}
call c5 shell {"command":"cat a.txt"}
---
text Still runs.
`, false)
	defer d.close()
	d.run("begin")
	if !strings.Contains(d.told(), "it was seen") {
		t.Fatalf("the command in the background saw nothing: %s", d.told())
	}
	d.run("go on")
	if !strings.Contains(d.told(), "p1, running") || !strings.Contains(d.told(), "draft") {
		t.Errorf("the second run sees %s", d.told())
	}
	changes, err := d.OpenChanges()
	must(t, err)
	defer func() { must(t, changes.Close()) }()
	if !d.DraftRuns() {
		t.Error("nobody says that something runs in the draft")
	}
	draft, err := changes.ReviewDraft(t.Context())
	must(t, err)
	if d.DraftRuns() {
		t.Error("something runs in the draft when it is reviewed")
	}
	for _, job := range d.Jobs.List() {
		if job.Running {
			t.Errorf("%s still runs when the draft is reviewed", job.ID)
		}
	}
	_, _, err = changes.ApplyDraft(t.Context(), draft, func(int) bool { return true })
	must(t, err)
	applied := changetest.Snapshot(t, folder)
	// The command may have been ended between two of its steps.
	if seen := applied["seen"].Content; applied["a.txt"].Content != "draft\n" || seen != "draft\n" && seen != "" {
		t.Errorf("the folder has %+v", applied)
	}
}

// TestPRE08_WhereThereCanBeNoDraftNothingIsRun refuses a run, and says why.
func TestPRE08_WhereThereCanBeNoDraftNothingIsRun(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	d := openDrafted(t, b, folder, "", "text Done.\n", true)
	defer d.close()
	var refused *message.Refusal
	if _, err := d.BeginRun("go"); !errors.As(err, &refused) || !strings.Contains(fmt.Sprint(err), "not saved") {
		t.Errorf("a conversation that is not saved: %v", err)
	}
	// Without the program that confines commands nothing is confined.
	folders, err := settings.FindFolders(filepath.Join(t.TempDir(), "state"))
	must(t, err)
	unconfined, err := backend.Open(backend.Options{Folders: folders, LogLevel: "info", Helper: filepath.Join(folder, "none")})
	must(t, err)
	defer func() { must(t, unconfined.Close(context.Background())) }()
	before := changetest.Snapshot(t, folder)
	other := openDrafted(t, unconfined, folder, "", "call c1 write_file {\"path\":\"a.txt\",\"content\":\"x\"}\n---\ntext Done.\n", false)
	defer other.close()
	if _, err := other.BeginRun("go"); !errors.As(err, &refused) || !strings.Contains(fmt.Sprint(err), "not fully confined") {
		t.Errorf("where commands are not confined: %v", err)
	}
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" || len(other.model.Requests()) > 0 {
		t.Errorf("something was done: %s, %d requests", diff, len(other.model.Requests()))
	}
}
