//go:build !race

package tasks_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/change/changetest"
	"fairlead/backend/event"
	"fairlead/backend/sandbox/sandboxtest"
)

// TestPRE02_ATaskInADraftAsksNothingAndChangesNothing has the tasks of testdata done in a draft:
// nobody is asked, and nothing in the folder is changed, to the time. Applied, the folder is as a
// plain shell has left it.
func TestPRE02_ATaskInADraftAsksNothingAndChangesNothing(t *testing.T) {
	sandboxtest.NeedsFull(t)
	for _, program := range []string{"git", "go", "gcc", "make", "perl", "python3", "sqlite3", "xz", "patch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	b := open(t)
	for _, task := range readTasks(t) {
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			(&trial{T: t, task: task, backend: b, folder: filepath.Join(t.TempDir(), "folder")}).compareDraft()
		})
	}
}

func (r *trial) compareDraft() {
	r.Helper()
	if r.task.usesGo() {
		must(r.T, fillGoCache())
	}
	r.prepare()
	var failed []bool
	for _, c := range r.task.commands { // those that are not wanted too
		_, err := r.shell(r.folder, c.line)
		failed = append(failed, err != nil)
	}
	want := r.content()
	done := r.do(approve.Draft)
	for i, c := range r.task.commands {
		r.compareQuestions("draft", c, nil, done.questions[i])
		if diff := cmp.Diff(done.folders[i], done.folders[i+1]); diff != "" {
			r.Errorf("%s: the folder was changed: %s", c.line, diff)
		}
		if done.failed[i] != failed[i] {
			r.Errorf("%s: in the draft it failed: %v", c.line, done.failed[i])
		}
	}
	before := changetest.Snapshot(r, r.folder)
	saved, err := r.backend.Sessions.Find(r.Context(), done.conversation, "")
	must(r.T, err)
	changes, err := r.backend.OpenChanges(r.Context(), saved)
	must(r.T, err)
	defer func() { must(r.T, changes.Close()) }()
	draft, err := changes.ReviewDraft(r.Context())
	must(r.T, err)
	if len(draft.Collisions) > 0 {
		r.Errorf("collisions: %v", draft.Collisions)
	}
	events, _, err := changes.ApplyDraft(r.Context(), draft, func(int) bool { return true })
	must(r.T, err)
	if applied, ok := events[0].(event.DraftApplied); !ok || applied.Counts.Paths > 0 {
		r.Errorf("the event: %+v", events[0])
	}
	if diff := cmp.Diff(want, r.content()); diff != "" {
		r.Errorf("after the task in a draft (-want +got): %s", diff)
	}
	if cmp.Equal(before, changetest.Snapshot(r, r.folder)) {
		r.Error("nothing was applied")
	}
}
