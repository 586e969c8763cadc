package desktop_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/settings"
	"fairlead/backend/tool/document/builtin"
)

func TestMain(m *testing.M) {
	// No test may find a keyring or a key of the user who runs it.
	for _, variable := range []string{
		"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "OPENAI_API_KEY", "DEEPSEEK_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST",
	} {
		_ = os.Unsetenv(variable)
	}
	if builtin.Asked() {
		os.Exit(builtin.Main())
	}
	goleak.VerifyTestMain(m)
}

// deadline is how long a test waits for what must come.
const deadline = 20 * time.Second

// screen is a window system that shows nothing and keeps what it was given.
type screen struct {
	folder string // what the user chooses
	at     settings.Place

	mu     sync.Mutex
	sizes  []int
	events []envelope
	chosen []string
	clip   []byte
	news   chan struct{}
	links  []string
	shown  int
	quit   int
}

// envelope is an event as the page reads it.
type envelope struct {
	Seq   int64           `json:"seq"`
	RunID string          `json:"runId"`
	Type  event.Type      `json:"type"`
	Data  json.RawMessage `json:"data"`
	Ref   string          `json:"ref"`
}

func newScreen() *screen { return &screen{news: make(chan struct{}, 1)} }

func (s *screen) Emit(name string, data any) {
	text, err := json.Marshal(data)
	if err != nil || name != desktop.EventName {
		panic("an event that cannot be sent: " + name)
	}
	var batch []envelope
	if err := json.Unmarshal(text, &batch); err != nil {
		panic(err)
	}
	s.mu.Lock()
	s.sizes = append(s.sizes, len(text))
	s.events = append(s.events, batch...)
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *screen) ChooseFolder(string, string) (string, error) { return s.folder, nil }

func (s *screen) ChooseFiles(string, string) ([]string, error) { return s.chosen, nil }

func (s *screen) ClipboardPicture() ([]byte, error) { return s.clip, nil }

func (s *screen) OpenLink(url string) { s.links = append(s.links, url) }

func (s *screen) Show() { s.shown++ }

func (s *screen) Quit() { s.quit++ }

func (s *screen) Place() settings.Place { return s.at }

// all returns what came so far.
func (s *screen) all() []envelope {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]envelope(nil), s.events...)
}

// await waits for an event for which want holds.
func (s *screen) await(t *testing.T, what string, want func(envelope) bool) envelope {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), deadline)
	defer stop()
	for seen := 0; ; {
		events := s.all()
		for ; seen < len(events); seen++ {
			if want(events[seen]) {
				return events[seen]
			}
		}
		select {
		case <-s.news:
		case <-ctx.Done():
			t.Fatalf("%s did not come; got %d events", what, len(events))
		}
	}
}

func ofType(kind event.Type) func(envelope) bool {
	return func(e envelope) bool { return e.Type == kind }
}

func ended(e envelope) bool {
	return e.Type == event.TypeLifecycleEnd || e.Type == event.TypeLifecycleError
}

// stage is an open window on a scripted model.
type stage struct {
	*desktop.Window
	t       *testing.T
	screen  *screen
	folders settings.Folders
	folder  string
	model   *llmtest.Server
	baseURL string
}

// open opens a window whose model answers from a script.
func open(t *testing.T, script string, dialogs desktop.Dialogs) *stage {
	t.Helper()
	data := t.TempDir()
	// A script has no answers to questions for a title.
	t.Setenv("FAIRLEAD_MODEL_TITLES", "false")
	s := &stage{
		t: t, screen: newScreen(), model: llmtest.Script(script),
		folders: settings.Folders{Config: data, Data: data, State: data}, folder: filepath.Join(t.TempDir(), "work"),
	}
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.model)
	t.Cleanup(server.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	s.baseURL = server.URL + "/v1"
	s.start(dialogs)
	return s
}

func (s *stage) start(dialogs desktop.Dialogs) {
	s.Window = desktop.NewWindow("test", s.folders)
	s.Start(s.screen, dialogs)
	stopped := false
	s.t.Cleanup(func() {
		if !stopped {
			stopped = true
			if err := s.Stop(); err != nil {
				s.t.Error(err)
			}
		}
	})
}

// again closes the window and opens it anew.
func (s *stage) again() *stage {
	s.t.Helper()
	if err := s.Stop(); err != nil {
		s.t.Fatal(err)
	}
	second := &stage{t: s.t, screen: newScreen(), folders: s.folders, folder: s.folder, model: s.model, baseURL: s.baseURL}
	second.start(nil)
	return second
}

// service finds a bound service.
func service[T any](s *stage) T {
	for _, one := range s.Services() {
		if wanted, ok := one.(T); ok {
			return wanted
		}
	}
	panic("no such service")
}

// ready chooses the folder and the model.
func (s *stage) ready() {
	s.t.Helper()
	if _, err := service[*desktop.Folders](s).Open(s.folder); err != nil {
		s.t.Fatal(err)
	}
	if _, err := service[*desktop.Models](s).Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted"}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) run(prompt string) desktop.Started {
	s.t.Helper()
	return s.goOn("", prompt)
}

// tour begins the guided tour in a folder that goes away with the test.
func (s *stage) tour() desktop.Started {
	s.t.Helper()
	s.t.Setenv("TMPDIR", s.t.TempDir())
	started, err := service[*desktop.Sessions](s).Tour()
	if err != nil {
		s.t.Fatal(err)
	}
	return started
}

// goOn gives a task to a conversation.
func (s *stage) goOn(sessionID, prompt string) desktop.Started {
	s.t.Helper()
	started, err := s.Run(desktop.Task{Prompt: prompt, SessionID: sessionID})
	if err != nil {
		s.t.Fatal(err)
	}
	return started
}

// get reads a route.
func (s *stage) get(path string) *httptest.ResponseRecorder {
	return s.serve(httptest.NewRequest(http.MethodGet, path, nil))
}

// serve answers a request of the page.
func (s *stage) serve(request *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	s.Middleware(http.NotFoundHandler()).ServeHTTP(answer, request)
	return answer
}

// read reads a route whose answer must be well.
func (s *stage) read(path string, into any) {
	s.t.Helper()
	answer := s.get(path)
	if answer.Code != http.StatusOK {
		s.t.Fatalf("GET %s: %d %s", path, answer.Code, answer.Body)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), into); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) state() (state desktop.State) {
	s.t.Helper()
	s.read("/fairlead/state", &state)
	return state
}

// code is the code of a fault.
func code(t *testing.T, err error) desktop.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	text, ok := desktop.Format(err).(string)
	var fault desktop.Fault
	if !ok || json.Unmarshal([]byte(text), &fault) != nil || strings.TrimSpace(fault.Message) == "" {
		t.Fatalf("the page cannot read the error %v: %v", err, text)
	}
	return fault.Code
}
