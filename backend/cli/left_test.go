package cli_test

import (
	"fmt"
	"testing"
)

func TestSTEER01_WhatIsLeftIsNamed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, order string
		code        int
	}{
		{"cancel", `{"type":"cancel"}`, 130},
		{"reject and stop", `{"type":"confirm","callId":"c1","decision":"reject","stop":true}`, 6},
	}
	for _, test := range tests {
		for n, want := range map[int][2]string{
			1: {"note: 1 prompt that waited was not run", "; it waits on in the conversation\n"},
			3: {"note: 3 prompts that waited were not run", "; they wait on in the conversation\n"},
		} {
			t.Run(fmt.Sprint(test.name, " ", n), func(t *testing.T) {
				t.Parallel()
				run := newPlace(t, writeA).start("--input", "jsonl")
				run.await("tool.confirm_request")
				for i := range n {
					run.prompt(fmt.Sprint("more ", i), "run")
				}
				run.say(test.order)
				run.ends(test.code)
				if got := run.stderr.String(); got != want[0]+want[1] {
					t.Errorf("standard error: %q", got)
				}
			})
		}
	}
}

func TestSTEER01_WhatIsNotKeptIsNotSaidToBe(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA).start("--input", "jsonl", "--no-session")
	run.await("tool.confirm_request")
	run.prompt("more", "run")
	run.say(`{"type":"cancel"}`)
	run.ends(130)
	if got := run.stderr.String(); got != "note: 1 prompt that waited was not run\n" {
		t.Errorf("standard error: %q", got)
	}
}

// TestSTEER01_WhatWasLeftWaitsOn leaves two prompts in a conversation, which is gone on
// with in another process.
func TestSTEER01_WhatWasLeftWaitsOn(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA+"---\ntext two").start("--input", "jsonl")
	run.await("tool.confirm_request")
	run.prompt("more", "run")
	run.prompt("and more", "run")
	run.say(`{"type":"cancel"}`)
	run.ends(130)
	again := run.start("--session", "last", "--approve", "all")
	again.endsAfter(1, 0)
	if got := fmt.Sprint(again.prompts()); got != "[do it]" {
		t.Errorf("the runs: %s", got)
	}
	if got := again.stderr.String(); got != "note: 2 prompts wait in this conversation from before, and wait on; the window can send them\n" {
		t.Errorf("standard error: %q", got)
	}
}
