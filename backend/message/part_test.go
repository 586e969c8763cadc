package message_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

var (
	began  = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	done   = message.Result{Content: message.Text("done")}
	failed = message.Fail(message.ExecutionError, "no")
	input  = json.RawMessage(`{"path":"a.txt"}`)
)

// in returns a call that has come as far as status.
func in(t *testing.T, status message.Status) *message.ToolUse {
	t.Helper()
	use := message.NewToolUse(message.Call{ID: "call-1", Name: "read_file", Arguments: input})
	var err error
	switch status {
	case message.Running:
		err = use.Start(input, began)
	case message.Completed:
		err = errors.Join(use.Start(input, began), use.Finish(done))
	case message.Failed:
		err = use.Finish(failed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return use
}

func TestPART02_StatusMovesForwardOnly(t *testing.T) {
	start := func(use *message.ToolUse) error { return use.Start(input, began) }
	succeed := func(use *message.ToolUse) error { return use.Finish(done) }
	fail := func(use *message.ToolUse) error { return use.Finish(failed) }
	tests := []struct {
		from    message.Status
		move    func(*message.ToolUse) error
		to      message.Status
		allowed bool
	}{
		{message.Pending, start, message.Running, true},
		{message.Pending, succeed, message.Completed, false},
		{message.Pending, fail, message.Failed, true},
		{message.Running, start, message.Running, false},
		{message.Running, succeed, message.Completed, true},
		{message.Running, fail, message.Failed, true},
		{message.Completed, start, message.Running, false},
		{message.Completed, succeed, message.Completed, false},
		{message.Completed, fail, message.Failed, false},
		{message.Failed, start, message.Running, false},
		{message.Failed, succeed, message.Completed, false},
		{message.Failed, fail, message.Failed, false},
	}
	for _, tt := range tests {
		t.Run(string(tt.from)+" to "+string(tt.to), func(t *testing.T) {
			use := in(t, tt.from)
			before := *use
			err := tt.move(use)
			if tt.allowed {
				if err != nil || use.State.Status != tt.to {
					t.Fatalf("got status %s and error %v, want %s", use.State.Status, err, tt.to)
				}
				return
			}
			var refused *message.TransitionError
			if !errors.As(err, &refused) {
				t.Fatalf("got error %v, want a TransitionError", err)
			}
			want := message.TransitionError{CallID: "call-1", From: tt.from, To: tt.to}
			if diff := cmp.Diff(want, *refused); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, *use); diff != "" {
				t.Errorf("a refused move changed the call (-before +after):\n%s", diff)
			}
		})
	}
}

func TestPART02_OnlyACancelledCallIsInterrupted(t *testing.T) {
	tests := []struct {
		result message.Result
		want   bool
	}{
		{done, false},
		{failed, false},
		{message.Fail(message.Cancelled, "cancelled by the user after 3.2 s"), true},
	}
	for _, tt := range tests {
		use := in(t, message.Running)
		if err := use.Finish(tt.result); err != nil {
			t.Fatal(err)
		}
		if use.State.Interrupted != tt.want {
			t.Errorf("%s: interrupted is %v, want %v", tt.result.Text(), use.State.Interrupted, tt.want)
		}
	}
}

func TestToolUseKeepsWhatItRanWith(t *testing.T) {
	use := message.NewToolUse(message.Call{ID: "call-1", Name: "read_file"})
	if got := string(use.State.Input); got != "{}" {
		t.Errorf("input of a call without arguments is %q, want {}", got)
	}
	edited := json.RawMessage(`{"path":"b.txt"}`)
	if err := errors.Join(use.Start(edited, began), use.Finish(done)); err != nil {
		t.Fatal(err)
	}
	want := message.State{Status: message.Completed, Input: edited, Output: &done, StartedAt: began}
	if diff := cmp.Diff(want, use.State); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

func TestSEC08_TheModelReadsNoticesWhateverIsLeftOut(t *testing.T) {
	const line = "[Fairlead noticed: .envrc is new: it decides which programs run when the project is used]"
	notices := []message.Notice{{Code: message.NoticeNew, Data: message.NoticeData{Path: ".envrc", Autorun: message.AutorunEnvironment}}}
	failure := &message.ToolError{Code: message.CommandFailed, Message: "exit code 1"}
	for _, test := range []struct {
		name   string
		result message.Result
		pruned bool
		want   string
	}{
		{"output", message.Result{Content: message.Text("text\n"), Notices: notices}, false, "text\n" + line},
		{"no line break", message.Result{Content: message.Text("text"), Notices: notices}, false, "text\n" + line},
		{"no output", message.Result{Notices: notices}, false, "(no output)\n" + line},
		{"failed", message.Result{Content: message.Text("text"), Error: failure, Notices: notices}, false, "COMMAND_FAILED: exit code 1\ntext\n" + line},
		{"pruned", message.Result{Content: message.Text("text"), Notices: notices}, true, "(output left out to save space)\n" + line},
		{"pruned and failed", message.Result{Error: failure, Notices: notices}, true, "COMMAND_FAILED: (output left out to save space)\n" + line},
		{"none", message.Result{Content: message.Text("text")}, false, "text"},
	} {
		use := message.ToolUse{State: message.State{Output: &test.result, Pruned: test.pruned}}
		if got := use.Seen(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
