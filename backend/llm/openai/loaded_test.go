package openai_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
)

func TestLoadedWindow(t *testing.T) {
	for _, test := range []struct {
		name, server, path, body string
		want                     int
	}{
		{"Ollama", "ollama", "/api/ps", `{"models":[{"name":"other","context_length":1},{"name":"m","context_length":4096}]}`, 4096},
		{"Ollama's latest", "ollama", "/api/ps", `{"models":[{"name":"m:latest","context_length":8192}]}`, 8192},
		{"Ollama has let it go", "ollama", "/api/ps", `{"models":[]}`, 0},
		{"an old Ollama", "ollama", "/api/none", ``, 0},
		{"LM Studio", "lmstudio", "/api/v0/models", `{"data":[{"id":"x","loaded_context_length":1},{"id":"m","loaded_context_length":5000,"max_context_length":9000}]}`, 5000},
		{"LM Studio, not loaded", "lmstudio", "/api/v0/models", `{"data":[{"id":"m","max_context_length":9000}]}`, 0},
		{"llama.cpp", "llamacpp", "/props", `{"default_generation_settings":{"n_ctx":16384},"total_slots":1}`, 16384},
		{"vLLM", "vllm", "/v1/models", `{"data":[{"id":"m","max_model_len":40960}]}`, 40960},
		{"no number", "llamacpp", "/props", `{"default_generation_settings":{"n_ctx":"many"}}`, 0},
		{"less than nothing", "llamacpp", "/props", `{"default_generation_settings":{"n_ctx":-1}}`, 0},
		{"no JSON", "vllm", "/v1/models", `<html>`, 0},
		{"another server", "openai", "/v1/models", `{"data":[{"id":"m","max_model_len":40960}]}`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("GET "+test.path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(test.body)) })
			server := httptest.NewServer(mux)
			defer server.Close()
			if got := openai.LoadedWindow(t.Context(), protocol.Config{BaseURL: server.URL + "/v1", Model: "m"}, test.server); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}
