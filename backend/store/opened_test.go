//go:build !race

// Thousands of messages take the race detector many times as long, and one goroutine reads them.

package store

import (
	"compress/bzip2"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

// longDatabase is a folder with the database of the long conversation that a build of a
// schema wrote.
func longDatabase(t *testing.T, schema int) string {
	t.Helper()
	folder := t.TempDir()
	packed, err := os.Open(fmt.Sprintf("testdata/long%d.db.bz2", schema))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }() // it is only read
	text, err := io.ReadAll(bzip2.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, databaseName), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// wasMigrated reports the newest schema of a database, as older builds ask for it.
func wasMigrated(t *testing.T, s *Store) (schema int64) {
	t.Helper()
	if err := s.reader.QueryRow("SELECT max(version_id) FROM goose_db_version").Scan(&schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// parseMessage reads a message of any schema from its JSON.
func parseMessage(t *testing.T, text string) message.Message {
	t.Helper()
	var m struct {
		message.Message
		Parts []json.RawMessage `json:"parts"`
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	for _, text := range m.Parts {
		part, err := message.ParsePart(text)
		if err != nil {
			t.Fatal(err)
		}
		m.Message.Parts = append(m.Message.Parts, part)
	}
	return m.Message
}

func TestPART04_ALongConversationOfEverySchemaIsThere(t *testing.T) {
	for schema := 1; schema <= newest; schema++ {
		t.Run(fmt.Sprintf("schema %d", schema), func(t *testing.T) {
			t.Parallel()
			s := openIn(t, longDatabase(t, schema))
			if got := wasMigrated(t, s); got != newest {
				t.Errorf("it has schema %d", got)
			}
			number := 0
			for m, err := range s.EachMessage(t.Context(), "s1") {
				if err != nil {
					t.Fatal(err)
				}
				m, err = s.WithData(t.Context(), m)
				if diff := cmp.Diff(parseMessage(t, longMessage(schema, number)), m); diff != "" || err != nil {
					t.Fatalf("message %d: %v\n%s", number, err, diff)
				}
				number++
			}
			if number != longRuns*longRun {
				t.Errorf("%d messages", number)
			}
			for range 2 { // the second time they are kept
				outlines, _, err := s.Outlines(t.Context(), "s1")
				if err != nil || len(outlines) != number {
					t.Fatalf("%d outlines, %v", len(outlines), err)
				}
				for _, m := range outlines {
					for _, part := range m.Parts {
						if part.Lost || part.Left != nil && part.Left.Output < 1024 && part.Left.Text < 1024 {
							t.Fatalf("an outline is %+v", part)
						}
					}
				}
			}
			runs, err := s.Runs(t.Context(), "s1")
			if err != nil || len(runs) != longRuns {
				t.Fatalf("%d runs, %v", len(runs), err)
			}
			for _, run := range runs {
				if events, err := s.Events(t.Context(), run, 0); err != nil || len(events) < 6 {
					t.Fatalf("%d events of %s, %v", len(events), run.ID, err)
				}
			}
			talk(t, s, session("s1", "/work"), "next", "go on")
			if messages, err := messagesOf(t, s, "s1"); err != nil || len(messages) != number+2 {
				t.Errorf("%d messages after another run, %v", len(messages), err)
			}
		})
	}
}

// No row is rewritten by a migration: it takes as long for a large database as for a small
// one.
func TestPART04_AMigrationLeavesRowsAsTheyAre(t *testing.T) {
	folder := longDatabase(t, 4)
	before, err := os.Stat(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	s := openIn(t, folder)
	log, err := os.Stat(s.path + "-wal")
	if err != nil || log.Size() > before.Size()/20 {
		t.Errorf("of %d bytes %d were written, %v", before.Size(), log.Size(), err)
	}
}
