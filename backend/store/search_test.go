package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// mostSearched is how many places a test looks at.
const mostSearched = 1000

// search returns where a text is found, by the ids of parts.
func search(t *testing.T, s *Store, text string) []string {
	t.Helper()
	found, err := s.Search(t.Context(), Query{Text: text, Most: mostSearched})
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{}
	for _, p := range found.Passages {
		parts = append(parts, p.PartID)
	}
	return parts
}

// indexNew brings the index up to date.
func indexNew(t *testing.T, s *Store) {
	t.Helper()
	if all, err := s.IndexNew(t.Context(), 0); err != nil || !all {
		t.Fatal(all, err)
	}
}

func wantFound(t *testing.T, s *Store, when, text string, want ...string) {
	t.Helper()
	if got := search(t, s, text); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: %q is found in %v, want %v", when, text, got, want)
	}
}

// shown is how calls of a test are found.
func shown(name string) *message.Display {
	if name != "shell" {
		return nil
	}
	return &message.Display{Title: "Run a command", Subject: message.Subject{Arguments: []string{"command"}}}
}

func openSearched(t *testing.T, folder string) *Store {
	t.Helper()
	o := options(folder)
	o.Display = shown
	s, _, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestFIND01_WhatWasSaidAndDoneIsFound(t *testing.T) {
	s := openSearched(t, t.TempDir())
	for _, when := range []string{"before it is indexed", "after"} {
		if when == "before it is indexed" {
			talk(t, s, session("s1", "/work"), "r1", "Fix the DATE parser "+secret)
			talk(t, s, session("s2", "/other"), "r2", "看看租赁合同")
		} else {
			indexNew(t, s)
		}
		wantFound(t, s, when, "date parser", "r1-p1")
		wantFound(t, s, when, "租赁", "r2-p1")
		wantFound(t, s, when, "true", "r2-p3", "r1-p3")
		wantFound(t, s, when, "run a command", "r2-p3", "r1-p3")
		wantFound(t, s, when, "surroundings") // Fairlead added it
		wantFound(t, s, when, secret)
		wantFound(t, s, when, "[key]", "r1-p1")
		wantFound(t, s, when, "Done") // an output
		found, err := s.Search(t.Context(), Query{Text: "A TITLE", Workspace: "/other", Most: 10})
		if err != nil || len(found.Titles) != 1 || found.Titles[0].ID != "s2" {
			t.Errorf("%s: titles %+v, %v", when, found.Titles, err)
		}
		found, err = s.Search(t.Context(), Query{Text: "true", Most: 1})
		if err != nil || len(found.Passages) != 1 || !found.More || found.Sessions["s2"].Workspace != "/other" || len(found.Sessions) != 1 {
			t.Errorf("%s: one of two is %+v, %v", when, found, err)
		}
	}
}

func TestFIND01_APassageIsShownAroundWhatWasFound(t *testing.T) {
	long := strings.Repeat("before ", 20) + "\nThe ŞĞ Needle\nstands " + strings.Repeat("after ", 40)
	for text, want := range map[string]Passage{
		"needle":   {Before: "…ore before before before before  The ŞĞ ", Match: "Needle", After: " stands " + strings.Repeat("after ", 18) + "afte…"},
		"before b": {Before: "", Match: "before b", After: long[8:8+shownAfter] + "…"},
	} {
		var p Passage
		if !p.cut(long, text) || p.Before != want.Before || p.Match != want.Match || p.After != want.After {
			t.Errorf("%q:\n%+v\nwant\n%+v", text, p, want)
		}
	}
	var p Passage
	if p.cut("nothing", "needle") {
		t.Error("it is found where it is not")
	}
}

func TestFIND01_ARunThatIsActiveIsFoundToo(t *testing.T) {
	s := openSearched(t, t.TempDir())
	running := session("s1", "/work")
	stream := event.NewKeptStream("r1", "s1", s.Record(t.Context(), running), func(err *event.NotKeptError) { t.Error(err) })
	stream.AddMessage(message.Message{ID: "m", SessionID: "s1", RunID: "r1", Role: message.User, CreatedAt: time.Now(), Parts: []message.Part{{ID: "p", Type: message.TextPart, Text: "apple"}}})
	stream.Publish(event.LifecycleStart{Prompt: "apple"})
	talk(t, s, session("s2", "/work"), "r2", "apple pie")
	for range 2 {
		wantFound(t, s, "while it is active", "apple", "r2-p1", "p")
		indexNew(t, s)
	}
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted})
	indexNew(t, s)
	wantFound(t, s, "after its end", "apple", "r2-p1", "p")
	if pending, err := s.pendingRuns(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("not indexed: %+v, %v", pending, err)
	}
}

func TestFIND01_WhatIsDeletedIsFoundNoMore(t *testing.T) {
	s := openSearched(t, t.TempDir())
	for n := range 4 {
		talk(t, s, session(fmt.Sprintf("s%d", n), "/work"), fmt.Sprintf("r%d", n), "apple")
	}
	indexNew(t, s)
	if err := s.Hide(t.Context(), "s1", time.Now()); err != nil {
		t.Fatal(err)
	}
	wantFound(t, s, "hidden", "apple", "r3-p1", "r2-p1", "r0-p1")
	if err := s.Restore(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"s1", "s3"} {
		if err := s.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if numbers, err := s.indexed(t.Context(), "apple", 1<<62, 100); err != nil || len(numbers) != 2 {
		t.Errorf("the index has it in %v, %v", numbers, err)
	}
	talk(t, s, session("s4", "/work"), "r4", "apple and pear") // with the number of r3
	wantFound(t, s, "deleted", "apple", "r4-p1", "r2-p1", "r0-p1")
	indexNew(t, s)
	wantFound(t, s, "indexed again", "apple", "r4-p1", "r2-p1", "r0-p1")
	wantFound(t, s, "indexed again", "pear", "r4-p1")
}

// TestFIND01_NumbersThatAreUsedAgain has runs deleted that the index does not hear of, as when it was
// elsewhere then.
func TestFIND01_NumbersThatAreUsedAgain(t *testing.T) {
	folder := t.TempDir()
	s := openSearched(t, folder)
	for n := range 4 {
		talk(t, s, session(fmt.Sprintf("s%d", n), "/work"), fmt.Sprintf("r%d", n), "apple")
	}
	indexNew(t, s)
	for _, id := range []string{"s1", "s2", "s3"} {
		if _, err := s.writer.ExecContext(t.Context(), "DELETE FROM sessions WHERE id = ?", id); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 2 {
		talk(t, s, session(fmt.Sprintf("n%d", n), "/work"), fmt.Sprintf("q%d", n), "banana")
	}
	for range 2 {
		wantFound(t, s, "gone", "apple", "r0-p1")
		wantFound(t, s, "new", "banana", "q1-p1", "q0-p1")
		indexNew(t, s)
	}
}

func TestFIND01_AForkIsFoundOnce(t *testing.T) {
	s := openSearched(t, t.TempDir())
	forked(t, s)
	indexNew(t, s)
	wantFound(t, s, "shared", "do it", "a4-p1", "a3-p1", "a2-p1", "a1-p1")
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	wantFound(t, s, "after its parent was deleted", "do it", "a2-p1", "a1-p1")
	wantFound(t, s, "after its parent was deleted", "third way", "c4-p1")
}

// TestFIND01_WhatAForkSharesIsFoundThere deletes what was forked, which can still be brought back.
func TestFIND01_WhatAForkSharesIsFoundThere(t *testing.T) {
	s := openSearched(t, t.TempDir())
	forked(t, s)
	fork(t, s, "short", "a", "a2")
	found := func(when string, want ...string) {
		t.Helper()
		got := []string{}
		for _, text := range []string{"do it", "another way"} {
			f, err := s.Search(t.Context(), Query{Text: text, Most: mostSearched})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range f.Passages {
				got = append(got, p.SessionID+" "+p.RunID)
				if f.Sessions[p.SessionID].ID != p.SessionID {
					t.Errorf("%s: there is no session of %+v", when, p)
				}
			}
		}
		if !slices.Equal(got, append([]string{}, want...)) {
			t.Errorf("%s: found in %v, want %v", when, got, want)
		}
	}
	hide := func(id string) {
		t.Helper()
		if err := s.Hide(t.Context(), id, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for _, when := range []string{"before it is indexed", "after"} {
		found(when, "a a4", "a a3", "a a2", "a a1", "b b3")
		hide("a")
		found(when+", without a", "b a2", "b a1", "b b3")
		hide("b")
		found(when+", without a and b", "c a2", "short a1", "c b3")
		hide("c")
		found(when+", with the shortest alone", "short a1")
		hide("short")
		found(when + ", without any")
		for _, id := range []string{"a", "b", "c", "short"} {
			if err := s.Restore(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		indexNew(t, s)
	}
}

func TestFIND01_OneConversationIsSearched(t *testing.T) {
	s := openSearched(t, t.TempDir())
	forked(t, s)
	talk(t, s, session("other", "/work"), "o1", "do it another way")
	for _, when := range []string{"before it is indexed", "after"} {
		for _, c := range []struct {
			session, text string
			want          []string
		}{
			{"a", "do it", []string{"a4-p1", "a3-p1", "a2-p1", "a1-p1"}},
			{"c", "do it", []string{"a2-p1", "a1-p1"}},
			{"c", "WAY", []string{"c4-p1", "b3-p1"}},
			{"b", "way", []string{"b3-p1"}},
			{"b", "a title", []string{}},
			{"none", "way", []string{}},
		} {
			found, err := s.Search(t.Context(), Query{Text: c.text, Session: c.session, Most: mostSearched})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, p := range found.Passages {
				got = append(got, p.PartID)
				if p.SessionID != c.session {
					t.Errorf("%s: %q in %s leads to %s", when, c.text, c.session, p.SessionID)
				}
			}
			if !slices.Equal(got, c.want) || len(found.Titles) > 0 {
				t.Errorf("%s: %q in %s is found in %v and %v, want %v", when, c.text, c.session, got, found.Titles, c.want)
			}
		}
		found, err := s.Search(t.Context(), Query{Text: "true", Session: "b", Most: 1})
		if err != nil || len(found.Passages) != 1 || !found.More || found.Passages[0].CallID == "" {
			t.Errorf("%s: one of several is %+v, %v", when, found, err)
		}
		indexNew(t, s)
	}
}

func TestFIND01_AnIndexThatIsGoneOrDamagedIsMadeAnew(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"gone":    os.Remove,
		"damaged": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("damaged ", 4096)), 0o600) },
		"a folder": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(path, "x"), 0o700)
		},
	} {
		folder := t.TempDir()
		s := openSearched(t, folder)
		talk(t, s, session("s1", "/work"), "r1", "apple")
		indexNew(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := spoil(filepath.Join(folder, indexName)); err != nil {
			t.Fatal(err)
		}
		s = openSearched(t, folder)
		wantFound(t, s, name, "apple", "r1-p1")
		if name == "a folder" {
			continue // all is read then
		}
		if err := s.RebuildIndex(t.Context()); err != nil {
			t.Error(err)
		}
		wantFound(t, s, name+", rebuilt", "apple", "r1-p1")
		if pending, err := s.pendingRuns(t.Context()); err != nil || len(pending) != 0 {
			t.Errorf("%s: not indexed: %+v, %v", name, pending, err)
		}
	}
}
