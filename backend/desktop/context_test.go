package desktop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// tokensOf are what fills a window, by kind.
func tokensOf(view desktop.Context) map[session.Content]int {
	tokens := map[session.Content]int{}
	for _, part := range view.Parts {
		tokens[part.Kind] = part.Tokens
	}
	return tokens
}

// contextOf reads what fills the window with a conversation.
func (s *stage) contextOf(id string) (view desktop.Context) {
	s.t.Helper()
	s.read("/fairlead/context?session="+id, &view)
	return view
}

// aFile writes a long file and returns a script that reads it.
func (s *stage) aFile(name string, lines int) {
	s.t.Helper()
	text := strings.Repeat("one line of forty characters, not more..\n", lines)
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

const readsNotes = "call c1 read_file {\"path\":\"notes.txt\"}\nusage 4000 20 3000\n---\ntext They say one thing.\nusage 8000 10 4000\n---\n"

func TestUI16_ThePageReadsWhatFillsTheWindow(t *testing.T) {
	s := open(t, readsNotes+"text I was told to sum up.\nusage 7000 30\n---\nhang\n", nil)
	s.ready()
	s.aFile("notes.txt", 300)
	empty := s.contextOf("")
	tokens := tokensOf(empty)
	if tokens["system"] < 100 || tokens["tools"] < 500 || len(tokens) != 2 || len(empty.Steps) > 0 || empty.Total != nil || empty.Used != 0 {
		t.Errorf("before the first task: %+v", empty)
	}
	started := s.run("Read the notes.")
	s.awaitEnd(started.RunID)
	view := s.contextOf(started.SessionID)
	tokens = tokensOf(view)
	if tokens["results"] < 2_000 || tokens["user"] == 0 || tokens["model"] == 0 || tokens["tools"] < 500 {
		t.Errorf("after a task: %+v", view)
	}
	if view.Used != 8_010 || view.Cached != 4_000 || view.Estimated {
		t.Errorf("used: %+v", view)
	}
	if len(view.Steps) != 2 || view.Steps[0].Task != 1 || view.Steps[1].Step != 2 || view.Steps[1].Usage.Cached != 4_000 || view.Total.Usage.Prompt != 12_000 || view.Total.Cost != nil {
		t.Errorf("steps: %+v, %+v", view.Steps, view.Total)
	}

	sessions := service[*desktop.Sessions](s)
	summed, err := sessions.Compact(started.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(summed.RunID)
	saved := s.screen.await(t, "the summary", ofType(event.TypeCompacted))
	view = s.contextOf(started.SessionID)
	tokens = tokensOf(view)
	if tokens["results"] != 0 || tokens["summary"] == 0 || view.Used == 0 || view.Used > 6_000 || !view.Estimated || view.Cached != 0 {
		t.Errorf("after the summary (%s): %+v", saved.Data, view)
	}
	if last := view.Steps[2]; !last.Summary || last.Step != 0 || last.Task != 1 || last.Usage.Prompt != 7_000 {
		t.Errorf("the summary took %+v", last)
	}
	if _, err = sessions.Compact(started.SessionID); code(t, err) != desktop.Code(message.NothingToCompact) {
		t.Errorf("once more: %v", err)
	}
	if _, err = sessions.Compact(""); code(t, err) != desktop.Code(message.NothingToCompact) {
		t.Errorf("before the first task: %v", err)
	}

	again := s.goOn(started.SessionID, "And now?")
	if _, err = sessions.Compact(started.SessionID); code(t, err) != desktop.Code(message.Busy) {
		t.Errorf("beside a task: %v", err)
	}
	if while := tokensOf(s.contextOf(started.SessionID)); while["user"] <= tokens["user"] {
		t.Errorf("while a task is running: %v, before %v", while, tokens)
	}
	if _, err := s.Cancel(again.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(again.RunID)
}

// TestUI16_ASummaryThatFailsSaysWhy has the provider refuse the key meanwhile.
func TestUI16_ASummaryThatFailsSaysWhy(t *testing.T) {
	s := open(t, readsNotes+"status 401 no such key\n", nil)
	s.ready()
	s.aFile("notes.txt", 300)
	started := s.run("Read the notes.")
	s.awaitEnd(started.RunID)
	sessions := service[*desktop.Sessions](s)
	summed, err := sessions.Compact(started.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	end := s.screen.await(t, "its end", func(e envelope) bool { return e.RunID == summed.RunID && ended(e) })
	if end.Type != event.TypeLifecycleError || !strings.Contains(string(end.Data), string(message.CodeAuth)) {
		t.Errorf("ended: %s", end.Data)
	}
	if view := s.contextOf(started.SessionID); view.Used != 8_010 || tokensOf(view)["summary"] != 0 {
		t.Errorf("after it: %+v", view)
	}
}
