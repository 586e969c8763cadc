package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// program is a fairlead running. Its events are read as they come.
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
	go run.readEvents(stdout)
	return run
}

// readEvents reads the events until the output ends.
func (r *program) readEvents(stdout io.ReadCloser) {
	defer close(r.events)
	defer stdout.Close()
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return
		}
		var e envelope
		if err := json.Unmarshal(line, &e); err != nil {
			r.t.Errorf("no event: %q", line)
		}
		r.events <- e
	}
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

// ends waits for the end of a program with one run, checks the exit code and the
// events, and returns the last of them.
func (r *program) ends(code int) envelope {
	r.t.Helper()
	return r.endsAfter(1, code)[0]
}

// endsAfter does the same for a program with several runs, and returns the last event
// of each.
func (r *program) endsAfter(runs, code int) (ends []envelope) {
	r.t.Helper()
	r.exits(code)
	for e := range r.events {
		r.seen = append(r.seen, e)
	}
	if err := checkOrder(r.seen); err != nil {
		r.t.Fatalf("%v; standard error: %s", err, r.stderr.String())
	}
	for _, run := range runsOf(r.seen) {
		ends = append(ends, run[len(run)-1])
	}
	if len(ends) != runs {
		r.t.Fatalf("%d runs, want %d: %v", len(ends), runs, types(r.seen))
	}
	return ends
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
