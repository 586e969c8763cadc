package cli_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// types are the types of the events in order, neighbours of one type once.
func types(all []envelope) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Type)
	}
	return slices.Compact(names)
}

func TestCLI01_ReadAndCopy(t *testing.T) {
	t.Parallel()
	copies := map[string]string{
		"write_file": `{"path":"b.txt","content":"hello\n"}`,
		"shell":      `{"command":"` + forSystem("cp a.txt b.txt", "copy a.txt b.txt >nul") + `"}`,
	}
	for tool, arguments := range copies {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, `
text I read it first.
call c1 read_file {"path":"a.txt"}
---
call c2 `+tool+" "+arguments+`
---
text b.txt is a copy of a.txt.
usage 100 10
`)
			p.write("a.txt", "hello\n")
			run := p.start("--approve", "all")
			end := run.ends(0)
			if got := p.read("b.txt"); got != "hello\n" {
				t.Errorf("b.txt is %q", got)
			}
			want := []string{
				"lifecycle.start",
				"step.started", "assistant.delta", "usage", "decision", "tool.call", "tool.running", "tool.result", "step.completed",
				"step.started", "usage", "decision", "tool.call", "tool.confirm_result", "tool.running", "tool.result", "step.completed",
				"step.started", "assistant.delta", "usage", "decision",
				"lifecycle.end",
			}
			if got := types(run.seen); !slices.Equal(got, want) {
				t.Errorf("events %s\nwant   %s", got, want)
			}
			steps := 0
			for _, e := range run.seen {
				if e.Type == "step.completed" {
					if steps++; e.Data["step"] != float64(steps) {
						t.Errorf("EV-02: step %v completed, want %d", e.Data["step"], steps)
					}
				}
			}
			if steps != 2 || end.field("reason") != "completed" || end.field("content") != "b.txt is a copy of a.txt." {
				t.Errorf("%d steps, end %v", steps, end.Data)
			}
			if run.stderr.String() != "" {
				t.Errorf("standard error: %q", run.stderr.String())
			}
		})
	}
}

// TestDSP05_FourCommandsAtOnce runs commands each of which ends only when all
// four are running.
func TestDSP05_FourCommandsAtOnce(t *testing.T) {
	t.Parallel()
	var script strings.Builder
	for i := range 4 {
		fmt.Fprintf(&script, `call c%d shell {"command":"touch here%d && %s && %s && %s && %s && echo all"}`+"\n",
			i, i, waitFor("here0"), waitFor("here1"), waitFor("here2"), waitFor("here3"))
	}
	p := newPlace(t, script.String()+"---\ntext done\n")
	run := p.start("--approve", "all", "--tool-timeout", "15s")
	run.ends(0)
	for _, e := range run.seen {
		if e.Type == "tool.result" && !strings.HasSuffix(strings.TrimSpace(e.field("content")), "all") {
			t.Errorf("%s returned %q", e.field("callId"), e.field("content"))
		}
	}
}

func TestDSP05_EightSleepsTakeAsLongAsOne(t *testing.T) {
	t.Parallel()
	wait := 1.0
	if runtime.GOOS == "windows" {
		wait = 4 // to start a process takes longer
	}
	var script strings.Builder
	for i := range 8 {
		fmt.Fprintf(&script, `call c%d shell {"command":"sleep %v"}`+"\n", i, wait)
	}
	p := newPlace(t, script.String()+"usage 10 1\n---\ntext done\n") // to estimate them takes a while
	run := p.start("--approve", "all")
	round := run.await("step.completed").Data
	if seconds, _ := round["elapsedSeconds"].(float64); seconds < wait || seconds > 4*wait || round["toolCallCount"] != 8.0 {
		t.Errorf("the round: %v", round)
	}
	run.ends(0)
}

// TestST02_TwoProgramsAtOnce has two runs share state and workspace.
func TestST02_TwoProgramsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "")
	var runs []*program
	for i := range 2 {
		own := newPlace(t, fmt.Sprintf(`
call c1 write_file {"path":"%d.txt","content":"%d"}
---
call c2 list_files {"path":"."}
---
text I am run %d.
`, i, i, i))
		shared := *p
		shared.url = own.url
		runs = append(runs, shared.start("--approve", "all"))
	}
	for i, run := range runs {
		end := run.ends(0)
		if want := fmt.Sprintf("I am run %d.", i); end.field("content") != want || p.read(fmt.Sprintf("%d.txt", i)) != fmt.Sprint(i) {
			t.Errorf("run %d: %v", i, end.Data)
		}
	}
	if runs[0].seen[0].RunID == runs[1].seen[0].RunID {
		t.Error("EV-05: both runs have one id")
	}
	for _, run := range runs {
		if n := strings.Count(p.log(), `"run ended","run":"`+run.seen[0].RunID); n != 1 {
			t.Errorf("run %s ends %d times in the log", run.seen[0].RunID, n)
		}
	}
}
