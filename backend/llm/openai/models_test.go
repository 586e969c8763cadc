package openai_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
)

// modelsAt starts a server that answers /v1/models.
func modelsAt(t *testing.T, answer http.HandlerFunc) protocol.Config {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", answer)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return protocol.Config{BaseURL: server.URL + "/v1"}
}

func TestListModels(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []string
		class      llm.Class
	}{
		{"a list", `{"object":"list","data":[{"id":"b"},{"id":"a","object":"model"},{"id":"b"},{"id":""}]}`, []string{"a", "b"}, 0},
		{"none", `{"data":[]}`, []string{}, 0},
		{"all in a folder", `{"data":[{"id":"models/b"},{"id":"models/a"}]}`, []string{"a", "b"}, 0},
		{"one in a folder", `{"data":[{"id":"models/b"},{"id":"a"}]}`, []string{"a", "models/b"}, 0},
		{"entries alone", ` [{"id":"b"},{"id":"a"}]`, []string{"a", "b"}, 0},
		{"a web page", "<html><title>Welcome</title></html>", nil, llm.Malformed},
		{"something else", `{"status":"ok"}`, nil, llm.Malformed},
		{"null", `{"data":null}`, nil, llm.Malformed},
		{"another type", `{"data":[{"id":5}]}`, nil, llm.Malformed},
		{"nothing", ``, nil, llm.Malformed},
		{"too much", `{"data":[{"id":"` + strings.Repeat("x", 8<<20) + `"}]}`, nil, llm.Malformed},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := modelsAt(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(test.body)) })
			got, err := openai.ListModels(t.Context(), config)
			if test.want == nil {
				if fault, ok := errors.AsType[*llm.Error](err); !ok || fault.Class != test.class || fault.Hint == "" {
					t.Errorf("error = %v", err)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
}

func TestListModelsSendsTheKeyAndNeverShowsIt(t *testing.T) {
	const key = "sk-canary-0123456789"
	config := modelsAt(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+key {
			http.Error(w, `{"error":{"message":"bad key `+key+`"}}`, http.StatusUnauthorized)
			return
		}
		if _, sent := r.Header["Authorization"]; sent {
			t.Error("a key was sent where there is none")
		}
		_, _ = w.Write([]byte(`{"data":[]}`))
	})
	if _, err := openai.ListModels(t.Context(), config); err != nil {
		t.Error(err)
	}
	config.APIKey = key
	_, err := openai.ListModels(t.Context(), config)
	fault, ok := errors.AsType[*llm.Error](err)
	if !ok || fault.Class != llm.Auth || fault.Status != http.StatusUnauthorized || strings.Contains(err.Error(), "canary") {
		t.Errorf("error = %v", err)
	}
}

func TestListModelsHasTheErrorsOfTheClient(t *testing.T) {
	broken := modelsAt(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte(`{"data":[`))
	})
	redirecting := modelsAt(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://other.example/v1/models")
		w.WriteHeader(http.StatusFound)
	})
	missing := modelsAt(t, func(http.ResponseWriter, *http.Request) {})
	missing.BaseURL += "/deeper"
	for _, test := range []struct {
		name   string
		config protocol.Config
		class  llm.Class
		status int
	}{
		{"broken off", broken, llm.Truncated, 0},
		{"redirected", redirecting, llm.BadRequest, http.StatusFound},
		{"not there", missing, llm.ModelNotFound, http.StatusNotFound},
		{"nobody at home", protocol.Config{BaseURL: "http://127.0.0.1:1/v1"}, llm.Network, 0},
		{"no address", protocol.Config{BaseURL: "http://%zz"}, llm.BadRequest, 0},
	} {
		_, err := openai.ListModels(t.Context(), test.config)
		fault, ok := errors.AsType[*llm.Error](err)
		if !ok || fault.Class != test.class || fault.Status != test.status {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// stuck answers no request before its context ends.
type stuck struct{}

func (stuck) RoundTrip(request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, request.Context().Err()
}

func TestListModelsEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := errors.New("too late")
		ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, late)
		defer stop()
		if _, err := openai.ListModels(ctx, protocol.Config{BaseURL: "http://host.example/v1", Transport: stuck{}}); !errors.Is(err, late) {
			t.Errorf("error = %v", err)
		}
	})
}
