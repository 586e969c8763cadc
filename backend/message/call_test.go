package message_test

import (
	"encoding/json"
	"testing"

	"fairlead/backend/message"
)

func TestLOOP02_ResultTextIsPlainAndNeverEmpty(t *testing.T) {
	failedWithOutput := message.Fail(message.CommandFailed, "exit code 2")
	failedWithOutput.Content = message.Text("main.go:3: syntax error")
	tests := []struct {
		name   string
		result message.Result
		want   string
	}{
		{"content", message.Result{Content: message.Text("hello")}, "hello"},
		{"nothing", message.Result{}, "(no output)"},
		{"error", message.Fail(message.FileNotFound, "a.txt is not there"), "FILE_NOT_FOUND: a.txt is not there"},
		{"error with output", failedWithOutput, "COMMAND_FAILED: exit code 2\nmain.go:3: syntax error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.result.Text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHITL01_HashHoldsForTheseBytesOnly(t *testing.T) {
	call := message.Call{ID: "call-1", Name: "shell", Arguments: json.RawMessage(`{"command":"ls"}`)}
	// SHA-256 of the name, a zero byte and the arguments; a stored approval must
	// stay valid from version to version.
	const want = "170d879dfbf29b3c156466b76c9e013c659e0fc547d83c3afbe4d04bab2862d7"
	if got := call.Hash(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	same := call
	same.ID, same.Raw = "call-2", "whatever the model wrote"
	if same.Hash() != want {
		t.Error("the hash depends on more than tool and arguments")
	}
	others := []message.Call{
		{Name: "shell_start", Arguments: call.Arguments},
		{Name: "shell", Arguments: json.RawMessage(`{"command":"ls "}`)},
		{Name: "shell", Arguments: json.RawMessage(`{ "command":"ls"}`)},
		{Name: "shell{", Arguments: json.RawMessage(`"command":"ls"}`)},
	}
	for _, other := range others {
		if other.Hash() == want {
			t.Errorf("%s %s has the hash of another call", other.Name, other.Arguments)
		}
	}
}
