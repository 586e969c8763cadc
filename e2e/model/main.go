// The model of the window's tests: a provider on loopback that answers from a
// script, or as one of the known providers does. It prints its address in the first
// line and ends when its standard input does.
//
// Besides the provider's own paths below /v1 it has:
//
//	PUT /script    a script of llmtest; what was left of the one before, and what
//	               was kept of its requests, is dropped
//	PUT /family    NAME MODE: from now on a family of llmtest, in place of a script;
//	               without MODE it answers well. It says its models and modes
//	PUT /key       the key that requests must carry from now on, empty for any; what
//	               was said with PUT before is dropped
//	GET /requests  the bodies of the requests to this script or family, a JSON array
//	GET /faults    what was wrong with them, a JSON array of lines
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"fairlead/backend/llm/llmtest"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run serves until in ends.
func run(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: newModel().newRoutes()}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = server.Close()
	}()
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// provider answers requests and keeps them.
type provider interface {
	http.Handler
	Requests() []llmtest.Request
	Faults() []string
}

// model is a provider that can be replaced by another.
type model struct {
	mu     sync.Mutex
	key    string
	server provider
}

func newModel() *model { return &model{server: llmtest.NewServer()} }

func (m *model) newRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /script", m.setScript)
	mux.HandleFunc("PUT /family", m.setFamily)
	mux.HandleFunc("PUT /key", m.setKey)
	mux.HandleFunc("GET /requests", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, requestBodies(m.currentProvider())) })
	mux.HandleFunc("GET /faults", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, append([]string{}, m.currentProvider().Faults()...))
	})
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) { m.currentProvider().ServeHTTP(w, r) })
	return mux
}

func (m *model) currentProvider() provider {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.server
}

// replaceReplies begins anew with these replies.
func (m *model) replaceReplies(replies ...llmtest.Reply) {
	server := llmtest.NewServer(replies...)
	server.Key = m.key
	m.server = server
}

func (m *model) setScript(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var replies []llmtest.Reply
	if err == nil {
		replies, err = llmtest.Parse(string(text))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replaceReplies(replies...)
	w.WriteHeader(http.StatusNoContent)
}

func (m *model) setFamily(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var family *llmtest.Family
	if err == nil {
		family, err = readFamily(string(text))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	family.Key = m.key
	m.server = family
	writeJSON(w, map[string]any{"models": family.Models(), "modes": family.Modes()})
}

// readFamily makes the family of NAME MODE.
func readFamily(text string) (*llmtest.Family, error) {
	name, mode, _ := strings.Cut(strings.TrimSpace(text), " ")
	family, err := llmtest.NewFamily(name)
	if err != nil || mode == "" {
		return family, err
	}
	return family, family.SetMode(llmtest.Mode(mode))
}

func (m *model) setKey(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.key = strings.TrimSpace(string(text))
	m.replaceReplies()
	w.WriteHeader(http.StatusNoContent)
}

// requestBodies are the requests' bodies, as JSON where they are that.
func requestBodies(server provider) []any {
	sent := []any{}
	for _, request := range server.Requests() {
		if json.Valid(request.Body) {
			sent = append(sent, json.RawMessage(request.Body))
		} else {
			sent = append(sent, string(request.Body))
		}
	}
	return sent
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	// The client may be gone; there is nobody else to tell.
	_ = json.NewEncoder(w).Encode(value)
}
