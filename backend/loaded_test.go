package backend_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
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
