//go:build !race

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
)

// Going on with a large conversation costs what is sent, not what is stored (SPEC
// REL-06): its first request comes within a second, and neither that nor showing or
// exporting it takes memory for the whole.
func TestREL06_SoakALargeConversationCostsLittle(t *testing.T) {
	rounds, soak := 1_500, os.Getenv("FAIRLEAD_SOAK") != "" // of 16 KB
	if soak {
		rounds = 8_200
	}
	const reply = "text A summary of what was done.\n---\ntext Done.\n---\ntext Done again.\n"
	p := newPlace(t, reply)
	asked := p.noteRequests()
	stored := p.largeConversation("large", rounds)
	for n, what := range []string{"the first time", "the second time"} {
		began := time.Now()
		run := p.start("--session", "large", "--context-window", "100000")
		asked.of(run.cmd.Process.Pid)
		run.ends(0)
		took, most := asked.at.Sub(began), asked.most
		used := run.cmd.ProcessState.UserTime() + run.cmd.ProcessState.SystemTime()
		t.Logf("%s: %d MB stored, the first request after %v, %v of CPU time in all, %d MB", what, stored/1e6, took, used, most/1e6)
		// Other tests share the processor, but not what this one takes of it.
		if used > 1500*time.Millisecond || soak && took > time.Second {
			t.Errorf("%s: the first request came after %v, and it took %v of CPU time", what, took, used)
		}
		if most == 0 || most > 120e6 {
			t.Errorf("%s: it took %d MB of memory", what, most/1e6)
		}
		if n == 0 && p.server.Left() != 1 {
			t.Errorf("%d replies are left: the conversation was not summed up", p.server.Left())
		}
	}
	for _, request := range p.server.Requests() {
		if len(request.Body) > 600_000 {
			t.Errorf("a request has %d bytes", len(request.Body))
		}
	}
	for _, arguments := range [][]string{
		{"show", "large"}, {"show", "large", "--output", "json"}, {"export", "large"}, {"export", "large", "--form", "jsonl"},
	} {
		cmd := p.command(append([]string{"sessions"}, arguments...)...)
		written := counter{of: cmd}
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &written, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v: %s", arguments, err, &stderr)
		}
		t.Logf("%v: %d MB written, %d MB", arguments, written.bytes/1e6, written.most/1e6)
		if written.bytes < stored {
			t.Errorf("%v wrote %d of %d bytes", arguments, written.bytes, stored)
		}
		if written.most == 0 || written.most > 60e6 {
			t.Errorf("%v took %d MB of memory", arguments, written.most/1e6)
		}
	}
}

// peakNow is the most memory that a program has had so far, in bytes. What the system
// counts of one that has ended begins with that of this test.
func peakNow(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes) // 0 for a program that has ended
	return kilobytes * 1024
}

// counter counts what a program writes, and looks at its memory meanwhile.
type counter struct {
	of          *exec.Cmd
	bytes, most int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	c.most = max(c.most, peakNow(c.of.Process.Pid))
	return len(p), nil
}

// requests notes when the model was first asked by a program, and the most memory that
// this had until it asked last.
type requests struct {
	mu   sync.Mutex
	pid  int
	at   time.Time
	most int64
}

// of begins to note the requests of a program.
func (r *requests) of(pid int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pid, r.at, r.most = pid, time.Time{}, 0
}

func (r *requests) note() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() {
		r.at = time.Now()
	}
	r.most = max(r.most, peakNow(r.pid))
}

// noteRequests has it noted when the model is asked.
func (p *place) noteRequests() *requests {
	p.t.Helper()
	noted := &requests{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noted.note()
		p.server.ServeHTTP(w, r)
	}))
	p.t.Cleanup(server.Close)
	p.url = server.URL + "/v1"
	return noted
}

// largeConversation saves a conversation as the program does, in runs of a hundred
// rounds with an output of 16 KB each, and returns how many bytes the outputs have.
func (p *place) largeConversation(id string, rounds int) (stored int64) {
	p.t.Helper()
	folder := filepath.Join(p.root, "xdg", "data", "fairlead")
	p.must(os.MkdirAll(folder, 0o700))
	saved, _, err := store.Open(p.t.Context(), store.Options{Folder: folder, Redact: func(b []byte) []byte { return b }})
	p.must(err)
	workspace, err := filepath.EvalSymlinks(p.workspace)
	p.must(err)
	session := store.Session{ID: id, Workspace: workspace, Title: "A large one", Titled: true}
	words := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < rounds; n += 100 {
		run := fmt.Sprintf("r%d", n)
		stream := event.NewKeptStream(run, id, saved.Record(p.t.Context(), session), func(err *event.NotKeptError) { p.t.Error(err) })
		stream.AddMessage(part(run, "m"+run, message.User, message.Part{Type: message.TextPart, Text: "Go on with number " + run}))
		stream.Publish(event.LifecycleStart{Prompt: "Go on.", Model: "any", MaxSteps: 100})
		for i := n; i < min(n+100, rounds); i++ {
			output := sourceText(words, 16<<10)
			stored += int64(len(output))
			call := message.Call{ID: fmt.Sprintf("call%d", i), Name: "read_file", Arguments: json.RawMessage(fmt.Sprintf(`{"path":"file%d.go"}`, i))}
			use := message.NewToolUse(call)
			m := part(run, fmt.Sprintf("m%d", i), message.Assistant, message.Part{Type: message.ToolPart, Tool: use})
			stream.AddMessage(m)
			stream.Publish(event.ToolCall{CallID: call.ID, ToolName: call.Name, Arguments: call.Arguments})
			p.must(use.Start(use.State.Input, time.Now()))
			p.must(use.Finish(message.Result{Content: message.Text(output)}))
			stream.SetPart(m.Parts[0])
			stream.Publish(event.ToolResult{CallID: call.ID, Success: true, Content: output, Changes: []message.Change{}})
		}
		stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted, Content: "Done."})
	}
	p.must(saved.Close())
	return stored
}

// part is a message of one part.
func part(run, id string, role message.Role, of message.Part) message.Message {
	of.ID, of.SessionID, of.MessageID = "p"+id, "large", id
	return message.Message{ID: id, SessionID: "large", RunID: run, Role: role, Parts: []message.Part{of}, CreatedAt: time.Now()}
}

// sourceText is a text with words and lines as source files have them.
func sourceText(words *rand.Rand, size int) string {
	list := []string{"func", "return", "err", "context", "the", "of", "{", "}", ":=", "message", "conversation", "if", "nil", "\t", "\n", "(s *Store)"}
	var text strings.Builder
	for text.Len() < size {
		text.WriteString(list[words.IntN(len(list))])
		text.WriteByte(' ')
	}
	return text.String()
}
