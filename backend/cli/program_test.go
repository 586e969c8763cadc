package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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
}

func newPlace(t *testing.T, script string) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir(), server: llmtest.Script(script), gone: make(chan struct{}, 100)}
	p.workspace = filepath.Join(p.root, "ws")
	for _, folder := range []string{"home", "ws", ".tmp"} {
		p.must(os.Mkdir(filepath.Join(p.root, folder), 0o700))
	}
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { p.gone <- struct{}{} }()
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
		"TMPDIR=" + filepath.Join(p.root, ".tmp"), "CANARY_KEY=" + canary,
	}
	for name, value := range home(p.root) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// task is the arguments of a run on the workspace with the scripted model.
func (p *place) task(args ...string) []string {
	return append([]string{
		"run", "--base-url", p.url, "--model", "any", "--api-key-env", "CANARY_KEY", "--workspace", p.workspace, "do it",
	}, args...)
}

// program is a fairlead at work. Its events are read as they come.
type program struct {
	*place
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer // to be read after the end
	events chan envelope
	seen   []envelope
	ended  <-chan struct{}
}

// start runs a task whose events the test follows and whose standard input it
// writes.
func (p *place) start(args ...string) *program {
	p.t.Helper()
	run := &program{place: p, cmd: p.command(p.task(append(args, "--output", "jsonl")...)...), events: make(chan envelope, 10000)}
	run.cmd.Stderr = &run.stderr
	var err error
	run.stdin, err = run.cmd.StdinPipe()
	p.must(err)
	stdout, out, err := os.Pipe()
	p.must(err)
	run.cmd.Stdout = out
	p.must(run.cmd.Start())
	p.must(out.Close())
	run.ended = awaitEnd(p.t, run.cmd)
	go func() {
		defer close(run.events)
		defer stdout.Close()
		lines := bufio.NewReader(stdout)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil && len(line) == 0 {
				return
			}
			var e envelope
			if err := json.Unmarshal(line, &e); err != nil {
				p.t.Errorf("no event: %q", line)
			}
			run.events <- e
		}
	}()
	return run
}

// awaitEnd waits for a started program in the background, and ends it with the
// test.
func awaitEnd(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // what came of it stands in the ProcessState
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return ended
}

// await returns the next event of a type.
func (r *program) await(kind string) envelope {
	r.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e, ok := <-r.events:
			if !ok {
				<-r.ended
				r.t.Fatalf("the run ended without %s; standard error: %s", kind, r.stderr.String())
			}
			r.seen = append(r.seen, e)
			if e.Type == kind {
				return e
			}
		case <-limit:
			r.t.Fatalf("no %s came", kind)
		}
	}
}

// say writes a line to standard input.
func (r *program) say(line string) {
	r.t.Helper()
	_, err := io.WriteString(r.stdin, line+"\n")
	r.must(err)
}

// ends waits for the end, checks the exit code and the events, and returns the
// last of them.
func (r *program) ends(code int) envelope {
	r.t.Helper()
	r.exits(code)
	for e := range r.events {
		r.seen = append(r.seen, e)
	}
	if err := checkOrder(r.seen); err != nil {
		r.t.Fatalf("%v; standard error: %s", err, r.stderr.String())
	}
	return r.seen[len(r.seen)-1]
}

func (r *program) exits(code int) {
	r.t.Helper()
	exits(r.t, r.cmd, r.ended, code)
	if bytes.Contains(r.stderr.Bytes(), []byte(canary)) {
		r.t.Error("the key is on standard error")
	}
	if r.t.Failed() {
		r.t.Logf("standard error: %s", r.stderr.String())
	}
}

func exits(t *testing.T, cmd *exec.Cmd, ended <-chan struct{}, code int) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d (%v), want %d", got, cmd.ProcessState, code)
	}
}

// log is the text of the program's log.
func (p *place) log() string {
	text, _ := os.ReadFile(filepath.Join(p.root, "xdg", "state", "fairlead", "logs", "fairlead.log"))
	return string(text)
}
