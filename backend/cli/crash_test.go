//go:build !race

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm"
)

// crashed is a run that was cut off, and what was seen of it.
type crashed struct {
	*place
	shown []envelope
	lines []string
	used  time.Duration // processor time of the last command
}

// listWait is how long a list may take where the processor is busy.
const listWait = 5 * time.Second

// ownModel are settings with the endpoint lab, whose model reasons over a protocol.
const ownModel = `
provider = "lab"
reasoning_effort = "medium"

[providers.lab]
base_url = %q
protocol = %q
`

func newCrashed(t *testing.T, spoken llm.Protocol, script string) *crashed {
	t.Helper()
	c := &crashed{place: newPlace(t, script)}
	c.write("note.txt", "a note\n")
	folder := filepath.Join(home(c.root)["XDG_CONFIG_HOME"], "fairlead")
	c.must(os.MkdirAll(folder, 0o700))
	c.must(os.WriteFile(filepath.Join(folder, "config.toml"), fmt.Appendf(nil, ownModel, c.url, spoken), 0o600))
	return c
}

// runFor starts the run and kills it some time later, and reports whether it had not ended by
// then.
func (c *crashed) runFor(limit time.Duration) (killed bool) {
	c.t.Helper()
	cmd := c.command(c.task("--input", "jsonl", "--output", "jsonl")...)
	stdin, err := cmd.StdinPipe()
	c.must(err)
	stdout, err := cmd.StdoutPipe()
	c.must(err)
	c.must(cmd.Start())
	killer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	c.follow(stdout, stdin)
	_ = cmd.Wait() // it was killed, or had ended before
	return !killer.Stop()
}

// follow reads events and approves whatever is asked, until the program is gone.
func (c *crashed) follow(stdout io.Reader, stdin io.Writer) {
	c.t.Helper()
	decoder := json.NewDecoder(stdout)
	for {
		var line json.RawMessage
		if decoder.Decode(&line) != nil {
			return // also where the last line is torn
		}
		var e envelope
		c.must(json.Unmarshal(line, &e))
		c.shown, c.lines = append(c.shown, e), append(c.lines, string(line))
		if e.Type == "tool.confirm_request" {
			// The program may be gone already.
			fmt.Fprintf(stdin, `{"type":"confirm","callId":%q,"decision":"approve"}`+"\n", e.field("callId"))
		}
	}
}

// fairlead runs a command to its end and returns what it wrote.
func (c *crashed) fairlead(args ...string) string {
	c.t.Helper()
	var out, trouble bytes.Buffer
	cmd := c.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &trouble
	if err := cmd.Run(); err != nil {
		c.t.Fatalf("%v: %v: %s", args, err, trouble.String())
	}
	c.used = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return out.String()
}

// check tests that what was shown is there, that the conversation can go on, and
// that nothing is done again.
func (c *crashed) check() {
	c.t.Helper()
	began := time.Now()
	list := c.fairlead("sessions", "list")
	// The other tests take turns with it on the processor, so what it used of that
	// counts, and a wait must still be seen. Wine takes longer to start a process.
	if took, waited := c.used, time.Since(began); runtime.GOOS != "windows" && (took > time.Second || waited > listWait) {
		c.t.Errorf("sessions list took %v in %v", took, waited)
	}
	if len(c.shown) == 0 {
		return // it was killed before anything was shown
	}
	id, _, _ := strings.Cut(list, " ")
	kept := strings.Split(strings.TrimSpace(c.fairlead("sessions", "export", id, "--form", "jsonl")), "\n")
	for i, line := range c.lines {
		if i >= len(kept) || kept[i] != line {
			c.t.Fatalf("event %d was shown as %s; kept are %d: %q", i+1, line, len(kept), kept[min(i, len(kept)-1)])
		}
	}
	c.checkParts(id)
	ran := c.read("ran.txt")
	if strings.Count(ran, "ran") > 1 {
		c.t.Errorf("the command ran more than once: %q", ran)
	}
	// A command that is not confined outlives the program for a moment.
	c.server.Play("text Let us see.\n")
	c.fairlead("run", "--provider", "lab", "--base-url", c.url, "--model", "any", "--session", id, "go on")
	for _, fault := range c.server.Faults() {
		c.t.Errorf("CAN-04: a request is refused: %s", fault)
	}
	if after := c.read("ran.txt"); ran != "" && after != ran {
		c.t.Errorf("the command ran again: %q", after)
	}
}

// checkParts tests that no call is left open, and that what the events show is in
// the messages.
func (c *crashed) checkParts(id string) {
	c.t.Helper()
	text := c.fairlead("sessions", "show", id, "--output", "json")
	var saved struct {
		Messages []struct {
			Parts []struct {
				ID   string `json:"id"`
				Text string `json:"text"`
				Tool *struct {
					CallID string `json:"callID"`
					State  struct {
						Status string `json:"status"`
					} `json:"state"`
				} `json:"tool"`
			} `json:"parts"`
		} `json:"messages"`
	}
	c.must(json.Unmarshal([]byte(text), &saved))
	texts, status := map[string]string{}, map[string]string{}
	for _, m := range saved.Messages {
		for _, part := range m.Parts {
			texts[part.ID] = part.Text
			if part.Tool != nil {
				status[part.Tool.CallID] = part.Tool.State.Status
			}
		}
	}
	for call, status := range status {
		if status == "pending" || status == "running" {
			c.t.Errorf("PART-02: call %s is left %s", call, status)
		}
	}
	if !strings.Contains(text, "do it") {
		c.t.Error("the task is lost")
	}
	words := map[string]string{}
	for _, e := range c.shown {
		switch e.Type {
		case "assistant.delta", "reasoning.delta":
			words[e.field("partId")] += e.field("content")
		case "tool.result":
			if done := status[e.field("callId")]; done != "completed" && done != "error" {
				c.t.Errorf("the result of %s was shown, but it is %q", e.field("callId"), done)
			}
		}
	}
	for part, shown := range words {
		if !strings.HasPrefix(texts[part], shown) {
			c.t.Errorf("part %s was shown as %q, but it is %q", part, shown, texts[part])
		}
	}
}
