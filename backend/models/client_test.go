package models_test

import (
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// own returns the providers of a settings file.
func own(t *testing.T, text string) catalog.Catalog {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, settings.FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := settings.ReadFile(folder)
	if err != nil {
		t.Fatal(err)
	}
	return models.Providers(file)
}

func TestMSG07_AnOwnProviderIsReachedAsTheSettingsSay(t *testing.T) {
	m, _ := open(t)
	server := replies(t, http.StatusOK, called)
	providers := own(t, `[providers.lab]
base_url = "`+server.URL+`/v1/chat/completions"
api_key_env = "FAIRLEAD_TEST_KEY"
dialect = "minimax"
headers = { api-key = "{key}", X-Team = "tools" }
body = { top_k = 5, reasoning_split = false }
written_calls = true
context_window = 4_000
`)
	t.Setenv("FAIRLEAD_TEST_KEY", canary)
	endpoint, err := providers.Choose(catalog.Choice{Provider: "lab", Model: "m"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(llm.Dialect{Echo: llm.EchoDetails, WrittenCalls: true}, endpoint.Dialect); diff != "" {
		t.Error(diff)
	}
	if endpoint.Provider.Title != "lab" || endpoint.BaseURL != server.URL+"/v1" {
		t.Errorf("%s at %s", endpoint.Provider.Title, endpoint.BaseURL)
	}
	if facts, ok := endpoint.Facts(); !ok || facts.Window != 4000 {
		t.Errorf("facts %+v", facts)
	}
	temperature := 0.5
	m.SetCalls(settings.Calls{Effort: "low", Temperature: &temperature})
	if tested, err := m.Test(t.Context(), endpoint, secret.Key{}); err != nil || tested.Tools != models.ToolsCalled {
		t.Fatalf("%+v, %v", tested, err)
	}
	request := <-server.requests
	for name, want := range map[string]string{"Api-Key": canary, "X-Team": "tools", "Authorization": ""} {
		if got := request.Header.Get(name); got != want {
			t.Errorf("SEC-07: %s is %q", name, got)
		}
	}
	var sent map[string]any
	if err := json.Unmarshal([]byte(<-server.bodies), &sent); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"top_k": 5.0, "reasoning_split": false, "temperature": 0.5, "model": "m"} {
		if sent[name] != want {
			t.Errorf("%s is %v, want %v", name, sent[name], want)
		}
	}
}

func TestMSG06_AnOwnProviderSpeaksLikeTheOneItNames(t *testing.T) {
	providers := own(t, "[providers.lab]\nbase_url = 'https://lab.example/v1'\ndialect = 'minimax'\nbody = { top_k = 5 }\n")
	endpoint, err := providers.Locate(catalog.Choice{Provider: "lab"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]json.RawMessage{"reasoning_split": json.RawMessage("true"), "top_k": json.RawMessage("5")}
	if diff := cmp.Diff(want, endpoint.Body); diff != "" {
		t.Error(diff)
	}
	like, err := providers.Locate(catalog.Choice{Provider: "minimax"}, os.Getenv)
	if diff := cmp.Diff(map[string]json.RawMessage{"reasoning_split": json.RawMessage("true")}, like.Body); err != nil || diff != "" {
		t.Errorf("what it names has changed: %v %s", err, diff)
	}
}

func TestSEC07_WithoutAKeyItsHeaderIsLeftOut(t *testing.T) {
	m, _ := open(t)
	server := replies(t, http.StatusOK, called)
	providers := own(t, "[providers.lab]\nbase_url = '"+server.URL+"/v1'\nheaders = { api-key = '{key}', X-Team = 'tools' }\n")
	endpoint, err := providers.Choose(catalog.Choice{Provider: "lab", Model: "m"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Test(t.Context(), endpoint, secret.Key{}); err != nil {
		t.Fatal(err)
	}
	header := (<-server.requests).Header
	if _, sent := header["Api-Key"]; sent || header.Get("Authorization") != "" || header.Get("X-Team") != "tools" {
		t.Errorf("sent %v", header)
	}
}

func TestTheNetworkIsTheOneOfTheSettings(t *testing.T) {
	m, _ := open(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"id":"m"}]}`))
	}))
	defer server.Close()
	endpoint := locate(t, catalog.Choice{BaseURL: server.URL + "/v1"})
	if _, err := m.Test(t.Context(), endpoint, secret.Key{}); err == nil || !strings.Contains(err.Error(), "not trusted") {
		t.Errorf("an unknown authority: %v", err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, text, 0o600); err != nil {
		t.Fatal(err)
	}
	m.SetCalls(settings.Calls{CAFile: ca})
	if tested, err := m.Test(t.Context(), endpoint, secret.Key{}); err != nil || !tested.Listed {
		t.Errorf("a known authority: %+v, %v", tested, err)
	}

	// A host that is nowhere is only reached through the proxy.
	proxy := lists(t, "")
	far := locate(t, catalog.Choice{BaseURL: "http://host.invalid/v1"})
	m.SetCalls(settings.Calls{Proxy: proxy.URL})
	if tested, err := m.Test(t.Context(), far, secret.Key{}); err != nil || !tested.Listed {
		t.Errorf("through the proxy: %+v, %v", tested, err)
	}
}

func TestANetworkThatCannotBeSaysWhy(t *testing.T) {
	m, _ := open(t)
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty.pem")
	if err := os.WriteFile(empty, []byte("-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(folder, "large.pem")
	if err := os.WriteFile(large, make([]byte, 8<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, path, why string }{
		{"missing", filepath.Join(folder, "none.pem"), ""},
		{"a folder", folder, ""},
		{"no certificate", empty, "holds no certificate"},
		{"too large", large, "larger than 8 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m.SetCalls(settings.Calls{CAFile: test.path})
			err := begin(m, locate(t, catalog.Choice{BaseURL: "http://127.0.0.1:1/v1"}))
			if _, ok := errors.AsType[*catalog.UsageError](err); !ok || !strings.Contains(err.Error(), test.why) || strings.Count(err.Error(), test.path) != 1 || !strings.Contains(err.Error(), "ca_file") {
				t.Errorf("error %v", err)
			}
		})
	}
}
