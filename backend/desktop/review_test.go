package desktop_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
)

// changing is a run that changes a file twice, makes one and deletes one.
const changing = `call c1 write_file {"path":"a.txt","content":"one\ntwo\n"}
---
call c2 write_file {"path":"a.txt","content":"one\nthree\n"}
call c3 write_file {"path":"new.txt","content":"new\n"}
call c4 delete_file {"path":"old.txt"}
---
text Changed.`

// changed has a run change something.
func changed(t *testing.T, script string) (*stage, desktop.Started) {
	t.Helper()
	s := open(t, script, nil)
	s.ready()
	s.put("a.txt", "one\n")
	s.put("old.txt", "old\n")
	if _, err := service[*desktop.Sessions](s).SetApprove("", "writes"); err != nil {
		t.Fatal(err)
	}
	started := s.run("change it")
	s.awaitEnd(started.RunID)
	return s, started
}

func (s *stage) put(name, content string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(content), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// contents are the files of the folder.
func (s *stage) contents() map[string]string {
	s.t.Helper()
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		s.t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(s.folder, e.Name()))
		if err != nil {
			s.t.Fatal(err)
		}
		found[e.Name()] = string(text)
	}
	return found
}

// holds fails if the folder holds anything else.
func (s *stage) holds(want map[string]string) {
	s.t.Helper()
	found := s.contents()
	for name, text := range want {
		if found[name] != text {
			s.t.Errorf("%s holds %q, not %q", name, found[name], text)
		}
	}
	if len(found) != len(want) {
		s.t.Errorf("the folder holds %v", found)
	}
}

func (s *stage) review(runID string) (review desktop.Review) {
	s.t.Helper()
	s.read("/fairlead/runs/"+runID+"/changes", &review)
	return review
}

// states are the rows of a review: what was done to each path, and what has become of it.
func (s *stage) states(runID string) map[string]string {
	s.t.Helper()
	states := map[string]string{}
	for _, row := range s.review(runID).Rows {
		states[row.Path] = row.Op + " " + row.State
	}
	return states
}

func (s *stage) shows(runID string, want map[string]string) {
	s.t.Helper()
	found := s.states(runID)
	for path, state := range want {
		if found[path] != state {
			s.t.Errorf("%s is %q, not %q", path, found[path], state)
		}
	}
	if len(found) != len(want) {
		s.t.Errorf("the review: %v", found)
	}
}

// row is the row of a path.
func (s *stage) row(runID, path string) desktop.ReviewRow {
	s.t.Helper()
	for _, row := range s.review(runID).Rows {
		if row.Path == path {
			return row
		}
	}
	s.t.Fatalf("no row for %s", path)
	return desktop.ReviewRow{}
}

func (s *stage) undo(task desktop.UndoTask) desktop.Undone {
	s.t.Helper()
	undone, err := service[*desktop.Changes](s).Undo(task)
	if err != nil {
		s.t.Fatal(err)
	}
	return undone
}

// plan reads what an undo would do.
func (s *stage) plan(runID string, query url.Values) map[string]desktop.UndoStep {
	s.t.Helper()
	var plan desktop.UndoPlan
	s.read("/fairlead/runs/"+runID+"/undo?"+query.Encode(), &plan)
	steps := map[string]desktop.UndoStep{}
	for _, step := range plan.Steps {
		steps[step.Path] = step
	}
	return steps
}

func TestDESK02_TheReviewOfARunIsRead(t *testing.T) {
	s, run := changed(t, changing)
	after := map[string]string{"a.txt": "one\nthree\n", "new.txt": "new\n"}
	s.holds(after)
	applied := map[string]string{"a.txt": "modify applied", "new.txt": "create applied", "old.txt": "delete applied"}
	s.shows(run.RunID, applied)
	row := s.row(run.RunID, "a.txt")
	if row.Added != 1 || row.Removed != 0 || strings.Join(row.Calls, " ") != "c1 c2" || row.Command || row.Kind != "file" {
		t.Errorf("a.txt: %+v", row)
	}
	var text desktop.ReviewText
	s.read("/fairlead/runs/"+run.RunID+"/changes/"+row.ID, &text)
	if want := "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,2 @@\n one\n+three\n"; !text.Text || text.Diff != want || !text.Hunks {
		t.Errorf("the text: %+v", text)
	}
	var call desktop.ReviewText
	set, _, _ := strings.Cut(row.ID, "/")
	s.read("/fairlead/runs/"+run.RunID+"/sets/"+set+"?path=a.txt", &call)
	if want := "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,2 @@\n one\n+two\n"; !call.Text || call.Diff != want {
		t.Errorf("the text of the first call: %+v", call)
	}
	for _, wrong := range []string{"/sets/none?path=a.txt", "/sets/" + set + "?path=b.txt", "/changes/none/0", "/changes/" + row.ID + "9", "/changes/x/y", "/undo?row=x"} {
		if answer := s.get("/fairlead/runs/" + run.RunID + wrong); answer.Code != http.StatusUnprocessableEntity {
			t.Errorf("GET %s: %d %s", wrong, answer.Code, answer.Body)
		}
	}

	if rows := s.review("gone").Rows; len(rows) != 0 {
		t.Errorf("a run that is gone: %v", rows)
	}

	// After a restart it is the same, and can be taken back without the conversation being open.
	s = s.again()
	s.shows(run.RunID, applied)
	if plan := s.plan("gone", nil); len(plan) != 0 {
		t.Errorf("the plan for a run that is gone: %v", plan)
	}
	if plan := s.plan(run.RunID, nil); plan["a.txt"].Becomes != "changes" || plan["new.txt"].Becomes != "goes" || plan["old.txt"].Becomes != "returns" {
		t.Errorf("the plan: %+v", plan)
	}
	if undone := s.undo(desktop.UndoTask{RunID: run.RunID}); undone != (desktop.Undone{Paths: 3}) {
		t.Errorf("undone: %+v", undone)
	}
	s.screen.await(t, "the undo", ofType(event.TypeJournalUndone))
	s.holds(map[string]string{"a.txt": "one\n", "old.txt": "old\n"})
	s.shows(run.RunID, map[string]string{"a.txt": "modify undone", "new.txt": "create undone", "old.txt": "delete undone"})
	s.undo(desktop.UndoTask{RunID: run.RunID, Redo: true})
	s.screen.await(t, "the redo", ofType(event.TypeJournalRedone))
	s.holds(after)
	s.shows(run.RunID, applied)

	// The page may ask once more while the conversation is being deleted.
	if _, err := service[*desktop.Sessions](s).Delete(run.SessionID); err != nil {
		t.Fatal(err)
	}
	if rows := s.review(run.RunID).Rows; len(rows) != 0 {
		t.Errorf("a run that was deleted: %v", rows)
	}
}

func TestCHG05_ScopesOfTheWindow(t *testing.T) {
	s, run := changed(t, changing+`
---
call c5 write_file {"path":"later.txt","content":"later\n"}
---
text And more.
---
text Seen.`)
	second := s.goOn(run.SessionID, "go on")
	s.awaitEnd(second.RunID)
	whole := s.contents()
	s.undo(desktop.UndoTask{RunID: run.RunID, CallID: "c2"})
	s.holds(map[string]string{"a.txt": "one\ntwo\n", "new.txt": "new\n", "later.txt": "later\n"})
	s.undo(desktop.UndoTask{RunID: run.RunID, CallID: "c2", Redo: true})
	s.holds(whole)
	s.undo(desktop.UndoTask{RunID: run.RunID, Row: s.row(run.RunID, "a.txt").ID})
	s.holds(map[string]string{"a.txt": "one\n", "new.txt": "new\n", "later.txt": "later\n"})
	s.undo(desktop.UndoTask{RunID: run.RunID, Since: true})
	s.holds(map[string]string{"a.txt": "one\n", "old.txt": "old\n"})
	s.undo(desktop.UndoTask{RunID: run.RunID, Since: true, Redo: true})
	s.holds(whole)
	// What was taken back of an earlier run since then does not make that a later one.
	s.undo(desktop.UndoTask{RunID: run.RunID, CallID: "c3"})
	s.undo(desktop.UndoTask{RunID: second.RunID, Since: true})
	s.holds(map[string]string{"a.txt": "one\nthree\n"})
	s.undo(desktop.UndoTask{RunID: run.RunID, CallID: "c3", Redo: true})
	s.undo(desktop.UndoTask{RunID: second.RunID, Redo: true})
	s.holds(whole)
	s.undo(desktop.UndoTask{RunID: second.RunID})
	s.holds(map[string]string{"a.txt": "one\nthree\n", "new.txt": "new\n"})

	// The model is told once, by the next run.
	third := s.goOn(run.SessionID, "what now?")
	s.awaitEnd(third.RunID)
	requests := s.model.Requests()
	if last := string(requests[len(requests)-1].Body); !strings.Contains(last, "the user has taken back what you changed in later.txt") {
		t.Errorf("the model was not told: %s", last)
	}
}

func TestCHG04_ConflictsAreDecidedInTheWindow(t *testing.T) {
	s, run := changed(t, changing)
	s.put("a.txt", "mine\none\nthree\n")
	s.put("new.txt", "mine\n")
	plan := s.plan(run.RunID, nil)
	if got := strings.Join(plan["a.txt"].Choices, " "); plan["a.txt"].Verdict != "conflict" || got != "merge mine restore both" {
		t.Errorf("a.txt: %+v", plan["a.txt"])
	}
	if got := strings.Join(plan["new.txt"].Choices, " "); got != "mine restore" {
		t.Errorf("new.txt: %+v", plan["new.txt"])
	}
	if undone := s.undo(desktop.UndoTask{RunID: run.RunID}); undone != (desktop.Undone{Paths: 1, Kept: 2}) {
		t.Errorf("without a choice: %+v", undone)
	}
	s.undo(desktop.UndoTask{RunID: run.RunID, Choices: map[string]string{plan["a.txt"].ID: "merge", plan["new.txt"].ID: "restore"}})
	s.holds(map[string]string{"a.txt": "mine\none\n", "old.txt": "old\n"})
}

func TestCHG04_AMergeIsOfferedForAllChangesOfAPathOrNone(t *testing.T) {
	s, run := changed(t, changing)
	s.put("a.txt", "one\nmine\n") // the line that both calls wrote
	if got := strings.Join(s.plan(run.RunID, nil)["a.txt"].Choices, " "); got != "mine restore both" {
		t.Errorf("it offers %q", got)
	}
}

func TestDESK04_PartsAreTakenBackInTheWindow(t *testing.T) {
	var lines, edited strings.Builder
	for i := range 40 {
		word := string(rune('a'+i%26)) + strings.Repeat("x", i)
		lines.WriteString(word + `\n`)
		if i == 2 || i == 30 {
			word += "!"
		}
		edited.WriteString(word + `\n`)
	}
	s, run := changed(t, `call c1 write_file {"path":"a.txt","content":"`+lines.String()+`"}
---
text Written.
---
call c2 write_file {"path":"a.txt","content":"`+edited.String()+`"}
---
text Edited.`)
	second := s.goOn(run.SessionID, "edit it")
	s.awaitEnd(second.RunID)
	row := s.row(second.RunID, "a.txt")
	var text desktop.ReviewText
	read := func() { s.read("/fairlead/runs/"+second.RunID+"/changes/"+row.ID, &text) }
	read()
	first := text.Diff[strings.Index(text.Diff, "@@"):]
	header := first[:strings.Index(first, "\n")]
	changes := service[*desktop.Changes](s)
	if _, err := changes.ChooseHunks(second.RunID, row.ID, []string{header}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(s.contents()["a.txt"], "!"); got != 1 {
		t.Errorf("%d marks are left of 2", got)
	}
	if read(); len(text.Taken) != 1 || text.Taken[0] != header {
		t.Errorf("taken: %q", text.Taken)
	}
	s.shows(second.RunID, map[string]string{"a.txt": "modify partly"})
	s.put("a.txt", "something else\n")
	_, err := changes.ChooseHunks(second.RunID, row.ID, nil)
	if code(t, err) != desktop.CodeConflict {
		t.Errorf("a conflict: %v", err)
	}
	if _, err := changes.ChooseHunks(second.RunID, "none/0", nil); code(t, err) != "INVALID_STATE" {
		t.Errorf("no row: %v", err)
	}
}

func TestCHG08_WhatIsKeptIsFreedOnRequest(t *testing.T) {
	s, run := changed(t, changing)
	changes := service[*desktop.Changes](s)
	before, err := changes.Space()
	if err != nil || before.Bytes == 0 || before.Limit == 0 {
		t.Fatalf("the space: %+v, %v", before, err)
	}
	after, err := changes.Free()
	if err != nil || after.Bytes >= before.Bytes {
		t.Errorf("freed, from %+v: %+v, %v", before, after, err)
	}
	s.shows(run.RunID, map[string]string{"a.txt": "modify lost", "new.txt": "create applied", "old.txt": "delete lost"})
	if lost := s.row(run.RunID, "old.txt").Lost; lost != "freed" {
		t.Errorf("old.txt is lost because of %q", lost)
	}
}

func TestCHG05_NothingIsTakenBackWhileARunIsRunning(t *testing.T) {
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
text Done.`, nil)
	s.ready()
	run := s.run("write")
	s.awaitMark("write", "waiting")
	if _, err := service[*desktop.Changes](s).Undo(desktop.UndoTask{RunID: run.RunID}); code(t, err) != "BUSY" {
		t.Errorf("while it is running: %v", err)
	}
	s.shows(run.RunID, map[string]string{})
	if _, err := s.Cancel(run.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(run.RunID)
}
