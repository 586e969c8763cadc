package backend_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/settings"
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
	b, dir := open(t)
	base := lists(t, canary).URL + "/v1"
	endpoint := locate(t, catalog.Choice{BaseURL: base})
	tested, err := b.TestModel(t.Context(), endpoint, settings.NewKey(canary))
	if err != nil {
		t.Fatal(err)
	}
	tested.Elapsed = 0
	want := tested
	want.Models, want.Listed, want.URL = []string{"a", "b"}, true, base+"/chat/completions"
	if diff := cmp.Diff(want, tested); diff != "" {
		t.Error(diff)
	}

	// The key that is known, when none is given.
	if err := b.HoldKey(endpoint, settings.NewKey(canary)); err != nil {
		t.Fatal(err)
	}
	if tested, err := b.TestModel(t.Context(), endpoint, settings.Key{}); err != nil || !tested.Listed {
		t.Errorf("with the held key: %+v, %v", tested, err)
	}

	var refused *llm.Error
	_, err = b.TestModel(t.Context(), endpoint, settings.NewKey("sk-canary-wrong-0123"))
	if !errors.As(err, &refused) || refused.Class != llm.Auth || strings.Contains(err.Error(), "canary") {
		t.Errorf("with a wrong key: %v", err)
	}
	noCanary(t, dir)
}

func TestAnEndpointThatListsNothingIsReachedAllTheSame(t *testing.T) {
	b, _ := open(t)
	endpoint := locate(t, catalog.Choice{BaseURL: lists(t, "").URL + "/other"})
	tested, err := b.TestModel(t.Context(), endpoint, settings.Key{})
	if err != nil || tested.Listed || tested.Models == nil || len(tested.Models) != 0 {
		t.Errorf("%+v, %v", tested, err)
	}
	t.Setenv("FAIRLEAD_TEST_KEY", "")
	wanting := locate(t, catalog.Choice{BaseURL: "http://127.0.0.1:1/v1", KeyEnv: "FAIRLEAD_TEST_KEY"})
	var usage *catalog.UsageError
	if _, err := b.TestModel(t.Context(), wanting, settings.Key{}); !errors.As(err, &usage) {
		t.Errorf("without the key it wants: %v", err)
	}
}

func TestUI06_OllamaIsFoundByItself(t *testing.T) {
	b, _ := open(t)
	server := lists(t, "")
	t.Setenv("OLLAMA_HOST", server.URL)
	found := b.FindLocal(t.Context())
	if len(found) != 1 || found[0].Provider.Name != "ollama" || found[0].Provider.BaseURL != server.URL+"/v1" {
		t.Fatalf("found %+v", found)
	}
	if diff := cmp.Diff([]string{"a", "b"}, found[0].Models); diff != "" {
		t.Error(diff)
	}
	server.Close()
	if found := b.FindLocal(t.Context()); found == nil || len(found) != 0 {
		t.Errorf("after its end: %+v", found)
	}
}
