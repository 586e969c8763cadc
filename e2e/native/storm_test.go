//go:build e2e && linux

package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend/store"
)

// lines is how many command lines there are in the storm beside the window.
const lines = 3

// stormTime is how long the storm lasts.
func stormTime() time.Duration {
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		return time.Minute
	}
	return 10 * time.Second
}

// storm is several processes at once on one data folder.
type storm struct {
	*place

	until time.Time
	mu    sync.Mutex
	tasks map[string]bool // all that were accepted
	said  []string        // refusals
}

// TestST02_SoakAWindowAndThreeCommandLinesShareOneDataFolder has them begin
// conversations, go on with the same ones, list, rename and delete.
func TestST02_SoakAWindowAndThreeCommandLinesShareOneDataFolder(t *testing.T) {
	p := newPlace(t, strings.TrimSuffix(strings.Repeat("chunk I\nwait 5ms\nchunk \" see.\"\n---\n", 5000), "---\n"))
	s := &storm{place: p, tasks: map[string]bool{}}
	w := p.open()
	w.ask("the first task of the window")
	w.sees("I see.")
	s.accept("the first task of the window")
	windows, shared := s.newest(), s.begin("the shared one")
	s.until = time.Now().Add(stormTime())
	var all sync.WaitGroup
	for line := range lines {
		all.Go(func() { s.line(line, windows, shared) })
	}
	for n := 0; time.Now().Before(s.until); n++ {
		if n%4 == 3 {
			w.keys("ctrl+n")
			w.find(query{Has: p.words.word("shell.empty.title", "name", "work")})
		}
		task := fmt.Sprintf("window task %d", n)
		w.ask(task)
		w.sees(task)
		w.find(query{Role: "button", Name: p.words.word("shell.composer.send")})
		s.accept(task)
	}
	all.Wait()
	w.close()
	w.exits(patience)
	s.check()
}

// line is one command line.
func (s *storm) line(line int, windows, shared string) {
	for round := 0; time.Now().Before(s.until); round++ {
		name := fmt.Sprintf("line %d round %d", line, round)
		id := s.begin(name)
		gone := s.begin("to be deleted by " + name)
		s.goOn(windows, name+" with the one of the window")
		s.goOn(shared, name+" with the shared one")
		s.succeed("sessions", "rename", id, name+" renamed")
		s.succeed("sessions", "list")
		s.succeed("sessions", "delete", gone)
		s.mu.Lock()
		delete(s.tasks, "to be deleted by "+name)
		s.mu.Unlock()
	}
}

func (s *storm) accept(task string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks[task] = true
}

// call runs a command to its end.
func (s *storm) call(args ...string) (out, trouble string, code int) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.root, s.env, &stdout, &stderr
	_ = cmd.Run() // the code says what came of it
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// succeed runs a command that must succeed.
func (s *storm) succeed(args ...string) string {
	out, trouble, code := s.call(append(args, "--data-dir", s.data)...)
	if code != 0 {
		s.t.Errorf("%q: exit %d: %s", args, code, trouble)
	}
	return out
}

func (s *storm) run(task string, args ...string) (out, trouble string, code int) {
	args = append([]string{"run", "--data-dir", s.data, "--base-url", s.model.url, "--model", "any", "--approve", "none", "--output", "jsonl"}, args...)
	return s.call(append(args, task)...)
}

// begin begins a conversation and returns its id.
func (s *storm) begin(task string) string {
	out, trouble, code := s.run(task, "--workspace", s.workspace)
	line, _, _ := strings.Cut(out, "\n")
	var first struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal([]byte(line), &first); err != nil || code != 0 {
		s.t.Errorf("begin %q: exit %d, %v: %s", task, code, err, trouble)
	}
	s.accept(task)
	return first.SessionID
}

// goOn goes on with a conversation, unless it is refused.
func (s *storm) goOn(id, task string) {
	_, trouble, code := s.run(task, "--session", id)
	if code == 0 {
		s.accept(task)
		return
	}
	if code != 1 || strings.Count(trouble, "\n") != 1 || !strings.Contains(trouble, "another Fairlead works on conversation "+id) {
		s.t.Errorf("%q: exit %d: %s", task, code, trouble)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, trouble)
}

// newest is the conversation that was last worked on.
func (s *storm) newest() string {
	var list []struct{ ID string }
	s.must(json.Unmarshal([]byte(s.succeed("sessions", "list", "--output", "json")), &list))
	return list[0].ID
}

// check reads everything that is saved.
func (s *storm) check() {
	s.t.Helper()
	saved, damage, err := store.Open(s.t.Context(), store.Options{Folder: s.data, Redact: func(text []byte) []byte { return text }})
	s.must(err)
	defer func() { _ = saved.Close() }()
	if damage != nil {
		s.t.Errorf("damaged: %s", damage)
	}
	sessions, err := saved.Sessions(s.t.Context(), "", store.All, 10_000)
	s.must(err)
	found := map[string]bool{}
	for _, session := range sessions {
		runs, err := saved.Runs(s.t.Context(), session.ID)
		s.must(err)
		messages := s.messages(saved, session.ID)
		// Each task has its answer.
		if len(messages) != 2*len(runs) {
			s.t.Errorf("%q has %d messages of %d runs", session.Title, len(messages), len(runs))
		}
		for i := 0; i < len(messages); i += 2 {
			found[messages[i].Parts[0].Text] = true
			if got := messages[i+1].Text(); got != "I see." {
				s.t.Errorf("the answer to %q is %q", messages[i].Parts[0].Text, got)
			}
		}
		for _, run := range runs {
			events, err := saved.Events(s.t.Context(), run, 0)
			s.must(err)
			if run.Reason != "completed" || len(events) == 0 || !events[len(events)-1].Terminal() {
				s.t.Errorf("run %s ended %q after %d events", run.ID, run.Reason, len(events))
			}
		}
	}
	for task := range s.tasks {
		if !found[task] {
			s.t.Errorf("%q is lost", task)
		}
	}
	if len(found) != len(s.tasks) {
		s.t.Errorf("there are %d tasks, %d were accepted", len(found), len(s.tasks))
	}
	if len(s.said) == 0 {
		s.t.Error("nothing was refused: the processes did not meet")
	}
	s.t.Logf("%d conversations, %d tasks, %d refusals", len(sessions), len(s.tasks), len(s.said))
}
