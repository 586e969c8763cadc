package store

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// withSteps is the schema of this program with more steps after it.
func withSteps(t *testing.T, more fstest.MapFS) schema {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(loadMigrations().files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(loadMigrations().files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	for name, file := range more {
		files[name] = file
	}
	return schema{files}
}

// copyOf is a folder with a copy of a database of testdata.
func copyOf(t *testing.T, name string) string {
	t.Helper()
	folder := t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, databaseName), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestST01_DatabasesOfEverySchemaAreOpened(t *testing.T) {
	for name, off := range map[string][]string{"schema1.db": nil, "schema2.db": {"shell", "web"}, "schema3.db": {"shell", "web"}, "schema4.db": {"shell", "web"}, "schema5.db": {"shell", "web"}, "schema6.db": {"shell", "web"}, "schema7.db": {"shell", "web"}, "schema8.db": {"shell", "web"}, "schema9.db": {"shell", "web"}} {
		t.Run(name, func(t *testing.T) {
			// What a run of this program saves is what one of the older saved.
			messages, events := talk(t, openIn(t, t.TempDir()), session("s1", "/work"), "r1", "do it")
			folder := copyOf(t, name)
			for range 2 { // the second time it has this schema already
				s := openIn(t, folder)
				found, err := s.Session(t.Context(), "s1")
				if err != nil || found.Title != "A title" || found.Workspace != "/work" || found.Reason != message.ReasonCompleted {
					t.Errorf("session %+v, %v", found, err)
				}
				if diff := cmp.Diff(off, found.GroupsOff); diff != "" {
					t.Errorf("switched off:\n%s", diff)
				}
				said, err := messagesOf(t, s, "s1")
				if diff := cmp.Diff(messages, said); diff != "" || err != nil {
					t.Errorf("messages: %v\n%s", err, diff)
				}
				run, err := s.Run(t.Context(), "r1")
				if err != nil {
					t.Fatal(err)
				}
				happened, err := s.Events(t.Context(), run, 0)
				if diff := cmp.Diff(events, happened, cmpopts.IgnoreFields(event.Event{}, "TS")); diff != "" || err != nil {
					t.Errorf("events: %v\n%s", err, diff)
				}
			}
			s := openIn(t, folder)
			if err := s.SetGroupsOff(t.Context(), "s1", []string{"files"}); err != nil {
				t.Fatal(err)
			}
			talk(t, s, session("s1", "/work"), "r2", "go on")
			if found, err := s.Session(t.Context(), "s1"); err != nil || !slices.Equal(found.GroupsOff, []string{"files"}) {
				t.Errorf("after more work: %+v, %v", found, err)
			}
		})
	}
}

func TestADatabaseOpensAfterAMigration(t *testing.T) {
	folder := copyOf(t, "schema2.db")
	later := withSteps(t, fstest.MapFS{"00010_mark.sql": {Data: []byte("-- +goose Up\nALTER TABLE sessions ADD COLUMN mark TEXT NOT NULL DEFAULT 'new';\n")}})
	s, err := open(t.Context(), options(folder), filepath.Join(folder, databaseName), later)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	messages, err := messagesOf(t, s, "s1")
	if err != nil || len(messages) != 2 || messages[0].Text() != "do it\n\nsurroundings" {
		t.Errorf("messages: %+v, %v", messages, err)
	}
	var mark string
	if err := s.reader.QueryRow("SELECT mark FROM sessions").Scan(&mark); err != nil || mark != "new" {
		t.Errorf("mark %q, %v", mark, err)
	}
}

func TestASchemaFromTheFutureIsRefused(t *testing.T) {
	folder := copyOf(t, "schema1.db")
	db, err := sql.Open("sqlite", filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	before := everything(t, folder)
	_, _, err = Open(t.Context(), options(folder))
	var newer *NewerError
	if !errors.As(err, &newer) || newer.Has != 99 || newer.Knows != newest {
		t.Fatalf("got %v", err)
	}
	for _, words := range []string{"schema 99", "newer Fairlead", "install", folder} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%q does not say %q", err, words)
		}
	}
	if !bytes.Equal(before, everything(t, folder)) {
		t.Error("the refused database was changed")
	}
}

func TestREL02_ADamagedDatabaseOfANewerFairleadIsLeftAsItIs(t *testing.T) {
	folder := copyOf(t, "schema3.db")
	path := filepath.Join(folder, databaseName)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(text[:16])
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, damage, err := Open(t.Context(), options(folder))
	if newer, ok := errors.AsType[*NewerError](err); !ok || newer.Has != 99 || damage != nil {
		t.Errorf("got %v, %v", damage, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, text) {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestADamagedDatabaseIsSetAside(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"garbage":   func([]byte) []byte { return bytes.Repeat([]byte("no database "), 4000) },
		"cut":       func(text []byte) []byte { return text[:len(text)/2] },
		"no header": func(text []byte) []byte { return append(make([]byte, 100), text[100:]...) },
	} {
		t.Run(name, func(t *testing.T) {
			folder := copyOf(t, "schema1.db")
			path := filepath.Join(folder, databaseName)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			spoiled := spoil(text)
			if err := os.WriteFile(path, spoiled, 0o600); err != nil {
				t.Fatal(err)
			}
			s, damage, err := Open(t.Context(), options(folder))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			if damage == nil {
				t.Fatal("nothing is said of the damage")
			}
			if aside, err := os.ReadFile(damage.Path); err != nil || !bytes.Equal(aside, spoiled) {
				t.Errorf("the damaged file is not what it was: %v", err)
			}
			talk(t, s, session("new", "/work"), "r", "go on")
		})
	}
}

var update = flag.Bool("update", false, "write the database of the newest schema anew")

// newest is the schema of this program.
const newest = 9

// TestWriteSchema makes the database of the newest schema in testdata. Each is made
// once, and those of older schemas stay: later ones must open what they wrote.
func TestWriteSchema(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	folder := t.TempDir()
	s := openIn(t, folder)
	saved := session("s1", "/work")
	saved.GroupsOff = []string{"shell", "web"}
	talk(t, s, saved, "r1", "do it")
	if err := s.SaveSets(t.Context(), true, exampleSet("s1", "r1")); err != nil {
		t.Fatal(err)
	}
	if err := s.emptyLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fmt.Sprintf("testdata/schema%d.db", newest), text, 0o600); err != nil {
		t.Fatal(err)
	}
}
