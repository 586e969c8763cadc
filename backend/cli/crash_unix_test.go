//go:build unix && !race

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm"
)

// worked is a run of everything: it streams, asks, writes and runs a command.
const worked = `
reasoning I look at it
chunk first
wait 4ms
chunk " words"
wait 4ms
call c1 read_file {"path":"note.txt"}
call c2 write_file {"path":"new.txt","content":"new\n"}
---
text I run it.
wait 4ms
call c3 shell {"command":"echo ran >> ran.txt; sleep 0.02; echo done"}
---
chunk It is
wait 4ms
chunk " finished."
wait 4ms
chunk " Really."
`

// crashes is how often a run is killed.
const crashes = 60

// protocols are how the models of the killed runs are asked, one after the other, and paths
// where.
var (
	protocols = []llm.Protocol{llm.ChatCompletions, llm.Responses, llm.Messages}
	paths     = map[llm.Protocol]string{
		llm.ChatCompletions: "/v1/chat/completions", llm.Responses: "/v1/responses", llm.Messages: "/v1/messages",
	}
)

// TestPART03_NothingShownIsLostWhenTheProgramIsKilled kills runs at random moments, and goes
// on with each over the protocol that it began with.
func TestPART03_NothingShownIsLostWhenTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	began := time.Now()
	crash(t, llm.ChatCompletions, patience)
	// A run takes longer beside the others, and this one was looked at, too.
	span := time.Since(began)
	var moments [crashes]time.Duration
	for i := range moments {
		moments[i] = time.Duration(random.Int64N(int64(span)))
	}
	const workers = 4
	for worker := range workers {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for i := worker; i < crashes; i += workers {
				spoken := protocols[i%len(protocols)]
				crash(t, spoken, moments[i])
				if t.Failed() {
					t.Fatalf("killed after %v over %s", moments[i], spoken)
				}
			}
		})
	}
}

// crash kills a run some time after its start and looks at what is left of it.
func crash(t *testing.T, spoken llm.Protocol, after time.Duration) {
	c := newCrashed(t, spoken)
	cmd := c.command(c.task("--input", "jsonl", "--output", "jsonl")...)
	stdin, err := cmd.StdinPipe()
	c.must(err)
	stdout, err := cmd.StdoutPipe()
	c.must(err)
	c.must(cmd.Start())
	killer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer killer.Stop()
	c.follow(stdout, stdin)
	_ = cmd.Wait() // it was killed, or had ended before
	c.check()
	for i, request := range c.server.Requests() {
		if request.Path != paths[spoken] {
			t.Errorf("request %d over %s went to %s", i+1, spoken, request.Path)
		}
	}
}

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

func newCrashed(t *testing.T, spoken llm.Protocol) *crashed {
	t.Helper()
	c := &crashed{place: newPlace(t, worked)}
	c.write("note.txt", "a note\n")
	folder := filepath.Join(home(c.root)["XDG_CONFIG_HOME"], "fairlead")
	c.must(os.MkdirAll(folder, 0o700))
	c.must(os.WriteFile(filepath.Join(folder, "config.toml"), fmt.Appendf(nil, ownModel, c.url, spoken), 0o600))
	return c
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
	// counts, and a wait must still be seen.
	if took, waited := c.used, time.Since(began); took > time.Second || waited > listWait {
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

// TestPART03_AFullDiskEndsARunInOrder fills the disk of the data folder at each
// possible write.
func TestPART03_AFullDiskEndsARunInOrder(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		t.Skipf("no disk of a chosen size can be made here: %v: %s", err, out)
	}
	const workers, smallest, largest, step = 2, 90, 480, 6 // KiB
	for worker := range workers {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for size := smallest + worker*step; size <= largest; size += workers * step {
				fillDisk(t, size)
				if t.Failed() {
					t.Fatalf("with a disk of %d KiB", size)
				}
			}
		})
	}
}

// fullDisk runs a task with its data on a disk of SIZE KiB, then makes the disk
// larger, and copies what is on it for the test to look at.
const fullDisk = `
mount -t tmpfs -o size=${SIZE}k none "$XDG_DATA_HOME" || exit 99
"$@"
code=$?
mount -o remount,size=50m none "$XDG_DATA_HOME" || exit 99
cp -a "$XDG_DATA_HOME/." "$COPY" || exit 99
exit $code
`

func fillDisk(t *testing.T, size int) {
	c := newCrashed(t, llm.ChatCompletions)
	inside := c.command(c.task("--approve", "all", "--output", "jsonl")...)
	cmd := exec.Command("unshare", append([]string{"-rm", "sh", "-c", fullDisk, "sh", inside.Path}, inside.Args[1:]...)...)
	data, copied := home(c.root)["XDG_DATA_HOME"], filepath.Join(c.root, "copy")
	c.must(os.MkdirAll(data, 0o700))
	c.must(os.MkdirAll(copied, 0o700))
	cmd.Dir = inside.Dir
	cmd.Env = append(inside.Env, fmt.Sprintf("SIZE=%d", size), "COPY="+copied)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	err := cmd.Run()
	c.follow(&out, io.Discard)
	c.must(os.Remove(data))
	c.must(os.Rename(copied, data))
	if err == nil {
		c.check() // the disk was large enough
		return
	}
	said := trouble.String()
	if len(c.shown) > 0 {
		last := c.shown[len(c.shown)-1]
		if last.Type != "lifecycle.error" {
			t.Fatalf("the run ends with %s: %s", last.Type, said)
		}
		if last.field("code") != "STORAGE" || strings.Contains(said, "next run") {
			t.Errorf("the code is %s, and it says %q", last.field("code"), said)
		}
		said = last.field("message")
		// The end is shown, though it could not be kept.
		c.shown, c.lines = c.shown[:len(c.shown)-1], c.lines[:len(c.lines)-1]
	}
	if !strings.Contains(said, "disk is full") && !strings.Contains(said, "no space left") && !strings.Contains(said, "cannot be written") {
		t.Errorf("it says %q", said)
	}
	c.check()
}
