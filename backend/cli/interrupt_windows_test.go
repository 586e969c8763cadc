package cli_test

import (
	"strings"
	"testing"
)

// tree is a command whose children have children.
const tree = `call c1 shell {"command":"echo up && start /b cmd /c \"start /b sleep 1000 & sleep 1000\" & sleep 1000"}`

// TestCAN01_CtrlCCancels presses Ctrl+C at the console that the program is at. Wine 8 has no
// Ctrl+Break, and its processes end too slowly to test that a second is enough.
func TestCAN01_CtrlCCancels(t *testing.T) {
	t.Parallel()
	for _, moment := range []struct {
		name, script, await string
		arguments           []string
	}{
		{"streaming", "text half\nhang", "assistant.delta", nil},
		{"a tool runs", tree, "tool.progress", []string{"--approve", "all"}},
		{"a question waits", tree, "tool.confirm_request", []string{"--input", "jsonl"}},
		{"backing off", "status 503 busy\nheader Retry-After: 50", "llm.retry", nil},
	} {
		t.Run(moment.name, func(t *testing.T) {
			t.Parallel()
			run := newPlace(t, moment.script).startBesideConsole(moment.arguments...)
			run.await(moment.await)
			run.interrupt()
			run.exits(130)
			last := run.ends(130)
			if last.Type != "lifecycle.error" || last.field("code") != "CANCELLED" || last.field("reason") != "cancelled" {
				t.Errorf("the last event is %s %v", last.Type, last.Data)
			}
			if left := processesOf(run.root); len(left) > 0 {
				t.Errorf("processes left: %q", left)
			}
			if run.stderr.Len() > 0 && !strings.HasPrefix(run.stderr.String(), "note: ") {
				t.Errorf("standard error: %q", run.stderr.String())
			}
		})
	}
}

func TestCAN01_CtrlCAtAQuestionCancels(t *testing.T) {
	t.Parallel()
	run := newPlace(t, `call c1 shell {"command":"touch ran"}`+"\n---\nhang").console()
	run.sees(choices)
	run.interrupt()
	run.exits(130)
	if run.read("ran") != "" || len(run.server.Requests()) != 1 {
		t.Errorf("the model was asked %d times", len(run.server.Requests()))
	}
}
