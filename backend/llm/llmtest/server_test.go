package llmtest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hello = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`

func post(t *testing.T, client *http.Client, url, body string) (int, string) {
	t.Helper()
	response, err := client.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(body))
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

// both runs a test over loopback HTTP and in memory.
func both(t *testing.T, script string, test func(t *testing.T, server *Server, client *http.Client, url string)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		server := Script(script)
		test(t, server, &http.Client{Transport: server.RoundTripper()}, "http://scripted.invalid")
	})
	t.Run("loopback", func(t *testing.T) {
		server := Script(script)
		listening := httptest.NewServer(server)
		defer listening.Close()
		test(t, server, listening.Client(), listening.URL)
	})
}

func TestServerStreams(t *testing.T) {
	const script = `# a comment
text one
text " two\n"
chunk three
reasoning hm
call call_1 read_file {"path":"a b"}
call - ls
usage 10 2 3 1
---
raw : ping
cut
---
finish none
---
status 429 {"error":{"message":"slow down"}}
header Retry-After: 3
---
body text/html <html>`
	const head = `data: {"choices":[{"delta":`
	const tail = `"created":1735689600,"id":"chatcmpl-scripted","model":"m","object":"chat.completion.chunk"`
	delta := func(d string) string {
		return head + d + `,"finish_reason":null,"index":0}],` + tail + "}\n\n"
	}
	want := delta(`{"content":"one two\n"}`) + delta(`{"content":"three"}`) + delta(`{"reasoning_content":"hm"}`) +
		delta(`{"tool_calls":[{"function":{"arguments":"","name":"read_file"},"id":"call_1","index":0,"type":"function"}]}`) +
		delta(`{"tool_calls":[{"function":{"arguments":"{\"path\":\"a b\"}"},"index":0}]}`) +
		delta(`{"tool_calls":[{"function":{"arguments":"","name":"ls"},"index":1,"type":"function"}]}`) +
		head + `{},"finish_reason":"tool_calls","index":0}],` + tail + "}\n\n" +
		`data: {"choices":[],` + tail + `,"usage":{"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":1},` +
		`"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":3},"total_tokens":12}}` + "\n\ndata: [DONE]\n\n"
	both(t, script, func(t *testing.T, server *Server, client *http.Client, url string) {
		for i, want := range []struct {
			status int
			body   string
		}{
			{200, want},
			{200, ": ping\n"},
			{200, "data: [DONE]\n\n"},
			{429, `{"error":{"message":"slow down"}}`},
			{200, "<html>"},
			{500, `{"error":{"code":"script_exhausted","message":"no reply left","param":null,"type":"invalid_request_error"}}` + "\n"},
		} {
			status, body := post(t, client, url, hello)
			if status != want.status {
				t.Errorf("reply %d: status %d, want %d", i, status, want.status)
			}
			if diff := cmp.Diff(want.body, body); diff != "" {
				t.Errorf("reply %d (-want +got):\n%s", i, diff)
			}
		}
		if diff := cmp.Diff([]string{"request 6: no reply left"}, server.Faults()); diff != "" {
			t.Errorf("faults (-want +got):\n%s", diff)
		}
		if got := len(server.Requests()); got != 6 {
			t.Errorf("%d requests kept, want 6", got)
		}
	})
}

func TestServerRefuses(t *testing.T) {
	both(t, "text hi", func(t *testing.T, server *Server, client *http.Client, url string) {
		status, body := post(t, client, url, `{"model":"m","stream":true,"messages":[]}`)
		if status != 400 || !strings.Contains(body, "messages is empty") {
			t.Errorf("empty messages: %d %s", status, body)
		}
		server.Key = "sk-right"
		if status, _ := post(t, client, url, hello); status != 401 {
			t.Errorf("no key: status %d, want 401", status)
		}
		if server.Left() != 1 {
			t.Errorf("a refused request used up a reply")
		}
		request := server.Requests()[1]
		if request.Authorized || request.Header.Get("Authorization") != "" || string(request.Body) != hello {
			t.Errorf("request kept as %+v", request)
		}
		response, err := client.Get(url + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized {
			t.Errorf("models without the key: status %d, want 401", response.StatusCode)
		}
	})
}

func TestServerListsModels(t *testing.T) {
	both(t, "", func(t *testing.T, _ *Server, client *http.Client, url string) {
		response, err := client.Get(url + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if text, _ := io.ReadAll(response.Body); !strings.Contains(string(text), `"id":"scripted"`) {
			t.Errorf("models: %s", text)
		}
	})
}

func TestMemoryTimeIsVirtual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := Script("chunk a\nwait 1h\nchunk b\nhang")
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://x/chat/completions", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		response, err := server.RoundTripper().RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 2*time.Hour {
			t.Errorf("read ended after %v with %v", time.Since(start), err)
		}
		if got := strings.Count(string(text), "data: "); got != 2 {
			t.Errorf("%d chunks before the hang, want 2", got)
		}
		response.Body.Close()
	})
}

func TestMemoryCloseEndsHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := Script("chunk a\nhang")
		response, err := (&http.Client{Transport: server.RoundTripper()}).Post("http://x/chat/completions", "", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		// synctest fails the test when the handler outlives this.
		response.Body.Close()
	})
}

func TestMemoryCancelBeforeHeaders(t *testing.T) {
	for _, script := range []string{"hang", "wait 1h"} {
		synctest.Test(t, func(t *testing.T) {
			stop := errors.New("stop")
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, stop)
			defer cancel()
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://x/chat/completions", strings.NewReader(hello))
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, err = Script(script).RoundTripper().RoundTrip(r)
			if !errors.Is(err, stop) || time.Since(start) != time.Minute {
				t.Errorf("%s: %v after %v, want the context's cause after a minute", script, err, time.Since(start))
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for script, want := range map[string]string{
		"text a\nsay b":      `parse script: line 2: unknown directive "say"`,
		"call x":             "parse script: line 1: call needs an id (or -) and a name",
		"usage 1":            "parse script: line 1: usage needs two to four numbers",
		"usage 1 b":          `parse script: line 1: usage "b" is not a number`,
		"wait soon":          `parse script: line 1: wait "soon" is not a duration`,
		"header x":           "parse script: line 1: header needs NAME: VALUE",
		"status abc":         `parse script: line 1: status "abc" is not an HTTP status`,
		"# c\n---\n\nfinish": "parse script: line 4: finish needs a reason, or none",
	} {
		_, err := Parse(script)
		if err == nil || err.Error() != want {
			t.Errorf("Parse(%q): %v, want %s", script, err, want)
		}
	}
}
