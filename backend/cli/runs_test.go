package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
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
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere") // no keyring of whoever tests
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
	conversation, err := b.Begin(t.Context(), backend.Task{
		Folder: t.TempDir(), Unsaved: true, Endpoint: endpoint, Mode: session.React,
		Limits: session.Limits{MaxSteps: 5, Run: time.Minute, Silence: time.Minute, Attempts: 1, Parallel: 1},
	})
	must(t, err)
	t.Cleanup(func() { _ = conversation.Close(context.Background()) })
	return newRuns(conversation, b.Sessions), b, turn
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCAN01_NoRunBeginsAfterACancelBetweenTwo(t *testing.T) {
	r, _, turn := newTestRuns(t)
	must(t, r.begin("one"))
	must(t, r.queue("two", message.TargetRun))
	turn <- struct{}{}
	r.at(0).Wait()
	if err := r.cancel(); err == nil {
		t.Error("a run that has ended was cancelled")
	}
	must(t, r.finish())
	if r.at(1) != nil || r.left() != 1 || r.code() != exitCancelled {
		t.Errorf("%d runs, %d prompts left, exit %d", len(r.all()), r.left(), r.code())
	}
	if err := r.queue("three", message.TargetRun); err == nil {
		t.Error("a prompt is taken that nobody will run")
	}
}

func TestCAN01_ACancelReachesARunThatBegins(t *testing.T) {
	r, _, _ := newTestRuns(t)
	_ = r.cancel() // while there is none
	must(t, r.begin("one"))
	must(t, r.finish())
	if code := r.code(); code != exitCancelled {
		t.Errorf("exit %d", code)
	}
}

func TestCLI01_ARunThatCannotBeginIsAnError(t *testing.T) {
	r, b, turn := newTestRuns(t)
	must(t, r.begin("one"))
	must(t, r.queue("two", message.TargetRun))
	turn <- struct{}{}
	r.at(0).Wait()
	must(t, b.Sessions.EndRuns(t.Context()))
	if err := r.finish(); err == nil || r.left() != 1 || r.at(1) != nil {
		t.Errorf("%v; %d runs, %d prompts left", err, len(r.all()), r.left())
	}
}
