package desktop_test

import (
	"slices"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

// titles are those of a list.
func titles(list desktop.SessionList) []string {
	var all []string
	for _, entry := range list.Sessions {
		all = append(all, entry.Title)
	}
	return all
}

func (s *stage) archive() (list desktop.SessionList) {
	s.t.Helper()
	s.read("/fairlead/sessions?limit=100&archived=true", &list)
	return list
}

// done runs a task that ends by itself.
func (s *stage) done(prompt string) desktop.Started {
	s.t.Helper()
	if _, err := service[*desktop.Sessions](s).New(); err != nil {
		s.t.Fatal(err)
	}
	started := s.run(prompt)
	s.awaitEnd(started.RunID)
	s.awaitMark(prompt, "completed")
	return started
}

func TestUI11_ConversationsArePinnedAndArchived(t *testing.T) {
	s := open(t, "text one\n---\ntext two\n---\ntext three\n---\ntext four", nil)
	s.ready()
	sessions := service[*desktop.Sessions](s)
	one, two, three := s.done("one"), s.done("two"), s.done("three")
	if _, err := sessions.Pin(one.SessionID, true); err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.Show(one.SessionID); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); !state.Pinned || state.Archived {
		t.Errorf("the pinned one is shown: %+v", state)
	}
	var short desktop.SessionList
	s.read("/fairlead/sessions?limit=1", &short)
	if got := titles(short); !slices.Equal(got, []string{"one", "three"}) || !short.Sessions[0].Pinned || !short.More {
		t.Errorf("the pinned one first, however few are asked for: %v, %+v", got, short)
	}
	for _, each := range []desktop.Started{two, three} {
		if _, err := sessions.Show(each.SessionID); err != nil {
			t.Fatal(err)
		}
		if _, err := sessions.Archive(each.SessionID, true); err != nil {
			t.Fatal(err)
		}
	}
	if state := s.state(); state.SessionID != "" {
		t.Errorf("an archived conversation is shown: %+v", state)
	}
	if list := s.list(); !slices.Equal(titles(list), []string{"one"}) || list.Archived != 2 {
		t.Errorf("listed: %v, %d archived", titles(list), list.Archived)
	}
	if list := s.archive(); !slices.Equal(titles(list), []string{"three", "two"}) || !list.Sessions[0].Archived {
		t.Errorf("archived: %+v", list)
	}
	if _, err := sessions.Show(two.SessionID); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); !state.Archived || state.Pinned {
		t.Errorf("an archived one is shown: %+v", state)
	}
	if _, err := sessions.Archive(two.SessionID, false); err != nil {
		t.Fatal(err)
	}
	again, err := s.Run(desktop.Task{Prompt: "go on", SessionID: three.SessionID})
	if err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(again.RunID)
	if list := s.list(); !slices.Equal(titles(list), []string{"one", "three", "two"}) || list.Archived != 0 {
		t.Errorf("brought back by hand, and by a run: %v, %d archived", titles(list), list.Archived)
	}
	if _, err := sessions.Pin("none", true); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("pinned what is not there: %v", err)
	}
}

func TestUI11_AConversationWithATaskIsNotArchived(t *testing.T) {
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}`+"\n---\ntext Written.", nil)
	s.ready()
	started := s.run("write a file")
	s.awaitMark("write a file", "waiting")
	if _, err := service[*desktop.Sessions](s).Archive(started.SessionID, true); code(t, err) != desktop.Code(message.Busy) {
		t.Errorf("got %v", err)
	}
}
