package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const hello = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`

// do sends a request and returns its status with the body.
func do(t *testing.T, server *httptest.Server, method, path, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestAScriptReplacesTheOneBefore(t *testing.T) {
	server := httptest.NewServer(newModel().newRoutes())
	defer server.Close()
	for _, word := range []string{"first", "second"} {
		if status, text := do(t, server, http.MethodPut, "/script", "text "+word+"\n---\ntext unused"); status != 204 {
			t.Fatalf("script: %d %s", status, text)
		}
		if _, text := do(t, server, http.MethodPost, "/v1/chat/completions", hello); !strings.Contains(text, word) {
			t.Errorf("the reply is %s, want %s", text, word)
		}
		if _, text := do(t, server, http.MethodGet, "/requests", ""); strings.TrimSpace(text) != "["+hello+"]" {
			t.Errorf("requests: %s", text)
		}
		if _, text := do(t, server, http.MethodGet, "/faults", ""); strings.TrimSpace(text) != "[]" {
			t.Errorf("faults: %s", text)
		}
	}
	if status, text := do(t, server, http.MethodPut, "/script", "sing"); status != 400 || !strings.Contains(text, "line 1") {
		t.Errorf("a script that makes no sense: %d %s", status, text)
	}
}

func TestAKeyIsAskedForOnceSet(t *testing.T) {
	server := httptest.NewServer(newModel().newRoutes())
	defer server.Close()
	if status, _ := do(t, server, http.MethodGet, "/v1/models", ""); status != 200 {
		t.Errorf("models without a key: %d", status)
	}
	do(t, server, http.MethodPut, "/key", "sk-canary-1\n")
	if status, _ := do(t, server, http.MethodGet, "/v1/models", ""); status != 401 {
		t.Errorf("models without the key: %d, want 401", status)
	}
	do(t, server, http.MethodPut, "/script", "text hi")
	if status, _ := do(t, server, http.MethodPost, "/v1/chat/completions", hello); status != 401 {
		t.Errorf("a task without the key: %d, want 401", status)
	}
}

func TestAFamilyTakesThePlaceOfTheScript(t *testing.T) {
	server := httptest.NewServer(newModel().newRoutes())
	defer server.Close()
	do(t, server, http.MethodPut, "/key", "sk-canary-1")
	for _, step := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{http.MethodPut, "/family", "deepsea", 400, "give one of openai,"},
		{http.MethodPut, "/family", "vllm quota", 400, "give one of [well"},
		{http.MethodPut, "/family", "mistral", 200, `"models":["`},
		{http.MethodGet, "/v1/models", "", 401, `{"detail":"Unauthorized"}`},
		{http.MethodPut, "/family", "openrouter quota\n", 200, `"quota"`},
		{http.MethodGet, "/v1/models", "", 200, `"context_length":200000`},
		{http.MethodPost, "/v1/chat/completions", hello, 401, "User not found."},
		{http.MethodGet, "/requests", "", 200, "[" + hello + "]"},
		{http.MethodPut, "/script", "text hi", 204, ""},
		{http.MethodGet, "/requests", "", 200, "[]"},
	} {
		status, text := do(t, server, step.method, step.path, step.body)
		if status != step.status || !strings.Contains(text, step.says) {
			t.Errorf("%s %s %s: %d %s, want %d %s", step.method, step.path, step.body, status, text, step.status, step.says)
		}
	}
}

func TestItEndsWithItsInput(t *testing.T) {
	in, end := io.Pipe()
	out, print := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(in, print) }()
	line := make([]byte, len("http://127.0.0.1:"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "http://127.0.0.1:" {
		t.Fatalf("first line %q: %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	_ = end.Close()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}
