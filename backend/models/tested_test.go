package models_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/secret"
)

// lists starts a server that lists two models to those who have the key.
func lists(t *testing.T, key string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/v1/models" || r.Method != http.MethodGet:
			http.NotFound(w, r)
		case key != "" && r.Header.Get("Authorization") != "Bearer "+key:
			http.Error(w, `{"error":{"message":"wrong key `+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+`"}}`, http.StatusUnauthorized)
		default:
			_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"b"},{"id":"a"}]}`))
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// noCanary expects no key in any file below a folder.
func noCanary(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "canary") {
			t.Errorf("SEC-01: the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnEndpointIsTestedByItsModels(t *testing.T) {
	m, dir := open(t)
	base := lists(t, canary).URL + "/v1"
	endpoint := locate(t, catalog.Choice{BaseURL: base})
	endpoint.Model = "" // it is not asked
	tested, err := m.Test(t.Context(), endpoint, secret.NewKey(canary))
	if err != nil {
		t.Fatal(err)
	}
	tested.Elapsed = 0
	want := tested
	want.Models, want.Listed, want.KeyChecked, want.URL = []string{"a", "b"}, true, true, base+"/chat/completions"
	if diff := cmp.Diff(want, tested); diff != "" {
		t.Error(diff)
	}

	// A list for everybody says nothing of the key.
	open := locate(t, catalog.Choice{BaseURL: lists(t, "").URL + "/v1"})
	if tested, err := m.Test(t.Context(), open, secret.NewKey(canary)); err != nil || !tested.Listed || tested.KeyChecked {
		t.Errorf("a list for everybody: %+v, %v", tested, err)
	}

	// The key that is known, when none is given.
	if err := m.HoldKey(endpoint, secret.NewKey(canary)); err != nil {
		t.Fatal(err)
	}
	if tested, err := m.Test(t.Context(), endpoint, secret.Key{}); err != nil || !tested.Listed {
		t.Errorf("with the held key: %+v, %v", tested, err)
	}

	var refused *llm.Error
	_, err = m.Test(t.Context(), endpoint, secret.NewKey("sk-canary-wrong-0123"))
	if !errors.As(err, &refused) || refused.Class != llm.Auth || strings.Contains(err.Error(), "canary") {
		t.Errorf("with a wrong key: %v", err)
	}
	noCanary(t, dir)
}

func TestAnEndpointThatListsNothingIsReachedAllTheSame(t *testing.T) {
	m, _ := open(t)
	endpoint := locate(t, catalog.Choice{BaseURL: lists(t, "").URL + "/other"})
	tested, err := m.Test(t.Context(), endpoint, secret.Key{})
	if err != nil || tested.Listed || tested.Models == nil || len(tested.Models) != 0 {
		t.Errorf("%+v, %v", tested, err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", "")
	wanting := locate(t, catalog.Choice{BaseURL: "http://127.0.0.1:1/v1", KeyEnv: "FAIRLEAD_TEST_KEY"})
	var usage *catalog.UsageError
	if _, err := m.Test(t.Context(), wanting, secret.Key{}); !errors.As(err, &usage) {
		t.Errorf("without the key it wants: %v", err)
	}
}

// probed are the requests for a reply that a server got.
type probed struct {
	*httptest.Server
	requests chan *http.Request
	bodies   chan string
}

// replies starts a server that lists the model m to everybody, and answers every chat
// request in the same way.
func replies(t *testing.T, status int, body string) probed {
	t.Helper()
	got := probed{requests: make(chan *http.Request, 10), bodies: make(chan string, 10)}
	got.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(`{"data":[{"id":"m"}]}`))
			return
		}
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got.requests <- r
		got.bodies <- string(text)
		if status == http.StatusOK {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(got.Close)
	return got
}

const (
	called = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"ping","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]

`
	talked = `data: {"choices":[{"index":0,"delta":{"content":"pong"},"finish_reason":"stop"}]}

data: [DONE]

`
	thought = `data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm."},"finish_reason":"length"}]}

data: [DONE]

`
)

func TestAModelIsTestedByATool(t *testing.T) {
	m, dir := open(t)
	for _, test := range []struct {
		name   string
		status int
		body   string
		want   models.ToolUse
		class  llm.Class
		hint   string
	}{
		{"called", http.StatusOK, called, models.ToolsCalled, 0, ""},
		{"ignored", http.StatusOK, talked, models.ToolsIgnored, 0, ""},
		{"cut", http.StatusOK, thought, "", llm.Truncated, "reasoning_effort"},
		{"no such model", http.StatusNotFound, `{"error":{"message":"no such model","code":"model_not_found"}}`, "", llm.ModelNotFound, ""},
		{"a key that only the list takes", http.StatusUnauthorized, `{"error":{"message":"wrong key"}}`, "", llm.Auth, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := replies(t, test.status, test.body)
			endpoint := locate(t, catalog.Choice{BaseURL: server.URL + "/v1", Model: "m"})
			tested, err := m.Test(t.Context(), endpoint, secret.NewKey(canary))
			if err != nil || !tested.Listed || tested.Tools != test.want || tested.KeyChecked != (test.want != "") {
				t.Fatalf("%+v, %v", tested, err)
			}
			refused, ok := errors.AsType[*llm.Error](tested.ProbeErr)
			if ok != (test.want == "") || ok && (refused.Class != test.class || !strings.Contains(refused.Hint, test.hint)) {
				t.Errorf("probe: %v", tested.ProbeErr)
			}
			var sent struct {
				MaxTokens int `json:"max_tokens"`
				Tools     []struct {
					Function struct{ Name string }
				}
			}
			if err := json.Unmarshal([]byte(<-server.bodies), &sent); err != nil || sent.MaxTokens != 256 || len(sent.Tools) != 1 || sent.Tools[0].Function.Name != "ping" {
				t.Errorf("sent %+v, %v", sent, err)
			}
			if request := <-server.requests; request.Header.Get("Authorization") != "Bearer "+canary {
				t.Error("the key was not sent")
			}
		})
	}
	noCanary(t, dir)
}

func TestAKeyOfAnotherProviderIsNamedAsSuch(t *testing.T) {
	m, _ := open(t)
	server := lists(t, canary)
	endpoint := locate(t, catalog.Choice{BaseURL: server.URL + "/v1"})
	_, err := m.Test(t.Context(), endpoint, secret.NewKey("sk-or-v1-canary-0123456789"))
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok || !strings.Contains(refused.Hint, "one of OpenRouter") || strings.Contains(err.Error(), "canary") {
		t.Errorf("error %v", err)
	}
}

func TestUI06_OllamaIsFoundByItself(t *testing.T) {
	server := lists(t, "")
	t.Setenv("OLLAMA_HOST", server.URL)
	ollama := func() []models.Local {
		return slices.DeleteFunc(models.FindLocal(t.Context()), func(l models.Local) bool { return l.Provider.Name != "ollama" })
	}
	found := ollama()
	if len(found) != 1 || found[0].Provider.BaseURL != server.URL+"/v1" {
		t.Fatalf("found %+v", found)
	}
	if diff := cmp.Diff([]string{"a", "b"}, found[0].Models); diff != "" {
		t.Error(diff)
	}
	server.Close()
	if found := ollama(); found == nil || len(found) != 0 {
		t.Errorf("after its end: %+v", found)
	}
}

// All are asked at once: each waits until the others were asked too.
func TestServersOnThisComputerAreLookedForAtOnce(t *testing.T) {
	var asked sync.WaitGroup
	asked.Add(3)
	answer := func(body string) *httptest.Server {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Done()
			asked.Wait()
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(server.Close)
		return server
	}
	page, empty, full := answer("<html>another program</html>"), answer(`{"data":[]}`), answer(`{"data":[{"id":"m"}]}`)
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	found := models.FindLocal(t.Context(),
		locate(t, catalog.Choice{Provider: "lmstudio", BaseURL: empty.URL + "/v1"}),
		locate(t, catalog.Choice{BaseURL: page.URL + "/v1"}),
		locate(t, catalog.Choice{Provider: "llamacpp", BaseURL: full.URL + "/v1"}),
	)
	got := map[string][]string{}
	for _, local := range found {
		got[local.Provider.Name] = local.Models
	}
	if diff := cmp.Diff(map[string][]string{"lmstudio": {}, "llamacpp": {"m"}}, got); diff != "" {
		t.Error(diff)
	}
}
