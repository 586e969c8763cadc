package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// spoiledIn makes a database in a folder whose conversations cannot be read as they are.
func spoiledIn(t *testing.T, folder string) (path string) {
	t.Helper()
	s := openIn(t, folder)
	for i := range 5 {
		talk(t, s, session(fmt.Sprintf("s%d", i), "/work"), fmt.Sprintf("r%d", i), strings.Repeat("word ", 100))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(folder, databaseName)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_, err = file.WriteAt(make([]byte, 16), 0)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestREL02_WhatStandsInTheLogIsSaved(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	talk(t, s, session("s1", "/work"), "r1", "one")
	if err := s.emptyLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	talk(t, s, session("s1", "/work"), "r2", "two")
	// A crash leaves the log; the file is spoiled, and so is the last thing in the log.
	crashed := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(filepath.Join(folder, databaseName+suffix))
		if err != nil {
			t.Fatal(err)
		}
		if suffix == "" {
			clear(text[:16])
		} else {
			text[len(text)-1] ^= 1
		}
		if err := os.WriteFile(filepath.Join(crashed, databaseName+suffix), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rescued, damage, err := Open(t.Context(), options(crashed))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rescued.Close() }()
	if damage == nil || damage.Saved != (Counts{1, 4, 11}) || damage.Lost != (Counts{}) {
		t.Errorf("got %v", damage)
	}
	if messages, err := messagesOf(t, rescued, "s1"); err != nil || len(messages) != 4 || messages[2].Text() != "two\n\nsurroundings" {
		t.Errorf("messages: %+v, %v", messages, err)
	}
}

func TestREL02_WhatAnotherHasOpenIsNotSetAside(t *testing.T) {
	folder := t.TempDir()
	path := spoiledIn(t, folder)
	unlock, err := tryShare(folder, inUseName)
	if err != nil {
		t.Fatal(err)
	}
	before := everything(t, folder)
	if _, damage, err := Open(t.Context(), options(folder)); !errors.Is(err, errInUse) || damage != nil {
		t.Errorf("got %v, %v", damage, err)
	}
	if !bytes.Equal(before, everything(t, folder)) {
		t.Error("the files were changed")
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	s, damage, err := Open(t.Context(), options(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if damage == nil || damage.Saved.Conversations != 5 {
		t.Errorf("afterwards: %v", damage)
	}
	if _, err := os.Stat(path + rescuing); err == nil {
		t.Error("a rescue is left unfinished")
	}
}

func TestREL02_ASettingAsideThatIsCutOffIsFinished(t *testing.T) {
	const stamp = "2026-11-23T10-00-00.000"
	for _, renamed := range suffixes {
		t.Run("up to the file"+renamed, func(t *testing.T) {
			folder := t.TempDir()
			path := spoiledIn(t, folder)
			if err := os.WriteFile(path+"-wal", []byte("of the damaged one"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := rebuildDatabase(t.Context(), path, path+rescuing); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+rescuing, path+rescuedName+stamp); err != nil {
				t.Fatal(err)
			}
			for _, suffix := range suffixes[:slices.Index(suffixes, renamed)+1] {
				if err := os.Rename(path+suffix, path+damagedName+stamp+suffix); err != nil && suffix != "-shm" {
					t.Fatal(err)
				}
			}
			s, damage, err := Open(t.Context(), options(folder))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			if damage == nil || damage.Path != path+damagedName+stamp || damage.Saved.Conversations != 5 {
				t.Errorf("got %v", damage)
			}
			if log, err := os.ReadFile(path + damagedName + stamp + "-wal"); err != nil || string(log) != "of the damaged one" {
				t.Errorf("the log of the damaged one: %q, %v", log, err)
			}
			if sessions, err := s.Sessions(t.Context(), "", All, 10); err != nil || len(sessions) != 5 {
				t.Errorf("%d conversations, %v", len(sessions), err)
			}
		})
	}
}

func TestREL02_RescueAddsWhatIsMissing(t *testing.T) {
	elsewhere := t.TempDir()
	file := spoiledIn(t, elsewhere)
	before := everything(t, elsewhere)
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", strings.Repeat("word ", 100)) // its times are others
	talk(t, s, session("own", "/work"), "r-own", "my own")
	for _, want := range []Rescued{{Added: 4, Both: 1}, {Known: 5}} {
		want.Saved = Counts{5, 10, 30}
		got, err := s.Rescue(t.Context(), file)
		if err != nil || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
		sessions, err := s.Sessions(t.Context(), "/work", All, 10)
		if err != nil || len(sessions) != 7 || sessions[0].ID != "own" {
			t.Errorf("%d conversations, %v, the last one %s", len(sessions), err, sessions[0].ID)
		}
		for _, each := range sessions {
			messages, err := messagesOf(t, s, each.ID)
			if err != nil || len(messages) != 2 {
				t.Errorf("%s has %d messages, %v", each.ID, len(messages), err)
			}
			for _, m := range messages {
				for _, part := range m.Parts {
					if m.SessionID != each.ID || part.SessionID != each.ID || part.MessageID != m.ID {
						t.Errorf("%s has a part of conversation %s and message %s", each.ID, part.SessionID, part.MessageID)
					}
				}
			}
		}
	}
	if !bytes.Equal(before, everything(t, elsewhere)) {
		t.Error("the file was changed")
	}
	if _, err := s.Rescue(t.Context(), s.path); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("its own file: %v", err)
	}
	if left, err := filepath.Glob(s.path + rescuing + "*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
