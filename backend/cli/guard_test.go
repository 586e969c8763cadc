package cli_test

import (
	"strings"
	"testing"
)

// looping is a model that repeats a call: the third is refused, the fourth is asked
// about.
const looping = `
call a list_files {"path":"."}
---
call b list_files {"path":"."}
---
call c list_files {"path":"."}
---
call d list_files {"path":"."}
---
text enough
`

// spending is a model that uses more than 100 tokens with its first reply, and as many
// with its second.
const spending = `
call a list_files {"path":"."}
usage 90 20
---
call b list_files {"path":"sub"}
usage 90 20
---
text enough
usage 1 1
`

// failing is a model whose calls all fail.
const failing = `
call a read_file {"path":"a.txt"}
---
call b read_file {"path":"b.txt"}
---
call c read_file {"path":"c.txt"}
---
text enough
`

func TestDOOM02_AGuardIsAnsweredFromStandardInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		arguments    []string
		kind         string
		reason, code string // of a run that is stopped
		exit         int
	}{
		{"doom loop", looping, nil, "doom_loop", "doom_loop", "DOOM_LOOP", 5},
		{"all failed", failing, nil, "all_failed", "doom_loop", "DOOM_LOOP", 5},
		{"budget", spending, []string{"--budget", "220"}, "budget", "budget", "BUDGET", 4},
	}
	for _, test := range tests {
		for _, decision := range []string{"continue", "stop"} {
			t.Run(test.name+" "+decision, func(t *testing.T) {
				t.Parallel()
				run := newPlace(t, test.script).start(append(test.arguments, "--input", "jsonl")...)
				request := run.await("guard.request")
				if request.field("kind") != test.kind || request.field("detail") == "" || request.Data["expiresAt"].(float64) < float64(request.TS) {
					t.Errorf("the question: %v", request.Data)
				}
				run.say(`{"type":"guard","guardId":"` + request.field("guardId") + `","decision":"` + decision + `"}`)
				result := run.await("guard.result")
				if result.field("guardId") != request.field("guardId") || result.field("decision") != decision || result.field("by") != "user" {
					t.Errorf("the decision: %v", result.Data)
				}
				if decision == "continue" {
					if end := run.ends(0); end.field("content") != "enough" {
						t.Errorf("the end: %v", end.Data)
					}
					return
				}
				if end := run.ends(test.exit); end.field("reason") != test.reason || end.field("code") != test.code {
					t.Errorf("the end: %v", end.Data)
				}
			})
		}
	}
}

func TestDOOM02_AGuardWaitsLongerWhereItIsTold(t *testing.T) {
	t.Parallel()
	run := newPlace(t, looping).start("--input", "jsonl", "--confirm-timeout", "1500ms")
	first := run.await("guard.request")
	id := first.field("guardId")
	bad := []string{
		`{"type":"guard","decision":"continue"}`, `{"type":"guard","guardId":"` + id + `"}`,
		`{"type":"guard","guardId":"` + id + `","decision":"approve"}`, `{"type":"guard","guardId":"g9","decision":"stop"}`,
		`{"type":"confirm","callId":"` + id + `","decision":"approve"}`, `{"type":"extend","guardId":"g9"}`,
	}
	for _, line := range bad {
		run.say(line)
	}
	run.say(`{"type":"extend","guardId":"` + id + `"}`)
	second := run.await("guard.request")
	if second.field("guardId") != id || second.Data["expiresAt"].(float64) < first.Data["expiresAt"].(float64) {
		t.Errorf("asked %v, and again %v", first.Data, second.Data)
	}
	// Nobody answers now.
	if result := run.await("guard.result"); result.field("decision") != "stop" || result.field("by") != "timeout" {
		t.Errorf("the decision: %v", result.Data)
	}
	run.ends(5)
	if n := strings.Count(run.stderr.String(), "error: input line ignored: "); n != len(bad) {
		t.Errorf("%d lines for %d bad ones: %s", n, len(bad), run.stderr.String())
	}
}

func TestDOOM02_TheEndOfTheInputStops(t *testing.T) {
	t.Parallel()
	run := newPlace(t, looping).start("--input", "jsonl")
	run.await("guard.request")
	run.must(run.stdin.Close())
	if result := run.await("guard.result"); result.field("decision") != "stop" || result.field("by") != "mode" {
		t.Errorf("the decision: %v", result.Data)
	}
	run.ends(5)
}

func TestDOOM02_AGuardAsText(t *testing.T) {
	t.Parallel()
	const question = "? every call failed in 3 rounds in a row; may the run go on\n"
	for want, arguments := range map[string][]string{
		question + "  nobody can be asked: the run stops\nerror: ":  {"--approve", "all"},
		question + "  not answered in time: the run stops\nerror: ": {"--input", "jsonl", "--confirm-timeout", "1ms"},
	} {
		run := newPlace(t, failing).written(arguments...)
		run.exits(5)
		if got := run.trouble.String(); !strings.Contains(got, want) {
			t.Errorf("standard error %q, want %q", got, want)
		}
	}
}

// TestLOOP14_ARunOverItsBudgetIsGoneOnWith stops for want of tokens, and goes on in
// another process.
func TestLOOP14_ARunOverItsBudgetIsGoneOnWith(t *testing.T) {
	t.Parallel()
	run := newPlace(t, spending).start("--budget", "100")
	warning := run.await("guard.request")
	if warning.field("detail") != "110 of 100 tokens are used" {
		t.Errorf("the question: %v", warning.Data)
	}
	if end := run.ends(4); end.field("reason") != "budget" || !strings.Contains(end.field("message"), "--budget") {
		t.Errorf("the end: %v", end.Data)
	}
	again := run.start("--session", "last", "--budget", "120")
	if warning := again.await("guard.warning"); warning.field("kind") != "budget" || warning.field("detail") != "110 of 120 tokens are used" {
		t.Errorf("the warning: %v", warning.Data)
	}
	if end := again.ends(0); end.field("content") != "enough" {
		t.Errorf("the end: %v", end.Data)
	}
}

func TestDOOM05_NoDoomLetsItRepeat(t *testing.T) {
	t.Parallel()
	for _, script := range []string{looping, failing} {
		run := newPlace(t, script).start("--no-doom")
		if end := run.ends(0); end.field("content") != "enough" {
			t.Errorf("the end: %v", end.Data)
		}
	}
}
