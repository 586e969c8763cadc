package cli_test

import (
	"strings"
	"testing"
)

const writeA = `call c1 write_file {"path":"a.txt","content":"one\n"}` + "\n---\ntext done\n"

func TestHITL03_AnswersFromStandardInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, answer string
		file         string // a.txt afterwards
		sent         string // what the model reads begins so
		code         int
	}{
		{"approve", `{"type":"confirm","callId":"c1","decision":"approve"}`, "one\n", "created a.txt", 0},
		{"reject", `{"type":"confirm","callId":"c1","decision":"reject","reason":"wrong folder"}`, "", "REJECTED: the user rejected this call; it was not run: wrong folder", 0},
		{"stop", `{"type":"confirm","callId":"c1","decision":"reject","stop":true}`, "", "", 6},
		{"cancel", `{"type":"cancel"}`, "", "", 130},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			run := newPlace(t, writeA).start("--input", "jsonl")
			request := run.await("tool.confirm_request")
			if request.Data["expiresAt"].(float64) < float64(request.TS) || request.Data["preview"] == nil {
				t.Errorf("the question: %v", request.Data)
			}
			run.say(test.answer)
			run.ends(test.code)
			if got := run.read("a.txt"); got != test.file {
				t.Errorf("a.txt is %q", got)
			}
			if test.sent != "" && !strings.HasPrefix(run.sent(2), test.sent) {
				t.Errorf("the model was sent %q", run.sent(2))
			}
			if run.stderr.String() != "" {
				t.Errorf("standard error: %q", run.stderr.String())
			}
		})
	}
}

func TestHITL03_EditedArgumentsAreAskedAboutAgain(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA).start("--input", "jsonl")
	run.await("tool.confirm_request")
	run.say(`{"type":"confirm","callId":"c1","decision":"modify","arguments":{"path":"a.txt","content":"two\n"}}`)
	again := run.await("tool.confirm_request")
	if again.field("reason") == "" {
		t.Errorf("asked again without a reason: %v", again.Data)
	}
	if got := run.read("a.txt"); got != "" {
		t.Errorf("a.txt was written before the answer: %q", got)
	}
	run.say(`{"type":"confirm","callId":"c1","decision":"approve"}`)
	run.ends(0)
	if got := run.read("a.txt"); got != "two\n" {
		t.Errorf("a.txt is %q", got)
	}
}

func TestHITL04_ExtendAsksForTheWholeTimeAgain(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA).start("--input", "jsonl")
	first := run.await("tool.confirm_request")
	run.say(`{"type":"extend","callId":"c1"}`)
	second := run.await("tool.confirm_request")
	if second.Data["expiresAt"].(float64) < first.Data["expiresAt"].(float64) {
		t.Errorf("it expires at %v, before that at %v", second.Data["expiresAt"], first.Data["expiresAt"])
	}
	run.say(`{"type":"confirm","callId":"c1","decision":"approve"}`)
	run.ends(0)
}

func TestHITL04_NoAnswerIsANo(t *testing.T) {
	t.Parallel()
	run := newPlace(t, writeA).start("--input", "jsonl", "--confirm-timeout", "300ms")
	run.ends(0)
	if !strings.HasPrefix(run.sent(2), "CONFIRM_TIMEOUT: ") || run.read("a.txt") != "" {
		t.Errorf("the model was sent %q", run.sent(2))
	}
}

func TestCLI01_BadInputChangesNothing(t *testing.T) {
	t.Parallel()
	bad := []string{
		`nonsense`, `[]`, `{}`, `{"type":"approve"}`, `{"type":"confirm"}`,
		`{"type":"confirm","callId":"c9","decision":"approve"}`,
		`{"type":"confirm","callId":"c1","decision":"yes"}`,
		`{"type":"confirm","callId":"c1","decision":"modify","arguments":[]}`,
		`{"type":"extend","callId":"c9"}`,
		`{"type":"confirm","callId":"c1","decision":"approve"} more`,
	}
	run := newPlace(t, writeA).start("--input", "jsonl")
	run.await("tool.confirm_request")
	for _, line := range append(bad, "") {
		run.say(line)
	}
	run.say(`{"type":"extend","callId":"c1"}`)
	run.await("tool.confirm_request") // so that the lines before it were read
	if got := run.read("a.txt"); got != "" {
		t.Errorf("a.txt is %q", got)
	}
	run.say(`{"type":"confirm","callId":"c1","decision":"reject"}`)
	run.ends(0)
	lines := strings.Split(strings.TrimSpace(run.stderr.String()), "\n")
	if len(lines) != len(bad) {
		t.Errorf("%d lines for %d bad ones", len(lines), len(bad))
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "error: input line ignored: ") {
			t.Errorf("standard error: %q", line)
		}
	}
}

func TestCLI01_TheEndOfTheInputRefuses(t *testing.T) {
	t.Parallel()
	run := newPlace(t, `call c1 write_file {"path":"a.txt","content":"one"}
---
call c2 write_file {"path":"b.txt","content":"two"}
---
text done`).start("--input", "jsonl")
	run.await("tool.confirm_request")
	run.must(run.stdin.Close())
	run.ends(0)
	for n, name := range map[int]string{2: "a.txt", 3: "b.txt"} {
		if got := run.sent(n); !strings.HasPrefix(got, "REJECTED: ") || !strings.Contains(got, "standard input was closed") || run.read(name) != "" {
			t.Errorf("%s: the model was sent %q", name, got)
		}
	}
}
