//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead/backend/settings"
)

// tree is a command with a child that outlives its shell unless it is ended.
const tree = `call c1 shell {"command":"sleep 1000 & sh -c 'sleep 1000' & echo up; wait"}`

func TestCAN01_SignalsCancel(t *testing.T) {
	t.Parallel()
	moments := []struct {
		name, script, await string
		arguments           []string
	}{
		{"streaming", "text half\nhang", "assistant.delta", nil},
		{"a tool runs", tree, "tool.progress", []string{"--approve", "all"}},
		{"a question waits", tree, "tool.confirm_request", []string{"--input", "jsonl"}},
		{"backing off", "status 503 busy\nheader Retry-After: 50", "llm.retry", nil},
	}
	for _, moment := range moments {
		for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(moment.name+" "+signal.String(), func(t *testing.T) {
				t.Parallel()
				run := newPlace(t, moment.script).start(moment.arguments...)
				run.await(moment.await)
				within(t, func() {
					run.must(run.cmd.Process.Signal(signal))
					run.exits(130)
				})
				if left := processesOf(run.root); len(left) > 0 {
					t.Errorf("processes left: %q", left)
				}
				last := run.ends(130)
				if last.Type != "lifecycle.error" || last.field("code") != "CANCELLED" || last.field("reason") != "cancelled" {
					t.Errorf("the last event is %s %v", last.Type, last.Data)
				}
				if run.stderr.Len() > 0 && !strings.HasPrefix(run.stderr.String(), "note: ") {
					t.Errorf("standard error: %q", run.stderr.String())
				}
			})
		}
	}
}

// The program waits for its settings here: long before there is a run.
func TestCAN01_ASignalAtTheStartEndsAsACancelDoes(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			p := newPlace(t, "text never asked")
			data := filepath.Join(p.root, "data")
			pipe := filepath.Join(data, settings.FileName)
			p.must(os.Mkdir(data, 0o700))
			p.must(syscall.Mkfifo(pipe, 0o600))
			run := p.start("--data-dir", data)
			within(t, func() {
				held, err := os.OpenFile(pipe, os.O_WRONLY, 0) // as soon as it is read
				p.must(err)
				defer func() { _ = held.Close() }()
				p.must(run.cmd.Process.Signal(signal))
				run.exits(130)
			})
		})
	}
}

func TestCAN01_ASignalCancelsTheActiveRun(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA+"---\ntext half\nhang").start("--input", "jsonl")
	run.await("tool.confirm_request")
	run.prompt("the second", "run")
	run.prompt("the third", "run")
	run.say(`{"type":"confirm","callId":"c1","decision":"approve"}`)
	run.await("lifecycle.end")
	run.await("assistant.delta")
	within(t, func() {
		run.must(run.cmd.Process.Signal(syscall.SIGINT))
		run.exits(130)
	})
	if end := run.endsAfter(2, 130)[1]; end.field("reason") != "cancelled" || end.field("partialContent") != "half" {
		t.Errorf("the second run ends with %v", end.Data)
	}
	if got := run.stderr.String(); got != "note: 1 prompt that waited was not run; it waits on in the conversation\n" {
		t.Errorf("standard error: %q", got)
	}
}

const listThenHang = `call c1 list_files {"path":"."}` + "\n---\nhang"

func TestCAN01_AnInterruptEndsAProgramNobodyReads(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]string{"after the run": writeLast, "in the run": listThenHang} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, _ := unread(t, last)
			if last == writeLast {
				run.eventually("the run has ended", func() bool { return strings.Contains(run.log(), `"run ended"`) })
			} else {
				run.eventually("the model is asked again", func() bool { return len(run.server.Requests()) == 2 })
			}
			within(t, func() {
				run.must(run.cmd.Process.Signal(syscall.SIGINT))
				run.exits(130)
			})
			if got := run.stderr.String(); got != "error: standard output was not read to the end\n" {
				t.Errorf("standard error: %q", got)
			}
		})
	}
}

// stuck starts a run that cannot end by itself once it is cancelled, because
// nobody reads what it says about that.
func stuck(t *testing.T) *program {
	t.Helper()
	p := newPlace(t, strings.Repeat(`call - list_files {"path":"."}`+"\n", 80)+"---\nhang")
	for _, letter := range "abcdefgh" {
		p.write(strings.Repeat(string(letter), 200), "")
	}
	run := &program{place: p, cmd: p.command(p.task()...)}
	read, write, err := os.Pipe()
	p.must(err)
	t.Cleanup(func() { read.Close() })
	run.cmd.Stdout, run.cmd.Stderr = write, write
	p.must(run.cmd.Start())
	p.must(write.Close())
	run.ended = awaitEnd(t, run.cmd)
	p.eventually("the model is asked again", func() bool { return len(p.server.Requests()) == 2 })
	<-p.gone
	return run
}

func TestCLI01_OneInterruptIsEnough(t *testing.T) {
	t.Parallel()
	run := stuck(t)
	within(t, func() {
		run.must(run.cmd.Process.Signal(syscall.SIGINT))
		run.exits(130)
	})
}

func TestCLI01_TheSecondInterruptQuits(t *testing.T) {
	t.Parallel()
	run := stuck(t)
	began := time.Now()
	run.must(run.cmd.Process.Signal(syscall.SIGINT))
	<-run.gone // the run is cancelled, so the first one has been taken
	run.must(run.cmd.Process.Signal(syscall.SIGINT))
	run.exits(130)
	if took := time.Since(began); took >= 500*time.Millisecond {
		t.Errorf("it took %v, as long as without the second", took)
	}
}

// TestLOOP07_AStandstillIsNoSilence stops the program for longer than the model
// may be silent.
func TestLOOP07_AStandstillIsNoSilence(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 9 s")
	}
	t.Parallel()
	run := newPlace(t, "text half\nhang\n---\ntext whole").start("--step-timeout", "3s")
	run.await("assistant.delta")
	run.must(run.cmd.Process.Signal(syscall.SIGSTOP))
	<-time.After(7 * time.Second)
	run.must(run.cmd.Process.Signal(syscall.SIGCONT))
	retry := run.await("llm.retry")
	if !strings.Contains(retry.field("message"), "stood still") {
		t.Errorf("the reason to try again: %q", retry.field("message"))
	}
	if end := run.ends(0); end.field("content") != "whole" {
		t.Errorf("the end: %v", end.Data)
	}
}

// TestCLI01_TwoInterruptsLeaveNothing sends the second before the command, which
// does not care, was killed.
func TestCLI01_TwoInterruptsLeaveNothing(t *testing.T) {
	t.Parallel()
	for _, second := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		t.Run(second.String(), func(t *testing.T) {
			t.Parallel()
			script := `call c1 shell {"command":"trap '' TERM INT; echo up; while :; do sleep 0.1; done"}`
			run := newPlace(t, script).start("--approve", "all")
			run.await("tool.progress")
			within(t, func() {
				run.must(run.cmd.Process.Signal(syscall.SIGINT))
				run.must(run.cmd.Process.Signal(second))
				run.exits(130)
			})
			run.eventually("nothing is left", func() bool { return len(processesOf(run.root)) == 0 })
		})
	}
}
