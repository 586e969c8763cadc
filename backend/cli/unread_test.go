package cli_test

import (
	"os"
	"strings"
	"testing"
)

// unread starts a run whose output nobody reads and returns once it is stuck.
func unread(t *testing.T, last string) (run *program, output *os.File) {
	t.Helper()
	p := newPlace(t, flood()+last)
	run = &program{place: p, cmd: p.command(p.task("--approve", "all", "--output", "jsonl")...)}
	run.cmd.Stderr = &run.stderr
	output, out, err := os.Pipe()
	p.must(err)
	t.Cleanup(func() { output.Close() })
	run.cmd.Stdout = out
	p.must(run.cmd.Start())
	p.must(out.Close())
	run.ended = awaitEnd(t, run.cmd)
	return run, output
}

func TestEV04_ARunEndsThoughNobodyReads(t *testing.T) {
	t.Parallel()
	run, output := unread(t, writeLast)
	run.eventually("the run has ended", func() bool { return strings.Contains(run.log(), `"run ended"`) })
	if run.read("last.txt") != "x" {
		t.Error("last.txt is not written")
	}
	select {
	case <-run.ended:
		t.Fatal("the program left with its output unread")
	default:
	}
	var text strings.Builder
	buffer := make([]byte, 1<<16)
	for n, err := output.Read(buffer); err == nil; n, err = output.Read(buffer) {
		text.Write(buffer[:n])
	}
	run.exits(0)
	all, err := parseEvents(text.String())
	if err != nil {
		t.Fatal(err)
	}
	if text.Len() < 1<<17 || all[len(all)-1].Type != "lifecycle.end" {
		t.Errorf("%d bytes, last %s", text.Len(), all[len(all)-1].Type)
	}
}

func TestCLI01_AReaderThatLeavesCancels(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `call c1 shell {"command":"`+forSystem("sleep 1000 & while :; do echo more; sleep 0.05; done",
		"start /b sleep 1000 & for /l %i in (1,0,2) do @(echo more & sleep 0.05)")+`"}`)
	run := &program{place: p, cmd: p.command(p.task("--approve", "all", "--output", "jsonl")...)}
	run.cmd.Stderr = &run.stderr
	output, out, err := os.Pipe()
	p.must(err)
	run.cmd.Stdout = out
	p.must(run.cmd.Start())
	p.must(out.Close())
	run.ended = awaitEnd(t, run.cmd)
	if _, err := output.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	p.must(output.Close())
	run.exits(130)
	if text := run.stderr.String(); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "error: write output: ") {
		t.Errorf("standard error: %q", text)
	}
}

func TestCLI01_AnAnswerThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "text done")
	run := &program{place: p, cmd: p.command(p.task("--approve", "all")...)}
	run.cmd.Stderr = &run.stderr
	output, out, err := os.Pipe()
	p.must(err)
	p.must(output.Close())
	run.cmd.Stdout = out
	p.must(run.cmd.Start())
	p.must(out.Close())
	run.ended = awaitEnd(t, run.cmd)
	run.exits(1)
	if text := run.stderr.String(); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "error: write output: ") {
		t.Errorf("standard error: %q", text)
	}
}
