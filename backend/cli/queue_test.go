package cli_test

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

var duration = regexp.MustCompile(`\(\d+ ms\)`)

// prompt gives the run something more to do and waits until that is queued.
func (r *program) prompt(text, target string) {
	r.t.Helper()
	r.say(fmt.Sprintf(`{"type":"prompt","text":%q,"target":%q}`, text, target))
	if queued := r.await("prompt.queued"); queued.field("text") != text || queued.field("target") != target {
		r.t.Errorf("queued: %v", queued.Data)
	}
}

// prompts are what the runs began with.
func (r *program) prompts() (begun []string) {
	for _, run := range runsOf(r.seen) {
		begun = append(begun, run[0].field("prompt"))
	}
	return begun
}

func TestSTEER01_APromptForTheStepJoinsTheRun(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA).start("--input", "jsonl")
	run.await("tool.confirm_request")
	run.say(`{"type":"prompt","text":"and mind the spelling"}`)
	if queued := run.await("prompt.queued"); queued.field("target") != "step" {
		t.Errorf("without a target: %v", queued.Data)
	}
	run.say(`{"type":"confirm","callId":"c1","decision":"approve"}`)
	run.await("step.completed")
	if joined := run.await("prompt.joined"); joined.field("text") != "and mind the spelling" {
		t.Errorf("joined: %v", joined.Data)
	}
	run.ends(0)
	messages := run.server.Requests()[1].Chat.Messages
	if last := messages[len(messages)-1]; last.Role != "user" || last.Text() != "and mind the spelling" {
		t.Errorf("the model was sent at last: %s %q", last.Role, last.Text())
	}
}

func TestSTEER01_PromptsForARunAreRunsInOrder(t *testing.T) {
	t.Parallel()
	p := patient(t, `
text one
---
call c1 write_file {"path":"a.txt","content":"two\n"}
---
text two
---
text three
usage 5 1
`)
	run := p.start("--input", "jsonl", "--stats")
	run.await("step.started")
	run.prompt("the second", "run")
	run.prompt("the third", "run")
	for range 4 {
		p.turn <- struct{}{}
	}
	run.await("tool.confirm_request")
	run.say(`{"type":"confirm","callId":"c1","decision":"approve"}`) // goes to the current run
	run.must(run.stdin.Close())                                      // and what waits still runs
	for i, end := range run.endsAfter(3, 0) {
		if want := []string{"one", "two", "three"}[i]; end.field("content") != want {
			t.Errorf("run %d ends with %v", i+1, end.Data)
		}
	}
	if got := fmt.Sprint(run.prompts()); got != "[do it the second the third]" {
		t.Errorf("the runs: %s", got)
	}
	if got := run.read("a.txt"); got != "two\n" {
		t.Errorf("a.txt is %q", got)
	}
	if text := run.stderr.String(); !strings.Contains(text, `"steps":1,`) || strings.Count(text, "\n") != 1 {
		t.Errorf("the figures are not of all runs: %q", text)
	}
}

func TestSTEER01_AStepThatNeverComesIsTheNextRun(t *testing.T) {
	t.Parallel()
	p := patient(t, "text one\n---\ntext two")
	run := p.start("--input", "jsonl")
	run.await("step.started")
	run.prompt("go on", "step")
	p.turn <- struct{}{}
	p.turn <- struct{}{}
	if ends := run.endsAfter(2, 0); ends[1].field("content") != "two" || run.prompts()[1] != "go on" {
		t.Errorf("the runs: %q, ends %v", run.prompts(), ends)
	}
}

func TestCLI01_TheExitCodeIsTheLastRuns(t *testing.T) {
	t.Parallel()
	p := patient(t, "text one\n---\nstatus 400 {\"error\":{\"message\":\"no\"}}")
	run := p.start("--input", "jsonl")
	run.await("step.started")
	run.prompt("go on", "run")
	p.turn <- struct{}{}
	p.turn <- struct{}{}
	run.endsAfter(2, 1)
}

// TestSTEER01_AnInterruptMakesWay is how a program has something done now.
func TestSTEER01_AnInterruptMakesWay(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA).start("--input", "jsonl")
	run.await("tool.confirm_request")
	run.prompt("this instead", "run")
	run.say(`{"type":"interrupt"}`)
	ends := run.endsAfter(2, 0)
	if ends[0].field("reason") != "interrupted" || ends[1].field("content") != "done" || run.prompts()[1] != "this instead" {
		t.Errorf("the runs: %q, ends %v", run.prompts(), ends)
	}
}

func TestCLI01_RunsAsText(t *testing.T) {
	t.Parallel()
	p := patient(t, `
text the first answer
---
call c1 list_files {"path":"."}
---
text the second answer
---
text the third answer
`)
	p.write("a.txt", "")
	run := p.written("--input", "jsonl", "--approve", "all")
	run.say(`{"type":"prompt","text":"what\nelse","target":"run"}`)
	run.say(`{"type":"prompt","text":"be\u202e quick","target":"run"}`)
	run.shows("next run: be")
	p.turn <- struct{}{}
	run.shows("» what else")
	run.say(`{"type":"prompt","text":"briefly"}`)
	run.shows("briefly")
	for range 3 {
		p.turn <- struct{}{}
	}
	run.exits(0)
	if got := run.out.String(); got != "the first answer\nthe second answer\nthe third answer\n" {
		t.Errorf("standard output: %q", got)
	}
	const want = `» waits for the next run: what else
» waits for the next run: be\u{202e} quick
» what else
» waits for the next step: briefly
→ list_files .
✓ list_files . (0 ms)
  │ a.txt
» given to the model: briefly
» be\u{202e} quick
`
	if got := duration.ReplaceAllString(run.trouble.String(), "(0 ms)"); got != want {
		t.Errorf("standard error: %q", got)
	}
}

// TestEV04_AnUnreadRunDelaysNoOther has nobody read what the first run says, which is
// more than a pipe holds.
func TestEV04_AnUnreadRunDelaysNoOther(t *testing.T) {
	t.Parallel()
	p := newPlace(t, flood()+"\n---\n"+writeLast)
	cmd := p.command(p.task("--approve", "all", "--input", "jsonl", "--output", "jsonl")...)
	stdin, err := cmd.StdinPipe()
	p.must(err)
	_, err = stdin.Write([]byte(`{"type":"prompt","text":"and the last","target":"run"}` + "\n")) // before it starts
	p.must(err)
	output, out, err := os.Pipe()
	p.must(err)
	cmd.Stdout = out
	p.must(cmd.Start())
	p.must(out.Close())
	ended := awaitEnd(t, cmd)
	p.eventually("both runs have ended", func() bool { return strings.Count(p.log(), `"run ended"`) == 2 })
	if p.read("last.txt") != "x" {
		t.Error("last.txt is not written")
	}
	text, err := io.ReadAll(output)
	p.must(err)
	p.must(output.Close())
	exits(t, cmd, ended, 0)
	all, err := parseEvents(string(text))
	if err != nil || len(runsOf(all)) != 2 || len(text) < 1<<17 {
		t.Errorf("%d bytes, %d runs, %v", len(text), len(runsOf(all)), err)
	}
}
