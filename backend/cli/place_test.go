package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm/llmtest"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// place is where the programs of one test run: a home, a workspace, a model.
type place struct {
	t         *testing.T
	root      string
	workspace string
	server    *llmtest.Server
	url       string
	// gone has a value for each request to the model that ended.
	gone chan struct{}
	// turn keeps the model from answering a request before it has a value for it; nil
	// lets it answer at once.
	turn chan struct{}
	// environment are more variables of the programs, as NAME=value.
	environment []string
}

func newPlace(t *testing.T, script string) *place {
	t.Helper()
	return openPlace(t, script, nil)
}

// patient is a place whose model answers a request when the test says so.
func patient(t *testing.T, script string) *place {
	t.Helper()
	p := openPlace(t, script, make(chan struct{}, 100))
	t.Cleanup(func() { close(p.turn) })
	return p
}

func openPlace(t *testing.T, script string, turn chan struct{}) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir(), server: llmtest.Script(script), gone: make(chan struct{}, 100), turn: turn}
	p.workspace = filepath.Join(p.root, "ws")
	for _, folder := range []string{"home", "ws", ".tmp"} {
		p.must(os.Mkdir(filepath.Join(p.root, folder), 0o700))
	}
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { p.gone <- struct{}{} }()
		if p.turn != nil {
			<-p.turn
		}
		p.server.ServeHTTP(w, r)
	}))
	p.url = listening.URL + "/v1"
	t.Cleanup(func() {
		listening.CloseClientConnections() // a model that hangs is let go
		listening.Close()
		for _, fault := range p.server.Faults() {
			t.Errorf("the model was sent: %s", fault)
		}
		if left := processesOf(p.root); len(left) > 0 {
			t.Errorf("processes left: %q", left)
		}
		if err := inFiles(p.root, canary); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) write(name, text string) {
	p.t.Helper()
	p.must(os.WriteFile(filepath.Join(p.workspace, name), []byte(text), 0o600))
}

// read returns a file of the workspace, "" when there is none.
func (p *place) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(p.workspace, name))
	return string(text)
}

// sent is the text of the last tool message of the model's n-th request.
func (p *place) sent(n int) string {
	p.t.Helper()
	requests := p.server.Requests()
	if len(requests) < n {
		p.t.Fatalf("the model was asked %d times", len(requests))
	}
	messages := requests[n-1].Chat.Messages
	return messages[len(messages)-1].Text()
}

// command is fairlead with these arguments, not started yet.
func (p *place) command(args ...string) *exec.Cmd {
	p.t.Helper()
	program, err := exec.LookPath("fairlead")
	p.must(err)
	cmd := exec.Command(program, args...)
	cmd.Dir = p.root
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot"),
		"TMPDIR=" + filepath.Join(p.root, ".tmp"), "TMP=" + filepath.Join(p.root, ".tmp"), "CANARY_KEY=" + canary,
	}
	for name, value := range home(p.root) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, p.environment...)
	return cmd
}

// output is what a command that succeeds writes, and what it says beside that.
func (p *place) output(args ...string) (out, trouble string) {
	p.t.Helper()
	cmd := p.command(args...)
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("%v: %v: %s", args, err, &said)
	}
	return string(text), said.String()
}

// task is the arguments of a run on the workspace with the scripted model.
func (p *place) task(args ...string) []string {
	return append([]string{
		"run", "--base-url", p.url, "--model", "any", "--api-key-env", "CANARY_KEY", "--workspace", p.workspace, "do it",
	}, args...)
}

// forSystem is the command line for the system's shell.
func forSystem(unix, windows string) string {
	if runtime.GOOS == "windows" {
		return windows
	}
	return unix
}

// waitFor is a command line that waits for a file.
func waitFor(file string) string {
	return forSystem("until [ -e "+file+" ]; do sleep 0.02; done", "(for /l %i in (1,1,400) do @if not exist "+file+" sleep 0.05)")
}

// log is the text of the program's log.
func (p *place) log() string {
	text, _ := os.ReadFile(filepath.Join(p.root, "xdg", "state", "fairlead", "logs", "fairlead.log"))
	return string(text)
}

// eventually waits until a condition of the world outside the program holds.
func (p *place) eventually(what string, holds func() bool) {
	p.t.Helper()
	for limit := time.Now().Add(patience); !holds(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(limit) {
			p.t.Fatalf("this never happened: %s", what)
		}
	}
}
