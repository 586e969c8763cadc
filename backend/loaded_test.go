package backend_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// TestCTX02_ALocalServerSaysWhatItLoaded has an Ollama whose model was loaded with a
// small window, which it would cut a long conversation to without a word.
func TestCTX02_ALocalServerSaysWhatItLoaded(t *testing.T) {
	for given, want := range map[int]int{0: 4096, 9000: 9000} {
		asked := 0
		mux := http.NewServeMux()
		mux.Handle("/v1/", llmtest.Script("call c1 list_files {}\n---\ntext Done."))
		mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, _ *http.Request) {
			asked++
			_, _ = w.Write([]byte(`{"models":[{"name":"m:latest","context_length":4096}]}`))
		})
		server := httptest.NewServer(mux)
		t.Setenv("OLLAMA_HOST", server.URL)
		b, _ := open(t)
		task := tour(t, t.TempDir())
		task.Endpoint, task.Limits.ContextWindow = located(t, "ollama", "m"), given
		conversation, run := begin(t, b, task, "Go.")
		run.Wait()
		var seen []int
		events, err := run.Events.Since(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if usage, ok := e.Data.(event.UsageData); ok {
				seen = append(seen, usage.Window)
			}
		}
		if len(seen) != 2 || seen[0] != want || seen[1] != want || asked > 1 {
			t.Errorf("given %d, the windows of the replies are %v; the server was asked %d times", given, seen, asked)
		}
		if learned := b.Models.Facts(task.Endpoint).Window; given == 0 && learned != 4096 {
			t.Errorf("learned %d", learned)
		}
		if err := conversation.Close(context.Background()); err != nil {
			t.Error(err)
		}
		server.Close()
	}
}

// beginOnOllama begins a run with the model m of an Ollama.
func beginOnOllama(t *testing.T, ollama http.Handler) (*backend.Conversation, *session.Run) {
	t.Helper()
	server := httptest.NewServer(ollama)
	t.Cleanup(server.Close)
	t.Setenv("OLLAMA_HOST", server.URL)
	b, _ := open(t)
	task := tour(t, t.TempDir())
	task.Endpoint = located(t, "ollama", "m")
	return begin(t, b, task, "Go.")
}

// TestMOD05_ASmallWindowIsToldBeforeTheTask has an Ollama that has not loaded the model yet,
// and loads it with its usual 4096 tokens. It is told to before the first request, which has
// the essential tools only.
func TestMOD05_ASmallWindowIsToldBeforeTheTask(t *testing.T) {
	var order []string
	loaded := `[]`
	model := llmtest.Script("text Done.")
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		order = append(order, r.URL.Path)
		model.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, r *http.Request) {
		order = append(order, r.URL.Path)
		_, _ = io.WriteString(w, `{"models":`+loaded+`}`)
	})
	mux.HandleFunc("POST /api/generate", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		order = append(order, r.URL.Path+" "+string(body))
		loaded = `[{"name":"m:latest","context_length":4096}]`
		_, _ = io.WriteString(w, `{"model":"m","response":"","done":true,"done_reason":"load"}`)
	})
	conversation, run := beginOnOllama(t, mux)
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Fatalf("%s: %v", result.Reason, result.Err)
	}
	want := []string{"/api/ps", `/api/generate {"model":"m","stream":false}`, "/api/ps", "/v1/chat/completions"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("requests (- want, + got):\n%s", diff)
	}
	var request struct {
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(model.Requests()[0].Body, &request); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, offered := range request.Tools {
		names = append(names, offered.Function.Name)
	}
	if got := strings.Join(names, " "); got != "edit_file list_files read_file search_files shell write_file" {
		t.Errorf("offered %s", got)
	}
	events, err := run.Events.Since(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	told := event.RequestWeakened{What: message.WeakTools, Asked: "12", Sent: "6", Window: 4096, Server: "ollama"}
	if diff := cmp.Diff(event.Data(told), events[1].Data); diff != "" {
		t.Errorf("the second event (- want, + got):\n%s", diff)
	}
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestCAN01_ARunIsCancelledWhileItsModelIsLoaded has an Ollama that loads the model for as
// long as somebody waits for it.
func TestCAN01_ARunIsCancelledWhileItsModelIsLoaded(t *testing.T) {
	loading := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"models":[]}`) })
	mux.HandleFunc("POST /api/generate", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that nobody waits
		close(loading)
		<-r.Context().Done()
	})
	conversation, run := beginOnOllama(t, mux)
	<-loading
	cancelled := time.Now()
	if err := conversation.Cancel(); err != nil {
		t.Error(err)
	}
	if result := run.Wait(); result.Reason != message.ReasonCancelled || time.Since(cancelled) > 10*time.Second {
		t.Errorf("%s after %v: %v", result.Reason, time.Since(cancelled), result.Err)
	}
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
