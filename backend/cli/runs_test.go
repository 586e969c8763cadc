package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// newTestRuns are runs of a model that says yes when turn has a value for it.
func newTestRuns(t *testing.T) (r *runs, b *backend.Backend, turn chan struct{}) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere") // no keyring of the user who runs the tests
	turn = make(chan struct{}, 2)
	server := llmtest.Script("text yes\n---\ntext yes")
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-turn
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		close(turn) // else the server waits for a request that was given up
		model.Close()
	})
	folders, err := settings.FindFolders(t.TempDir())
	must(t, err)
	b, err = backend.Open(backend.Options{Folders: folders, LogLevel: "info"})
	must(t, err)
	t.Cleanup(func() { _ = b.Close(context.Background()) })
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: model.URL + "/v1", Model: "any"}, func(string) string { return "" })
	must(t, err)
	conversation, err := b.OpenConversation(t.Context(), backend.Task{
		Folder: t.TempDir(), Unsaved: true, Endpoint: endpoint, Mode: session.React,
		Limits: message.Limits{
			MaxSteps: 5, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
	})
	must(t, err)
	t.Cleanup(func() { _ = conversation.Close(context.Background()) })
	return newRuns(conversation.Driver), b, turn
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// beginWithAnother begins the first run, with a prompt that waits for the second.
func (r *runs) beginWithAnother(t *testing.T) *session.Run {
	t.Helper()
	run, err := r.BeginRun("one")
	must(t, err)
	must(t, r.queuePrompt("two", message.TargetRun))
	return run
}

func TestCAN01_NoRunBeginsAfterACancelBetweenTwo(t *testing.T) {
	r, _, turn := newTestRuns(t)
	run := r.beginWithAnother(t)
	turn <- struct{}{}
	run.Wait()
	if err := r.Cancel(); err == nil {
		t.Error("a run that has ended was cancelled")
	}
	must(t, r.Finish())
	if all := slices.Collect(r.all); len(all) != 1 || r.countLeft() != 1 || r.exitCode() != exitCancelled {
		t.Errorf("%d runs, %d prompts left, exit %d", len(all), r.countLeft(), r.exitCode())
	}
	if err := r.queuePrompt("three", message.TargetRun); err == nil {
		t.Error("a prompt is taken that nobody will run")
	}
}

func TestCAN01_ACancelReachesARunThatBegins(t *testing.T) {
	r, _, _ := newTestRuns(t)
	_ = r.Cancel() // while there is none
	_, err := r.BeginRun("one")
	must(t, err)
	must(t, r.Finish())
	if code := r.exitCode(); code != exitCancelled {
		t.Errorf("exit %d", code)
	}
}

func TestCLI01_ARunThatCannotBeginIsAnError(t *testing.T) {
	r, b, turn := newTestRuns(t)
	run := r.beginWithAnother(t)
	turn <- struct{}{}
	run.Wait()
	must(t, b.Sessions.EndRuns(t.Context()))
	err := r.Finish()
	if all := slices.Collect(r.all); err == nil || r.countLeft() != 1 || len(all) != 1 {
		t.Errorf("%v; %d runs, %d prompts left", err, len(all), r.countLeft())
	}
}
