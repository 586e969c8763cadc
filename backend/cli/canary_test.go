package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// refusals tell of each class of error, and repeat the key that came with the request
// in every place that a provider has for words. CANARY stands for it.
var refusals = map[string]struct {
	status int
	kind   string
	body   string
	code   string
}{
	"rate":      {429, "application/json", `{"error":{"message":"slow down, CANARY","code":"rate_limit_exceeded","type":"CANARY"}}`, "RATE_LIMITED"},
	"quota":     {429, "application/json", `{"error":{"message":"CANARY has no credit","code":"insufficient_quota","param":"CANARY"}}`, "QUOTA"},
	"busy":      {503, "text/plain", `overloaded CANARY`, "OVERLOADED"},
	"key":       {401, "application/json", `{"error":{"message":"Incorrect API key provided: CANARY","code":"invalid_api_key"}}`, "AUTH"},
	"key list":  {400, "application/json", `[{"error":{"message":"API key CANARY not valid","details":[{"reason":"API_KEY_INVALID","metadata":"CANARY"}]}}]`, "AUTH"},
	"model":     {404, "application/json", `{"error":{"message":"no model for CANARY","code":"CANARY"}}`, "MODEL_NOT_FOUND"},
	"request":   {400, "application/json", `{"detail":[{"msg":"bad CANARY"}]}`, "BAD_REQUEST"},
	"filter":    {400, "application/json", `{"error":{"message":"CANARY","code":"content_filter"}}`, "FILTERED"},
	"overflow":  {400, "application/json", `{"error":{"message":"maximum context length is 300 tokens, CANARY","code":"context_length_exceeded"}}`, "CONTEXT_OVERFLOW"},
	"web page":  {502, "text/html", `<html><title>CANARY</title><h1>CANARY</h1></html>`, "OVERLOADED"},
	"no reply":  {200, "application/json", `{"hello":"CANARY"}`, "MALFORMED"},
	"no JSON":   {200, "text/plain", `{"CANARY`, "MALFORMED"},
	"in stream": {200, "text/event-stream", "data: {\"error\":{\"message\":\"CANARY\",\"code\":\"CANARY\"}}\n\n", "OVERLOADED"},
	"bad chunk": {200, "text/event-stream", "data: {\"choices\":[CANARY]}\n\n", "MALFORMED"},
	"cut":       {200, "text/event-stream", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"CANARY\"}}]}\n\n", "TRUNCATED"},
	"in an id":  {200, "text/event-stream", "data: {\"id\":\"CANARY\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"id\":\"CANARY\",\"function\":{\"name\":\"CANARY\",\"arguments\":\"{}\"}}]}}]}\n\n", "TRUNCATED"},
}

// TestSEC05_TheKeyInEveryErrorIsNowhere has a server repeat the key in its errors. The
// place looks through all files afterwards.
func TestSEC05_TheKeyInEveryErrorIsNowhere(t *testing.T) {
	for name, refusal := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, "")
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
				if key != canary {
					t.Errorf("the key that came is %d bytes long", len(key))
				}
				w.Header().Set("Content-Type", refusal.kind)
				w.Header().Set("X-Request-Id", key)
				w.WriteHeader(refusal.status)
				_, _ = io.WriteString(w, strings.ReplaceAll(refusal.body, "CANARY", key))
			}))
			defer server.Close()
			output, code := p.finish("run", "--base-url", server.URL, "--model", "m", "--api-key-env", "CANARY_KEY", "--workspace", p.workspace,
				"--attempts", "1", "--no-compact", "--approve", "none", "--log-level", "debug", "--output", "jsonl", "Go.")
			if code != 1 || !strings.Contains(output, `"code":"`+refusal.code+`"`) {
				t.Errorf("exit %d, want code %s: %s", code, refusal.code, output)
			}
			if strings.Contains(output, canary) {
				t.Errorf("the key is in the output: %s", output)
			}
		})
	}
}

// finish runs a program to its end and returns what it wrote, and its exit code.
func (p *place) finish(args ...string) (output string, code int) {
	p.t.Helper()
	cmd := p.command(args...)
	var written bytes.Buffer
	cmd.Stdout, cmd.Stderr = &written, &written
	p.must(cmd.Start())
	<-awaitEnd(p.t, cmd)
	return written.String(), cmd.ProcessState.ExitCode()
}

// TestSEC07_NoRedirectTakesTheKeyElsewhere has a server send the client away in every
// way there is.
func TestSEC07_NoRedirectTakesTheKeyElsewhere(t *testing.T) {
	var asked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for way, location := range map[string]string{
			"other host": elsewhere.URL + "/v1/chat/completions?key=" + canary, "same host": "/v2/chat/completions", "no scheme": strings.TrimPrefix(elsewhere.URL, "http:"),
		} {
			t.Run(fmt.Sprint(status, " ", way), func(t *testing.T) {
				p := newPlace(t, "")
				requests := 0
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					requests++
					http.Redirect(w, r, location, status)
				}))
				defer server.Close()
				output, code := p.finish("run", "--base-url", server.URL, "--model", "m", "--api-key-env", "CANARY_KEY", "--workspace", p.workspace,
					"--approve", "none", "--log-level", "debug", "Go.")
				if code != 1 || requests != 1 || asked.Load() != 0 || strings.Contains(output, canary) || !strings.Contains(output, "redirects") {
					t.Errorf("exit %d after %d requests, %d elsewhere: %s", code, requests, asked.Load(), output)
				}
			})
		}
	}
}

// TestSEC07_AnotherBaseURLIsNotSentAProvidersKey reaches providers by an address that
// is not their own, with their keys in the environment.
func TestSEC07_AnotherBaseURLIsNotSentAProvidersKey(t *testing.T) {
	for _, provider := range []string{"", "openai", "deepseek", "openrouter"} {
		p := newPlace(t, "")
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			for name, values := range r.Header {
				if strings.Contains(strings.Join(values, " "), canary) {
					t.Errorf("%q: the key came as %s", provider, name)
				}
			}
			http.Error(w, "no", http.StatusTeapot)
		}))
		args := []string{"run", "--base-url", server.URL, "--model", "m", "--workspace", p.workspace, "--approve", "none", "Go."}
		if provider != "" {
			args = append(args, "--provider", provider)
		}
		cmd := p.command(args...)
		for _, variable := range []string{"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "OPENROUTER_API_KEY"} {
			cmd.Env = append(cmd.Env, variable+"="+canary)
		}
		p.must(cmd.Start())
		<-awaitEnd(t, cmd)
		server.Close()
		if asked != 1 {
			t.Errorf("%q: asked %d times", provider, asked)
		}
	}
}
