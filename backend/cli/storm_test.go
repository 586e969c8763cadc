//go:build !race

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/llm/llmtest"
)

// TestSeveralCommandLinesShareOneDataFolder has command lines begin conversations,
// go on with the same one, list and delete, all at once.
func TestSeveralCommandLinesShareOneDataFolder(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "")
	lines, rounds := 4, 8
	if runtime.GOOS == "windows" {
		rounds = 2 // Wine takes long to start a process
	}
	shared := p.begin("shared")
	refused := make(chan string, lines*rounds)
	var all sync.WaitGroup
	for line := range lines {
		all.Go(func() {
			for round := range rounds {
				p.begin(fmt.Sprintf("line %d round %d", line, round))
				gone := p.begin("to be deleted")
				if out, trouble, code := p.call("run", "--session", shared, "--base-url", p.model(), "--model", "any", "go on"); code != 0 {
					refused <- trouble
					if code != 1 || strings.Count(trouble, "\n") != 1 || !strings.Contains(trouble, "another Fairlead works on conversation") {
						t.Errorf("exit %d: %s%s", code, out, trouble)
					}
				}
				if _, trouble, code := p.call("sessions", "delete", gone); code != 0 {
					t.Errorf("delete: exit %d: %s", code, trouble)
				}
				if _, trouble, code := p.call("sessions", "list"); code != 0 {
					t.Errorf("list: exit %d: %s", code, trouble)
				}
			}
		})
	}
	all.Wait()
	out, _, _ := p.call("sessions", "list", "--output", "json")
	var list []struct{ ID, Title string }
	p.must(json.Unmarshal([]byte(out), &list))
	titles := map[string]bool{}
	for _, each := range list {
		titles[each.Title] = true
	}
	for line := range lines {
		for round := range rounds {
			if title := fmt.Sprintf("line %d round %d", line, round); !titles[title] {
				t.Errorf("%q is lost", title)
			}
		}
	}
	if len(list) != lines*rounds+1 {
		t.Errorf("there are %d conversations, want %d", len(list), lines*rounds+1)
	}
	out, _, _ = p.call("sessions", "export", shared, "--form", "jsonl")
	if runs := strings.Count(out, `"type":"lifecycle.start"`); runs != 1+lines*rounds-len(refused) {
		t.Errorf("the shared conversation has %d runs; %d were refused", runs, len(refused))
	}
}

// model starts a model that answers once.
func (p *place) model() string {
	listening := httptest.NewServer(llmtest.Script("chunk I\nwait 5ms\nchunk \" see.\"\n"))
	p.t.Cleanup(listening.Close)
	return listening.URL + "/v1"
}

// begin has a conversation begin and returns its id.
func (p *place) begin(task string) string {
	out, trouble, code := p.call("run", "--base-url", p.model(), "--model", "any", "--workspace", p.workspace, "--output", "jsonl", task)
	line, _, _ := strings.Cut(out, "\n")
	var first struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal([]byte(line), &first); err != nil || code != 0 {
		p.t.Errorf("begin %q: exit %d, %v: %s", task, code, err, trouble)
	}
	return first.SessionID
}

// call runs a command to its end.
func (p *place) call(args ...string) (out, trouble string, code int) {
	var stdout, stderr bytes.Buffer
	cmd := p.command(args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the code says what came of it
	return stdout.String(), strings.ReplaceAll(stderr.String(), "note: there is no terminal to ask in, so whatever would ask is refused; use --approve writes or all, or answer with --input jsonl\n", ""), cmd.ProcessState.ExitCode()
}
