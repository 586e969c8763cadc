package backend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/settings"
	"fairlead/backend/skill"
	"fairlead/backend/store"
)

var update = flag.Bool("update", false, "write the displays that the tests of the page use")

// saveOldCalls saves a run with a call to each built-in tool, as earlier versions did.
func saveOldCalls(t *testing.T, folder string) {
	t.Helper()
	s, damage, err := store.Open(t.Context(), store.Options{Folder: folder, Redact: bytes.Clone})
	if err != nil || damage != nil {
		t.Fatal(err, damage)
	}
	groups, err := backend.ToolGroups(true)
	if err != nil {
		t.Fatal(err)
	}
	session := store.Session{ID: "s1", Workspace: t.TempDir(), Title: "old"}
	stream := event.NewKeptStream("r1", "s1", s.Record(t.Context(), session), func(err *event.NotKeptError) { t.Error(err) })
	stream.Publish(event.LifecycleStart{Prompt: "Do it.", Model: "any"})
	for _, group := range groups {
		for _, name := range group.Tools {
			stream.Publish(event.ToolCall{CallID: "c-" + name, ToolName: name, Arguments: json.RawMessage(`{}`)})
		}
	}
	stream.Publish(event.ToolCall{CallID: "c", ToolName: "no_such_tool"})
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTOOL08_CallsThatWereSavedWithoutADisplayHaveThatOfTheirTool also compares those
// displays with what the page is tested with; -update writes that anew.
func TestTOOL08_CallsThatWereSavedWithoutADisplayHaveThatOfTheirTool(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	folders, err := settings.FindFolders(filepath.Join(t.TempDir(), "state"))
	if err != nil {
		t.Fatal(err)
	}
	if err := settings.MakeFolder(folders.Data); err != nil {
		t.Fatal(err)
	}
	saveOldCalls(t, folders.Data)
	b, err := backend.Open(backend.Options{Folders: folders, LogLevel: "info"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close(context.Background()) }()
	run, err := b.Sessions.FindRun(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	events, err := b.Sessions.Events(t.Context(), run, 0)
	if err != nil {
		t.Fatal(err)
	}
	found, i := map[string]*message.Display{}, 0
	for e, err := range b.Sessions.EachEvent(t.Context(), run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(events[i], e); diff != "" {
			t.Errorf("read at once and one by one, an event differs:\n%s", diff)
		}
		i++
		if call, ok := e.Data.(event.ToolCall); ok {
			found[call.ToolName] = call.Display
		}
	}
	if display, called := found["no_such_tool"]; !called || display != nil {
		t.Errorf("a call to no tool is shown as %+v", display)
	}
	delete(found, "no_such_tool")
	delete(found, skill.ToolName) // no call of it was saved without one
	compareDisplays(t, found)
}

func compareDisplays(t *testing.T, found map[string]*message.Display) {
	t.Helper()
	path := filepath.Join("..", "frontend", "src", "testing", "displays.json")
	if *update {
		text, err := json.MarshalIndent(found, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tested map[string]*message.Display
	if err := json.Unmarshal(text, &tested); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(found, tested); diff != "" {
		t.Errorf("the page is tested with other displays than the tools have (- tools, + tests): "+
			"go test ./backend -run TOOL08 -update writes them\n%s", diff)
	}
}
