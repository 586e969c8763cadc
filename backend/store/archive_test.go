package store

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// listedIn are the ids of the listed sessions.
func listedIn(t *testing.T, s *Store, workspace string, which Which) string {
	t.Helper()
	sessions, err := s.Sessions(t.Context(), workspace, which, 100)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = sessions[i].ID
	}
	return strings.Join(ids, " ")
}

// checkLists checks what each list of a workspace has.
func checkLists(t *testing.T, s *Store, when string, want map[Which]string) {
	t.Helper()
	for _, workspace := range []string{"/work", ""} {
		for _, which := range []Which{All, Current, Pinned, Archived} {
			if got := listedIn(t, s, workspace, which); got != want[which] {
				t.Errorf("%s, %s in %q: %q, want %q", when, which, workspace, got, want[which])
			}
		}
	}
	if n, err := s.CountArchived(t.Context(), "/work"); err != nil || n != len(strings.Fields(want[Archived])) {
		t.Errorf("%s: %d archived, %v", when, n, err)
	}
}

func TestUI11_SessionsArePinnedAndArchived(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	for _, id := range []string{"s1", "s2", "s3"} {
		talk(t, s, session(id, "/work"), "r-"+id, "do it")
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	checkLists(t, s, "at first", map[Which]string{All: "s3 s2 s1", Current: "s3 s2 s1"})
	do(s.Pin(t.Context(), "s1", true))
	do(s.Archive(t.Context(), "s2", true))
	checkLists(t, s, "one each", map[Which]string{All: "s3 s2 s1", Current: "s3 s1", Pinned: "s1", Archived: "s2"})
	do(s.Close())

	s = openIn(t, folder)
	checkLists(t, s, "in a fresh process", map[Which]string{All: "s3 s2 s1", Current: "s3 s1", Pinned: "s1", Archived: "s2"})
	do(s.Archive(t.Context(), "s1", true))
	checkLists(t, s, "archived, it is not pinned any more", map[Which]string{All: "s3 s2 s1", Current: "s3", Archived: "s2 s1"})
	do(s.Pin(t.Context(), "s2", true))
	checkLists(t, s, "pinned, it is not archived any more", map[Which]string{All: "s3 s2 s1", Current: "s3 s2", Pinned: "s2", Archived: "s1"})
	do(s.Pin(t.Context(), "s2", false))
	do(s.Archive(t.Context(), "s1", false))
	checkLists(t, s, "as before", map[Which]string{All: "s3 s2 s1", Current: "s3 s2 s1"})
	for _, err := range []error{s.Pin(t.Context(), "none", true), s.Archive(t.Context(), "none", true)} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("of none: %v", err)
		}
	}
}

func TestUI11_ARunBringsAnArchivedSessionBack(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "do it")
	if err := s.Archive(t.Context(), "s1", true); err != nil {
		t.Fatal(err)
	}
	talk(t, s, session("s1", "/work"), "r2", "again")
	checkLists(t, s, "after a run", map[Which]string{All: "s1", Current: "s1"})
}

func TestUI11_ForksOfAnArchivedSessionAreNot(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "do it")
	if err := s.Archive(t.Context(), "s1", true); err != nil {
		t.Fatal(err)
	}
	if err := s.Fork(t.Context(), Session{ID: "s2", Parent: "s1", Title: "A fork"}, "", time.Now()); err != nil {
		t.Fatal(err)
	}
	checkLists(t, s, "forked", map[Which]string{All: "s2 s1", Current: "s2", Archived: "s1"})
}

func TestUI11_RescuedSessionsArePinnedAndArchivedAsTheyWere(t *testing.T) {
	folder := t.TempDir()
	from := openIn(t, folder)
	talk(t, from, session("s1", "/work"), "r1", "do it")
	talk(t, from, session("s2", "/work"), "r2", "do it")
	if err := errors.Join(from.Pin(t.Context(), "s1", true), from.Archive(t.Context(), "s2", true)); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, t.TempDir())
	if _, err := s.Rescue(t.Context(), from.path); err != nil {
		t.Fatal(err)
	}
	checkLists(t, s, "rescued", map[Which]string{All: "s2 s1", Current: "s1", Pinned: "s1", Archived: "s2"})
}
