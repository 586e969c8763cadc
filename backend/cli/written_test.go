package cli_test

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// flood is more output than a pipe holds.
func flood() string {
	var lines strings.Builder
	for i := range 60 * 800 {
		if i%800 == 0 {
			lines.WriteString("\nchunk ")
		}
		fmt.Fprintf(&lines, "%d ", i) // the same word again and again is no reply
	}
	return lines.String() + "\n"
}

const writeLast = `call c1 write_file {"path":"last.txt","content":"x"}` + "\n---\ntext done\n"

// transcript is text that is written and read at once.
type transcript struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *transcript) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// written is a fairlead running that writes for people.
type written struct {
	*place
	cmd          *exec.Cmd
	stdin        io.WriteCloser
	out, trouble transcript
	ended        <-chan struct{}
}

// written starts a task whose output is text and whose standard input the test writes.
func (p *place) written(args ...string) *written {
	p.t.Helper()
	run := &written{place: p, cmd: p.command(p.task(args...)...)}
	run.cmd.Stdout, run.cmd.Stderr = &run.out, &run.trouble
	var err error
	run.stdin, err = run.cmd.StdinPipe()
	p.must(err)
	p.must(run.cmd.Start())
	run.ended = awaitEnd(p.t, run.cmd)
	return run
}

func (r *written) say(line string) {
	r.t.Helper()
	_, err := io.WriteString(r.stdin, line+"\n")
	r.must(err)
}

// shows waits until standard error holds a text.
func (r *written) shows(text string) {
	r.t.Helper()
	r.eventually("standard error shows "+text, func() bool { return strings.Contains(r.trouble.String(), text) })
}

func (r *written) exits(code int) {
	r.t.Helper()
	exits(r.t, r.cmd, r.ended, code)
	if text := r.out.String() + r.trouble.String(); strings.Contains(text, canary) {
		r.t.Errorf("the key is shown: %q", text)
	}
}

// within fails the test when f takes longer than a cancel may: a second.
func within(t *testing.T, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > time.Second {
		t.Errorf("CAN-01: it took %v", took)
	}
}
