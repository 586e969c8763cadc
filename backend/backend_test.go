package backend_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open opens a backend whose state lies in a folder of its own.
func open(t *testing.T) (*backend.Backend, string) {
	t.Helper()
	// No test on Linux asks the keyring of the user.
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	dir := filepath.Join(t.TempDir(), "state")
	folders, err := settings.FindFolders(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.Open(backend.Options{Folders: folders, LogLevel: "info"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return b, dir
}

func tour(t *testing.T, folder string) backend.Task {
	t.Helper()
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{Provider: catalog.Demo}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return backend.Task{
		Folder: folder, Endpoint: endpoint, Mode: session.React, Approve: approve.All,
		Limits: message.Limits{
			MaxSteps: 20, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 4,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
	}
}

// begin begins a run in a new conversation.
func begin(t *testing.T, b *backend.Backend, task backend.Task, prompt string) (*backend.Conversation, *session.Run) {
	t.Helper()
	conversation, err := b.OpenConversation(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	run, err := conversation.BeginRun(prompt)
	if err != nil {
		t.Fatal(err)
	}
	return conversation, run
}

func TestWS04_FairleadsOwnFoldersAreNoWorkspace(t *testing.T) {
	b, dir := open(t)
	for _, folder := range []string{dir, filepath.Join(dir, "outputs"), filepath.Dir(dir)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := b.OpenConversation(t.Context(), tour(t, folder))
		var refused *workspace.RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: got %v, want it refused", folder, err)
		}
	}
}

func TestTheTourDoesItsJobAndLeavesNoState(t *testing.T) {
	b, dir := open(t)
	prepared, err := b.PrepareTour(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	conversation, run := begin(t, b, tour(t, prepared.Folder), prepared.Prompt)
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Errorf("ended %s: %v", result.Reason, result.Err)
	}
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(prepared.Folder, "budget.csv"))
	if err != nil || !strings.Contains(string(text), "total,,,470") {
		t.Errorf("the budget was not corrected: %q, %v", text, err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "outputs")); len(left) != 0 {
		t.Errorf("outputs left: %v", left)
	}
}

func TestTheTourWritesIntoEmptyFoldersOnly(t *testing.T) {
	b, dir := open(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	ignored := t.TempDir()
	for name, text := range map[string]string{".gitignore": "*\n", "README.md": "mine"} {
		if err := os.WriteFile(filepath.Join(ignored, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var usage *catalog.UsageError
	for _, dir := range []string{full, ignored} {
		if _, err := b.PrepareTour(dir); !errors.As(err, &usage) {
			t.Errorf("a folder with files: %v", err)
		}
	}
	own := filepath.Join(dir, "outputs")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := b.PrepareTour(own); err == nil {
		t.Error("the tour wrote into Fairlead's own folder")
	}
}
