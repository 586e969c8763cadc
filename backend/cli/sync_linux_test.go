package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	synced = regexp.MustCompile(`(fsync|fdatasync)\(\d+<[^>]*fairlead\.db-wal>\) += 0`)
	shown  = regexp.MustCompile(`write\(1<.*\\"type\\":\\"([a-z_.]+)\\"`)
)

// TestPART03_WhatIsShownSurvivesAPowerCut watches the system calls of a run: each
// thing that the user said or decided, each result and the end are shown after a
// sync of their own.
func TestPART03_WhatIsShownSurvivesAPowerCut(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `
call c1 read_file {"path":"note.txt"}
call c2 shell {"command":"echo hi"}
---
text It is done.
`)
	p.write("note.txt", "a note\n")
	run := p.command(p.task("--approve", "all", "--output", "jsonl")...)
	trace := filepath.Join(p.root, "trace")
	// One line a call, with the names of files and enough of what is written.
	cmd := exec.Command("strace", append([]string{
		"-f", "-y", "-s", "400", "-e", "trace=fsync,fdatasync,write", "-o", trace, run.Path,
	}, run.Args[1:]...)...)
	cmd.Dir, cmd.Env = run.Dir, run.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		text, _ := os.ReadFile(trace)
		if len(text) == 0 {
			t.Skipf("system calls cannot be watched here: %v: %s", err, out)
		}
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(trace)
	p.must(err)
	// A listener can be behind what is saved, so syncs are counted from the start.
	syncs, before, needed := 0, 0, 0
	var seen []string
	for line := range strings.Lines(joined(string(text))) {
		if synced.MatchString(line) {
			syncs++
			continue
		}
		event := shown.FindStringSubmatch(line)
		if event == nil {
			continue
		}
		switch event[1] {
		case "lifecycle.start":
			// Making the log of the database takes syncs too.
			before, needed = syncs-1, 1
		case "tool.confirm_result", "tool.result", "lifecycle.end":
			needed++
		default:
			continue
		}
		seen = append(seen, event[1])
		if syncs-before < needed || syncs == 0 {
			t.Errorf("%s is shown after %d syncs, want %d: %v", event[1], syncs-before, needed, seen)
		}
	}
	const want = "lifecycle.start tool.result tool.confirm_result tool.result lifecycle.end"
	if len(seen) != len(strings.Fields(want)) || seen[len(seen)-1] != "lifecycle.end" {
		t.Errorf("seen %v, want some order of %s", seen, want)
	}
}

var (
	unfinished = regexp.MustCompile(`^(\d+) +(.*) <unfinished \.\.\.>\n$`)
	resumed    = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)\n$`)
)

// joined puts calls that another thread interrupted in the trace on one line, where
// they ended.
func joined(trace string) string {
	begun := map[string]string{}
	var all strings.Builder
	for line := range strings.Lines(trace) {
		if call := unfinished.FindStringSubmatch(line); call != nil {
			// What is written counts from its beginning: a reader may have it by then.
			if strings.HasPrefix(call[2], "write(") {
				all.WriteString(call[2] + "\n")
				continue
			}
			begun[call[1]] = call[2]
			continue
		}
		if call := resumed.FindStringSubmatch(line); call != nil {
			all.WriteString(begun[call[1]] + call[2] + "\n")
			continue
		}
		all.WriteString(line)
	}
	return all.String()
}
