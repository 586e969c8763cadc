package cli_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestINT01_AnInterruptFromStandardInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, order, content string
		code                 int
	}{
		{"with a message", `{"type":"interrupt","message":"Take the other file."}`, "Take the other file.", 0},
		{"without", `{"type":"interrupt"}`, "I write it.", 6},
		{"with a blank one", `{"type":"interrupt","message":" \n"}`, "I write it.", 6},
		{"with a key in it", `{"type":"interrupt","message":"use ` + canary + `"}`, "use [redacted key]", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			run := newPlace(t, "text I write it.\n"+writeA).start("--input", "jsonl")
			run.await("tool.confirm_request")
			run.say(test.order)
			run.say(`{"type":"interrupt","message":"and another"}`)
			end := run.ends(test.code)
			if end.Type != "lifecycle.end" || end.field("reason") != "interrupted" || end.field("content") != test.content {
				t.Errorf("the end: %s %v", end.Type, end.Data)
			}
			if n := len(run.server.Requests()); n != 1 || run.read("a.txt") != "" {
				t.Errorf("the model was asked %d times, a.txt is %q", n, run.read("a.txt"))
			}
			given := slices.ContainsFunc(run.seen, func(e envelope) bool {
				return e.Type == "assistant.final" && e.field("content") == test.content
			})
			if given != (test.code == 0) {
				t.Errorf("the events: %v", types(run.seen))
			}
		})
	}
}

// TestINT01_WhatRunsComesToItsEnd interrupts a command, and goes on afterwards in
// another process.
func TestINT01_WhatRunsComesToItsEnd(t *testing.T) {
	t.Parallel()
	run := newPlace(t, `
call c1 shell {"command":"echo up && `+waitFor("go")+` && echo reached its end"}
---
text I go on.
`).start("--input", "jsonl", "--approve", "all")
	run.await("tool.progress")
	run.say(`{"type":"interrupt","message":"wait for me"}`)
	if order := run.await("run.interrupt"); order.field("message") != "wait for me" {
		t.Errorf("the interrupt: %v", order.Data)
	}
	run.write("go", "")
	if result := run.await("tool.result"); !strings.Contains(result.field("content"), "reached its end") {
		t.Errorf("the result: %v", result.Data)
	}
	run.ends(0)
	again := run.start("--session", "last")
	if end := again.ends(0); end.field("content") != "I go on." {
		t.Errorf("INT-02: the next run ends with %v", end.Data)
	}
	messages := run.server.Requests()[1].Chat.Messages
	if said := messages[len(messages)-2]; said.Role != "assistant" || said.Text() != "wait for me" {
		t.Errorf("the model reads that it said %q", said.Text())
	}
}

func TestINT01_AnInterruptAsText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		order, out string
		code       int
	}{
		{`{"type":"interrupt","message":"That is enough."}`, "That is enough.\n", 0},
		{`{"type":"interrupt"}`, "", 6},
	} {
		t.Run(fmt.Sprint(test.code), func(t *testing.T) {
			t.Parallel()
			run := newPlace(t, "status 503 {}\nheader Retry-After: 40").written("--input", "jsonl")
			run.shows("attempt 2 of 5")
			run.say(test.order)
			run.exits(test.code)
			if out, trouble := run.out.String(), run.trouble.String(); out != test.out ||
				!strings.HasSuffix(trouble, "! interrupted: the run stops before it asks the model again\n") {
				t.Errorf("standard output %q, standard error %q", out, trouble)
			}
		})
	}
}
