package session_test

import (
	"testing"

	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

func TestUI11_AConversationIsArchivedAfterItsRunAndComesBackWithTheNext(t *testing.T) {
	s, m := offstage(t), library(t, t.TempDir())
	if n, err := m.CountArchived(t.Context(), "/work"); n != 0 || err != nil {
		t.Errorf("before the first conversation: %d, %v", n, err)
	}
	closed := 0
	opening := session.Opening{Workspace: "/work", Prepare: s.prepared(llmtest.Script("text One.\nhang\n---\ntext Two.\n"), &closed)}
	var err error
	if s.session, err = m.Open(t.Context(), opening); err != nil {
		t.Fatal(err)
	}
	defer closeDriver(t, s.session)
	run, id := s.begin("one"), s.session.ID
	awaitText(t, run)
	refusedWith(t, m.Archive(t.Context(), id, true), message.Busy)
	if _, err := m.CancelRun(run.ID); err != nil {
		t.Fatal(err)
	}
	run.Wait()
	if err := m.Archive(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	if n, err := m.CountArchived(t.Context(), "/work"); n != 1 || err != nil {
		t.Errorf("archived: %d, %v", n, err)
	}
	_, err = m.Find(t.Context(), session.Last, "/work")
	refusedWith(t, err, message.NotFound)
	if saved, err := m.Find(t.Context(), id, ""); err != nil || !saved.Archived {
		t.Errorf("by its id: %+v, %v", saved, err)
	}
	s.begin("two").Wait()
	if saved, err := m.Find(t.Context(), session.Last, "/work"); err != nil || saved.ID != id || saved.Archived {
		t.Errorf("after another run: %+v, %v", saved, err)
	}
	refusedWith(t, m.Pin(t.Context(), "none", true), message.NotFound)
}
