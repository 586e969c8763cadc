package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fairlead/backend/message"
)

func TestUI05_ASessionIsRenamed(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "one")
	if err := s.Rename(t.Context(), "s1", "mine"); err != nil {
		t.Fatal(err)
	}
	talk(t, s, session("s1", "/work"), "r2", "two")
	if found, err := s.Session(t.Context(), "s1"); err != nil || found.Title != "mine" {
		t.Errorf("%q, %v", found.Title, err)
	}
	if err := s.Rename(t.Context(), "none", "mine"); !errors.Is(err, ErrNotFound) {
		t.Errorf("rename an unknown one: %v", err)
	}
}

func TestUI05_AModelsTitleReplacesFirstWordsOnly(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "one")
	for i, step := range []struct {
		set  func(context.Context, string, string) error
		want string
	}{{s.Retitle, "title 0"}, {s.Retitle, "title 0"}, {s.Rename, "title 2"}, {s.Retitle, "title 2"}} {
		if err := step.set(t.Context(), "s1", fmt.Sprintf("title %d", i)); err != nil {
			t.Fatal(err)
		}
		if found, err := s.Session(t.Context(), "s1"); err != nil || found.Title != step.want || !found.Titled {
			t.Errorf("%+v, %v, want %q", found, err, step.want)
		}
	}
}

func TestUI05_AHiddenSessionIsInNoListUntilItIsRestored(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "one")
	at := time.UnixMilli(1_000_000)
	listed := func() int {
		here, err := s.Sessions(t.Context(), "/work", All, 10)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Sessions(t.Context(), "", All, 10)
		if err != nil || len(all) != len(here) {
			t.Fatalf("%d of %d, %v", len(here), len(all), err)
		}
		return len(all)
	}
	if err := s.Hide(t.Context(), "s1", at); err != nil || listed() != 0 {
		t.Errorf("%d listed, %v", listed(), err)
	}
	if err := s.Hide(t.Context(), "s1", at); !errors.Is(err, ErrNotFound) {
		t.Errorf("hidden twice: %v", err)
	}
	if found, err := s.Session(t.Context(), "s1"); err != nil || !found.Hidden {
		t.Errorf("%+v, %v", found, err)
	}
	for until, want := range map[time.Time]int{at.Add(-time.Millisecond): 0, at: 1} {
		if ids, err := s.Hidden(t.Context(), until); err != nil || len(ids) != want {
			t.Errorf("hidden until %v: %v, %v", until, ids, err)
		}
	}
	if err := s.Restore(t.Context(), "s1"); err != nil || listed() != 1 {
		t.Errorf("%d listed, %v", listed(), err)
	}
	if err := s.Restore(t.Context(), "s1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("restored twice: %v", err)
	}
}

func TestGRP01_SwitchedOffGroupsAreKept(t *testing.T) {
	s := openIn(t, t.TempDir())
	fresh := session("s1", "/work")
	fresh.GroupsOff = []string{"web", "shell", "web"}
	talk(t, s, fresh, "r1", "one")
	off := func() string {
		found, err := s.Session(t.Context(), "s1")
		if err != nil {
			t.Fatal(err)
		}
		for _, workspace := range []string{"/work", ""} {
			listed, err := s.Sessions(t.Context(), workspace, All, 1)
			if err != nil || len(listed) != 1 || !slices.Equal(listed[0].GroupsOff, found.GroupsOff) {
				t.Errorf("the list of %q has %+v, %v", workspace, listed, err)
			}
		}
		return strings.Join(found.GroupsOff, " ")
	}
	if got := off(); got != "shell web" {
		t.Errorf("from the first run: %q", got)
	}
	for i, test := range []struct {
		groups []string
		want   string
	}{{[]string{"files"}, "files"}, {nil, ""}, {[]string{"web", "files"}, "files web"}, {[]string{}, ""}} {
		if err := s.SetGroupsOff(t.Context(), "s1", test.groups); err != nil {
			t.Fatal(err)
		}
		// What a run was begun with says nothing of a session that is there.
		talk(t, s, fresh, fmt.Sprint("r1-", i), "again")
		if got := off(); got != test.want {
			t.Errorf("%q: %q", test.groups, got)
		}
	}
}

func TestGRP01_SwitchingThatFails(t *testing.T) {
	s := openIn(t, t.TempDir())
	if err := s.SetGroupsOff(t.Context(), "none", []string{"web"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("of an unknown one: %v", err)
	}
	talk(t, s, session("s1", "/work"), "r1", "one")
	for _, name := range []string{"", "a,b"} {
		if err := s.SetGroupsOff(t.Context(), "s1", []string{"web", name}); err == nil {
			t.Errorf("%q is taken for a group", name)
		}
	}
	if found, err := s.Session(t.Context(), "s1"); err != nil || found.GroupsOff != nil {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestTheLastRunsOfASession(t *testing.T) {
	s := openIn(t, t.TempDir())
	for i := range 5 {
		talk(t, s, session("s1", "/work"), fmt.Sprintf("r%d", i+1), "one")
	}
	for _, test := range []struct {
		before int64
		limit  int
		want   string
	}{{math.MaxInt64, 2, "r4 r5"}, {4, 2, "r2 r3"}, {2, 2, "r1"}, {1, 2, ""}} {
		runs, err := s.LastRuns(t.Context(), "s1", test.before, test.limit)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, run := range runs {
			ids = append(ids, run.ID)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("before %d: %q, want %q", test.before, got, test.want)
		}
	}
	if run, err := s.Run(t.Context(), "r3"); err != nil || run.Number != 3 || run.SessionID != "s1" {
		t.Errorf("%+v, %v", run, err)
	}
	if _, err := s.Run(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown run: %v", err)
	}
}

func TestOneWindowHasTheLock(t *testing.T) {
	folder := t.TempDir()
	unlock, err := LockWindow(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LockWindow(folder); !errors.Is(err, ErrLocked) {
		t.Errorf("two windows: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if unlock, err = LockWindow(folder); err != nil || unlock() != nil {
		t.Errorf("after the first: %v", err)
	}
}

func TestSTEER01_WhatWaitsIsKept(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "do it")
	shown := message.Content{{Type: message.ImageBlock, Name: "a.png", Data: []byte("png")}}
	want := []message.Prompt{{ID: "p1", Text: "then this", Target: message.TargetRun, Blocks: shown}, {ID: "p2", Text: "and this", Target: message.TargetStep}}
	for _, queue := range [][]message.Prompt{want, nil, want[1:]} {
		if err := s.SetQueue(t.Context(), "s1", queue); err != nil {
			t.Fatal(err)
		}
		found, err := s.Session(t.Context(), "s1")
		if err != nil || !cmp.Equal(found.Queue, queue, cmpopts.EquateEmpty()) {
			t.Errorf("waits %v, want %v: %v", found.Queue, queue, err)
		}
	}
	if err := s.SetQueue(t.Context(), "none", want); !errors.Is(err, ErrNotFound) {
		t.Errorf("a session that is not there: %v", err)
	}
}

func TestDeletedWordsThatAreBeingReadAreToldOf(t *testing.T) {
	folder := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := options(folder)
	o.Tell = func(string) { stop() } // it waits for readers
	s, _, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	other := openIn(t, folder)
	talk(t, s, session("s1", "/work"), "r1", "x")
	rows, err := other.reader.QueryContext(t.Context(), "SELECT data FROM events")
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	if err := s.Delete(ctx, "s1"); !errors.Is(err, ErrInLog) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Session(t.Context(), "s1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the conversation is still there: %v", err)
	}
}
