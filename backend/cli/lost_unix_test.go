//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestREL02_ARunWhoseDatabaseIsLostIsWrittenOut takes the database from under a run that
// waits for an answer.
func TestREL02_ARunWhoseDatabaseIsLostIsWrittenOut(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(folder string) error{
		"deleted":        func(folder string) error { return os.Remove(filepath.Join(folder, "fairlead.db")) },
		"folder deleted": os.RemoveAll,
		"log deleted":    func(folder string) error { return os.Remove(filepath.Join(folder, "fairlead.db-wal")) },
		"emptied":        func(folder string) error { return os.Truncate(filepath.Join(folder, "fairlead.db"), 0) },
		"replaced": func(folder string) error {
			other := filepath.Join(folder, "other.db")
			text, err := os.ReadFile(filepath.Join(folder, "fairlead.db"))
			if err != nil {
				return err
			}
			if err := os.WriteFile(other, text, 0o600); err != nil {
				return err
			}
			return os.Rename(other, filepath.Join(folder, "fairlead.db"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newPlace(t, "text I write it.\n"+writeA+"\n---\ntext It is written.").start("--input", "jsonl")
			question := run.await("tool.confirm_request")
			run.must(lose(filepath.Join(home(run.root)["XDG_DATA_HOME"], "fairlead")))
			run.say(`{"type":"confirm","callId":"` + question.field("callId") + `","hash":"` + question.field("hash") + `","decision":"approve"}`)
			end := run.ends(1)
			if end.Type != "lifecycle.error" || end.field("reason") != "error" || end.field("code") != "STORAGE" {
				t.Fatalf("the end: %s %v", end.Type, end.Data)
			}
			// The decision is what is synced first, and it could not be.
			if last := run.seen[len(run.seen)-2]; last.Type != "tool.confirm_request" {
				t.Errorf("shown after the database was lost: %s", last.Type)
			}
			_, path, found := strings.Cut(end.field("message"), "what was shown of this run is in ")
			if !found {
				t.Fatalf("it says %q", end.field("message"))
			}
			text, err := os.ReadFile(path)
			run.must(err)
			written, err := parseEvents(string(text))
			run.must(err)
			if diff := cmp.Diff(run.seen, written); diff != "" {
				t.Errorf("the file (- shown, + written):\n%s", diff)
			}
		})
	}
}
