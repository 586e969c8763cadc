package desktop_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// board is where the system shows notices: each that is shown or taken away is told.
type board chan string

func (b board) Show(_ context.Context, key string, notice desktop.Notice) error {
	b <- fmt.Sprintf("%s: %s, %s, urgent %v", key, notice.Title, notice.Text, notice.Urgent)
	return nil
}

func (b board) Close(_ context.Context, key string) error {
	b <- "away: " + key
	return nil
}

// Badge is told where a test asks for it.
func (b board) Badge(context.Context, int) error { return nil }

// next is what is told next.
func (b board) next(t *testing.T) string {
	t.Helper()
	select {
	case told := <-b:
		return told
	case <-time.After(deadline):
		t.Fatal("nothing is told")
		return ""
	}
}

const twoQuestions = `call c1 write_file {"path":"a.txt","content":"x"}
---
call c2 write_file {"path":"b.txt","content":"x"}
---
text Done.
---
text Done again.
---
status 400 {"error":{"message":"no"}}
`

func TestUI12_NoticesAreRaisedOnceAndGoWithTheAnswer(t *testing.T) {
	b := make(board, 100)
	s := open(t, twoQuestions, nil)
	s.ServeNotices(b)
	s.ready()
	started := s.run("do <b>it</b>")
	want := func(told string) {
		t.Helper()
		if got := b.next(t); got != told {
			t.Errorf("told %q, want %q", got, told)
		}
	}
	title := "do <b>it</b> · work"
	for _, id := range []string{"c1", "c2"} {
		s.screen.await(t, "question "+id, func(e envelope) bool {
			return e.Type == event.TypeConfirmRequest && strings.Contains(string(e.Data), `"`+id+`"`)
		})
		want(id + ": Fairlead needs you, " + title + ", urgent true")
		question := s.question(started.RunID)
		if _, err := service[*desktop.Sessions](s).Extend(started.RunID, id); err != nil {
			t.Fatal(err)
		}
		s.answer(started.RunID, question, message.Approve)
		want("away: " + id)
	}
	want(started.RunID + ": A task is done, " + title + ", urgent false")
	// A click leads to the conversation, wherever the user is.
	if _, err := service[*desktop.Sessions](s).New(); err != nil {
		t.Fatal(err)
	}
	s.OpenNotice(started.RunID)
	want("away: " + started.RunID)
	if state := s.state(); state.SessionID != started.SessionID || s.screen.shown != 1 {
		t.Errorf("shown: %q, brought to the front %d times", state.SessionID, s.screen.shown)
	}
	s.OpenNotice(started.RunID) // it is gone

	second := s.goOn(started.SessionID, "again")
	want(second.RunID + ": A task is done, " + title + ", urgent false")
	third := s.goOn(started.SessionID, "and again")
	want(third.RunID + ": A task stopped, " + title + ", urgent false")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	away := []string{b.next(t), b.next(t)}
	if slices.Sort(away); !slices.Equal(away, slices.Sorted(slices.Values([]string{"away: " + second.RunID, "away: " + third.RunID}))) {
		t.Errorf("at the end: %v", away)
	}
}

func TestUI12_NothingIsToldInFrontOrWhereItIsSwitchedOff(t *testing.T) {
	b := make(board, 100)
	s := open(t, "text Done.\n---\ntext Done.\n---\ntext Done.\n", nil)
	s.ServeNotices(b)
	s.ready()
	preferences := service[*desktop.Preferences](s)
	end := func() (runID string) {
		t.Helper()
		runID = s.run("do it").RunID
		s.awaitEnd(runID)
		return runID
	}
	if _, err := preferences.SetFront(true); err != nil {
		t.Fatal(err)
	}
	end()
	if _, err := preferences.SetFront(false); err != nil {
		t.Fatal(err)
	}
	if _, err := preferences.SetNotice("done", false); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); !slices.Equal(state.Silent, []string{"done"}) {
		t.Errorf("silent: %v", state.Silent)
	}
	end()
	if _, err := preferences.SetNotice("done", true); err != nil {
		t.Fatal(err)
	}
	if _, err := preferences.SetNotice("other", true); code(t, err) != desktop.CodeUsage {
		t.Errorf("another kind: %v", err)
	}
	if last, told := end(), b.next(t); !strings.HasPrefix(told, last+": ") {
		t.Errorf("told %q, want the end of %s", told, last)
	}
}

// icon is a board whose icon has a number, each of which is told.
type icon struct {
	board
	numbers chan int
}

func (i icon) Badge(_ context.Context, waiting int) error {
	i.numbers <- waiting
	return nil
}

func TestUI12_TheIconShowsHowManyConversationsNeedTheUser(t *testing.T) {
	i := icon{make(board, 100), make(chan int, 100)}
	s := open(t, twoQuestions, nil)
	s.ServeNotices(i)
	s.ready()
	want := func(when string, number int) {
		t.Helper()
		select {
		case got := <-i.numbers:
			if got != number {
				t.Errorf("%s: %d, want %d", when, got, number)
			}
		case <-time.After(deadline):
			t.Fatalf("%s: nothing is told", when)
		}
	}
	started := s.run("do it")
	for _, id := range []string{"c1", "c2"} {
		want("with the question "+id, 1)
		question := s.question(started.RunID)
		if _, err := service[*desktop.Sessions](s).Extend(started.RunID, id); err != nil {
			t.Fatal(err)
		}
		s.answer(started.RunID, question, message.Approve)
		want("after its answer", 0)
	}
	s.awaitEnd(started.RunID)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	want("at the end", 0)
}
