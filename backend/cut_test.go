package backend_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/store"
)

// TestREL04_FoldersOfAFileThatWasNotWrittenGo is a process that ended while it wrote a file into
// folders that it had made for it, where that has a temporary name until it is whole.
func TestREL04_FoldersOfAFileThatWasNotWrittenGo(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	folders, err := settings.FindFolders(filepath.Join(t.TempDir(), "state"))
	must(t, err)
	must(t, settings.MakeFolder(folders.Data))
	work, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	cutOff(t, folders, work)

	b, err := backend.Open(backend.Options{Folders: folders, LogLevel: "info"})
	must(t, err)
	_, err = b.Sessions.List(t.Context(), "", session.Current, 10)
	must(t, err)
	must(t, b.Close(context.Background()))
	entries, err := os.ReadDir(work)
	must(t, err)
	if len(entries) > 0 {
		t.Errorf("%s is left", entries[0].Name())
	}
}

// cutOff leaves what a process that was killed leaves: a saved conversation, a change of it
// that is open, a file half written, and that on record.
func cutOff(t *testing.T, folders settings.Folders, work string) {
	t.Helper()
	s, damage, err := store.Open(t.Context(), store.Options{Folder: folders.Data, Redact: bytes.Clone})
	if err != nil || damage != nil {
		t.Fatal(err, damage)
	}
	stream := event.NewKeptStream("r1", "s1", s.Record(t.Context(), store.Session{ID: "s1", Workspace: work, Title: "cut"}), func(err *event.NotKeptError) { t.Error(err) })
	stream.Publish(event.LifecycleStart{Prompt: "Do it.", Model: "any"})
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted})
	folder := change.State{Kind: change.Folder}
	must(t, s.SaveSets(t.Context(), true, change.Set{
		ID: "c1", SessionID: "s1", RunID: "r1", CallID: "call", Made: time.Now(), Open: true, Source: change.ByTool,
		Changes: []change.Change{
			{Path: "new", Op: change.MakeFolder, After: folder},
			{Path: "new/deep", Op: change.MakeFolder, After: folder},
			{Path: "new/deep/note.txt", Op: change.Create, After: change.State{Kind: change.File, Size: 4}},
		},
	}))
	must(t, s.Close())

	name := filepath.Join("new", "deep", leftover.TemporaryName())
	must(t, os.MkdirAll(filepath.Join(work, "new", "deep"), 0o755))
	must(t, os.WriteFile(filepath.Join(work, name), []byte("ne"), 0o644))
	records := filepath.Join(folders.State, "left")
	living := leftover.New(records)
	_, err = living.Add(leftover.Thing{Kind: leftover.File, Root: leftover.Path(work), Name: leftover.Path(name), Size: 4, Since: time.Now()})
	must(t, err)
	// A record that nobody holds is that of a dead process.
	all, err := os.ReadDir(records)
	must(t, err)
	for _, e := range all {
		text, err := os.ReadFile(filepath.Join(records, e.Name()))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(records, "dead"), text, 0o600))
	}
	must(t, living.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
