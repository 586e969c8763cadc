package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"

	"github.com/google/go-cmp/cmp"
)

// forked has a conversation a of four runs, b that was forked from it before the third and went on,
// and c, which was forked from b before its own first run.
func forked(t *testing.T, s *Store) {
	t.Helper()
	for n := range 4 {
		talk(t, s, session("a", "/work"), fmt.Sprintf("a%d", n+1), "do it")
	}
	fork(t, s, "b", "a", "a3")
	talk(t, s, session("b", "/work"), "b3", "another way")
	talk(t, s, session("b", "/work"), "b4", "go on")
	fork(t, s, "c", "b", "b4")
	talk(t, s, session("c", "/work"), "c4", "a third way")
}

func fork(t *testing.T, s *Store, id, parent, run string) {
	t.Helper()
	if err := s.Fork(t.Context(), Session{ID: id, Parent: parent, Title: "A title (2)", Notices: []message.Notice{{Code: message.NoticeForked}}}, run, time.Now()); err != nil {
		t.Fatal(err)
	}
}

// runsIn lists the runs of a session, by what was said in them, and fails if what else is known of
// them differs.
func runsIn(t *testing.T, s *Store, id string) []string {
	t.Helper()
	said, err := messagesOf(t, s, id)
	if err != nil {
		t.Fatal(err)
	}
	outlines, _, err := s.Outlines(t.Context(), id)
	if err != nil || len(outlines) != len(said) {
		t.Errorf("%s: %d outlines of %d messages, %v", id, len(outlines), len(said), err)
	}
	var found []string
	for _, m := range said {
		if m.Text() == "" && m.Role == message.User {
			t.Errorf("%s: %+v is lost", id, m)
		}
		if !slices.Contains(found, m.RunID) {
			found = append(found, m.RunID)
		}
	}
	runs, err := s.Runs(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	last, err := s.LastRuns(t.Context(), id, 1<<40, 100)
	if diff := cmp.Diff(runs, last); diff != "" || err != nil {
		t.Errorf("%s: all runs, and the last 100: %v\n%s", id, err, diff)
	}
	listed := make([]string, len(runs))
	for i, run := range runs {
		listed[i] = run.ID
		if run.Number != int64(i+1) {
			t.Errorf("%s: run %s has the number %d", id, run.ID, run.Number)
		}
	}
	if !slices.Equal(listed, found) {
		t.Errorf("%s: runs %v, messages of %v", id, listed, found)
	}
	return found
}

func wantRuns(t *testing.T, s *Store, all map[string][]string) {
	t.Helper()
	for id, want := range all {
		if got := runsIn(t, s, id); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", id, got, want)
		}
	}
}

func TestFIND02_BothBranchesOfAForkGoOn(t *testing.T) {
	s := openIn(t, t.TempDir())
	forked(t, s)
	talk(t, s, session("a", "/work"), "a5", "go on")
	talk(t, s, session("b", "/work"), "b5", "go on")
	wantRuns(t, s, map[string][]string{
		"a": {"a1", "a2", "a3", "a4", "a5"}, "b": {"a1", "a2", "b3", "b4", "b5"}, "c": {"a1", "a2", "b3", "c4"},
	})
	if found, err := s.Session(t.Context(), "c"); err != nil || found.Parent != "b" || found.Title != "A title (2)" || found.Workspace != "/work" {
		t.Errorf("c is %+v, %v", found, err)
	}
}

// TestFIND02_DeletingABranchKeepsTheOthersWhole deletes the conversations in each order.
func TestFIND02_DeletingABranchKeepsTheOthersWhole(t *testing.T) {
	whole := map[string][]string{"a": {"a1", "a2", "a3", "a4"}, "b": {"a1", "a2", "b3", "b4"}, "c": {"a1", "a2", "b3", "c4"}}
	for _, order := range [][]string{{"a", "b"}, {"a", "c"}, {"b", "a"}, {"b", "c"}, {"c", "a"}, {"c", "b"}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			s := openIn(t, t.TempDir())
			forked(t, s)
			left := map[string][]string{"a": whole["a"], "b": whole["b"], "c": whole["c"]}
			for _, id := range order {
				if err := s.Delete(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				delete(left, id)
				wantRuns(t, s, left)
			}
			for id := range left {
				if found, err := s.Session(t.Context(), id); err != nil || found.Parent != "" {
					t.Errorf("%s is %+v, %v", id, found, err)
				}
				talk(t, s, session(id, "/work"), "later", "go on")
				wantRuns(t, s, map[string][]string{id: append(left[id], "later")})
				if err := s.Delete(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
			var rows int
			err := s.reader.QueryRow("SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM runs) + (SELECT count(*) FROM events)").Scan(&rows)
			if err != nil || rows != 0 {
				t.Errorf("%d rows are left, %v", rows, err)
			}
		})
	}
}

// TestFIND02_AForkIsReadWhileItsParentIsDeleted deletes the parent between two pages.
func TestFIND02_AForkIsReadWhileItsParentIsDeleted(t *testing.T) {
	for _, at := range []int{0, 1, 3, 4, 5} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			s := openIn(t, t.TempDir())
			forked(t, s)
			var found []string
			for m, err := range s.EachMessage(t.Context(), "c") {
				if err != nil {
					t.Fatal(err)
				}
				if found = append(found, m.RunID); len(found) == at+1 {
					if err := errors.Join(s.Delete(t.Context(), "a"), s.Delete(t.Context(), "b")); err != nil {
						t.Fatal(err)
					}
				}
			}
			if want := []string{"a1", "a1", "a2", "a2", "b3", "b3", "c4", "c4"}; !slices.Equal(found, want) {
				t.Errorf("read %v", found)
			}
		})
	}
}

func TestFIND02_AForkBeginsWhereItIsWanted(t *testing.T) {
	s := openIn(t, t.TempDir())
	forked(t, s)
	fork(t, s, "first", "a", "a1")
	fork(t, s, "shared", "c", "a2") // before a run that is not its parent's own
	talk(t, s, session("shared", "/work"), "s2", "again")
	wantRuns(t, s, map[string][]string{"first": nil, "shared": {"a1", "s2"}})
	if found, err := s.Session(t.Context(), "shared"); err != nil || found.Parent != "a" {
		t.Errorf("shared is %+v, %v", found, err)
	}
	fork(t, s, "all", "c", "")
	fork(t, s, "again", "all", "") // of one that has nothing of its own
	talk(t, s, session("c", "/work"), "c5", "go on")
	talk(t, s, session("again", "/work"), "x5", "go on elsewhere")
	wantRuns(t, s, map[string][]string{"all": {"a1", "a2", "b3", "c4"}, "again": {"a1", "a2", "b3", "c4", "x5"}})
	if err := s.Fork(t.Context(), Session{ID: "none", Parent: "a"}, "b3", time.Now()); !errors.Is(err, ErrNotFound) {
		t.Errorf("before a run of another conversation: %v", err)
	}
	listed, err := s.Sessions(t.Context(), "/work", All, 10)
	if err != nil || listed[0].ID != "again" || listed[2].ID != "all" || listed[3].ID != "shared" || listed[4].ID != "first" {
		t.Errorf("listed: %+v, %v", listed, err)
	}
}

func TestFIND02_ForksAreRescued(t *testing.T) {
	from := t.TempDir()
	s := openIn(t, from)
	forked(t, s)
	if err := s.Hide(t.Context(), "a", time.Now()); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"b": {"a1", "a2", "b3", "b4"}, "c": {"a1", "a2", "b3", "c4"}}
	t.Run("into an empty store", func(t *testing.T) {
		into := openIn(t, t.TempDir())
		rescued, err := into.Rescue(t.Context(), filepath.Join(from, databaseName))
		if err != nil || rescued.Lost != (Counts{}) {
			t.Errorf("%+v, %v", rescued, err)
		}
		wantRuns(t, into, want)
	})
	t.Run("beside other states of them", func(t *testing.T) {
		into := openIn(t, t.TempDir())
		talk(t, into, session("a", "/work"), "x1", "something else")
		talk(t, into, session("b", "/work"), "x2", "something else")
		if _, err := into.Rescue(t.Context(), filepath.Join(from, databaseName)); err != nil {
			t.Fatal(err)
		}
		found, err := into.Session(t.Context(), "c")
		if err != nil || found.Parent == "b" {
			t.Fatalf("c is %+v, %v", found, err)
		}
		if said, err := messagesOf(t, into, "c"); err != nil || len(said) != 8 {
			t.Errorf("c holds %d messages, %v", len(said), err)
		}
		wantRuns(t, into, map[string][]string{"a": {"x1"}, "b": {"x2"}})
	})
}

// TestFIND02_ABranchDoesNotPruneTheOther prunes outputs of runs that branches share: before the fork it holds in
// both, after it in one.
func TestFIND02_ABranchDoesNotPruneTheOther(t *testing.T) {
	s := openIn(t, t.TempDir())
	for n := range 4 {
		talk(t, s, session("a", "/work"), fmt.Sprintf("a%d", n+1), "do it")
	}
	prune := func(id, run string) {
		t.Helper()
		messages, err := messagesOf(t, s, id)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(messages, func(m message.Message) bool { return m.RunID == run && len(m.ToolParts()) > 0 })
		part := messages[at].Parts[0].Clone()
		part.Tool.State.Pruned = true
		begun := event.Event{Seq: 1, RunID: "prunes " + id + run, SessionID: id, Type: event.TypeLifecycleStart, Data: event.LifecycleStart{}}
		if err := s.Record(t.Context(), session(id, "/work")).Keep([]event.Event{begun}, []event.Change{{Part: &part}}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(all map[string][]string) {
		t.Helper()
		for id, runs := range all {
			var found []string
			messages, err := messagesOf(t, s, id)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				for _, part := range m.ToolParts() {
					if part.Tool.State.Pruned {
						found = append(found, m.RunID)
					}
				}
			}
			if !slices.Equal(found, runs) {
				t.Errorf("%s: the outputs of %v are pruned, want %v", id, found, runs)
			}
		}
	}
	prune("a", "a1")
	talk(t, s, session("a", "/work"), "a5", "go on")
	fork(t, s, "b", "a", "a5")
	talk(t, s, session("b", "/work"), "b5", "another way")
	prune("b", "a2")
	prune("a", "a3")
	all := map[string][]string{"a": {"a1", "a3"}, "b": {"a1", "a2"}}
	want(all)
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	delete(all, "a")
	want(all)
}

// Of a picture that branches share each has a mark of its own.
func TestDOC02_ABranchDoesNotLoseThePicturesOfTheOther(t *testing.T) {
	s := openIn(t, t.TempDir())
	picture(t, s, session("a", "/work"), "a1", []byte("bytes"))
	talk(t, s, session("a", "/work"), "a2", "go on")
	fork(t, s, "b", "a", "a2")
	talk(t, s, session("b", "/work"), "b2", "another way")
	messages, err := messagesOf(t, s, "b")
	if err != nil {
		t.Fatal(err)
	}
	pruned := messages[0].Parts[1].Prune()
	begun := event.Event{Seq: 1, RunID: "b3", SessionID: "b", Type: event.TypeLifecycleStart, Data: event.LifecycleStart{}}
	if err := s.Record(t.Context(), session("b", "/work")).Keep([]event.Event{begun}, []event.Change{{Part: &pruned}}); err != nil {
		t.Fatal(err)
	}
	for id, isPruned := range map[string]bool{"a": false, "b": true} {
		messages, _, err := s.Outlines(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		block := messages[0].Parts[1].Block
		data, err := s.BlockData(t.Context(), block.Sum)
		if block.Pruned != isPruned || block.IsPicture() == isPruned || err != nil || string(data) != "bytes" {
			t.Errorf("%s: %+v, %q, %v", id, block, data, err)
		}
	}
}
