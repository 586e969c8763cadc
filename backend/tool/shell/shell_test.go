//go:build unix

package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// open returns the tool in a folder of its own, and where it keeps long outputs.
func open(t *testing.T) (tool.Tool, *workspace.Folder, *workspace.Outputs) {
	t.Helper()
	folder, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Remove() })
	return shell.New(folder, outputs), folder, outputs
}

func input(arguments string) tool.Input {
	return tool.Input{CallID: "call-1", Arguments: json.RawMessage(arguments), Progress: func(string) {}}
}

// command is the arguments of a call that runs the line.
func command(t *testing.T, line string) string {
	text, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTOOL06_Conformance(t *testing.T) {
	subject, _, _ := open(t)
	tooltest.Conform(t, tooltest.Case{
		Tool:    subject,
		Good:    `{"command": "echo hello"}`,
		Slow:    `{"command": "sleep 100"}`,
		Huge:    `{"command": "yes | head -c 1000000"}`,
		CRLF:    tooltest.Probe{Arguments: `{"command": "printf 'a\\r\\nb\\r\\n'"}`, Want: "a\r\nb\r\n"},
		Unicode: tooltest.Probe{Arguments: `{"command": "echo 'a é 目 🙂'"}`, Want: "a é 目 🙂"},
	})
}

func TestDSP04_ExitDecides(t *testing.T) {
	subject, _, _ := open(t)
	tests := []struct {
		name, line string
		text, data string
		code       message.ToolCode
	}{
		{"success", "echo yes", "yes\n", `{"exitCode":0}`, ""},
		{"silent success", "true", "(no output)", `{"exitCode":0}`, ""},
		{"failure", "echo no >&2; exit 3", "COMMAND_FAILED: exit code 3\nno\n", `{"exitCode":3}`, message.CommandFailed},
		{"signal", "kill -KILL $$", "COMMAND_FAILED: ended by SIGKILL", `{"exitCode":-1,"signal":"SIGKILL"}`, message.CommandFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := subject.Run(t.Context(), input(command(t, test.line)))
			data, err := json.Marshal(result.Data)
			if err != nil {
				t.Fatal(err)
			}
			if result.Text() != test.text || string(data) != test.data {
				t.Errorf("got %q with %s", result.Text(), data)
			}
			if result.Success() != (test.code == "") || (result.Error != nil && result.Error.Code != test.code) {
				t.Errorf("error %v, want %s", result.Error, test.code)
			}
		})
	}
}

func TestHITL02_PreviewShowsCommandFolderAndConfinement(t *testing.T) {
	subject, folder, _ := open(t)
	line := "rm -rf build\n" + strings.Repeat("x", 10_000)
	got, err := subject.(tool.Previewer).Preview(t.Context(), input(command(t, line)))
	want := message.Preview{
		Effect: message.EffectCommand, Command: line, Folder: folder.Path(),
		Confinement: "Not confined: this command runs with all your rights and can read your files and keys.",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, preview %s", err, diff)
	}
}

func TestLimitIsWhatTheCallAsksFor(t *testing.T) {
	subject, _, _ := open(t)
	tests := []struct {
		arguments string
		want      time.Duration
		refused   string
	}{
		{`{"command":"true"}`, 120 * time.Second, ""},
		{`{"command":"true","timeout":0}`, 120 * time.Second, ""},
		{`{"command":"true","timeout":1}`, time.Second, ""},
		{`{"command":"true","timeout":600}`, 600 * time.Second, ""},
		{`{"command":"true","timeout":601}`, 120 * time.Second, "1 to 600 seconds"},
		{`{"command":"true","timeout":-1}`, 120 * time.Second, "1 to 600 seconds"},
		{`{"command":" \n"}`, 120 * time.Second, "command is empty"},
		{`{"command":"a\u0000b"}`, 120 * time.Second, "NUL"},
	}
	for _, test := range tests {
		if got := subject.(tool.Limiter).Limit(input(test.arguments)); got != test.want {
			t.Errorf("%s: limit %v, want %v", test.arguments, got, test.want)
		}
		_, err := subject.(tool.Previewer).Preview(t.Context(), input(test.arguments))
		result := subject.Run(t.Context(), input(test.arguments))
		if test.refused == "" {
			if err != nil || !result.Success() {
				t.Errorf("%s: %v, %v", test.arguments, err, result.Error)
			}
			continue
		}
		var failure *message.ToolError
		if !errors.As(err, &failure) || failure.Code != message.InvalidArguments || !strings.Contains(failure.Message, test.refused) {
			t.Errorf("%s: preview %v", test.arguments, err)
		}
		if diff := cmp.Diff(failure, result.Error); diff != "" {
			t.Errorf("%s: run differs from preview: %s", test.arguments, diff)
		}
	}
}

func TestTOOL04_LongOutputIsKeptWhole(t *testing.T) {
	subject, _, outputs := open(t)
	result := subject.Run(t.Context(), input(`{"command":"seq 100000"}`))
	if !result.Truncated || utf8.RuneCountInString(result.Text()) > 32_000 {
		t.Errorf("truncated %v, %d characters", result.Truncated, utf8.RuneCountInString(result.Text()))
	}
	for _, want := range []string{"1\n2\n3\n", `characters left out: read the whole output with read_file path "output:call-1"`, "99999\n100000\n"} {
		if !strings.Contains(result.Content, want) {
			t.Errorf("the result does not hold %q", want)
		}
	}
	file, err := outputs.OpenFile("output:call-1")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	whole, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(whole), "\n"); lines != 100_000 || !strings.HasPrefix(string(whole), "1\n2\n") {
		t.Errorf("%d lines are kept", lines)
	}
}

func TestTOOL04_LongOutputThatCannotBeKept(t *testing.T) {
	subject, _, outputs := open(t)
	if err := outputs.Remove(); err != nil {
		t.Fatal(err)
	}
	result := subject.Run(t.Context(), input(`{"command":"seq 100000"}`))
	if !result.Success() || !strings.Contains(result.Content, "left out and not kept: ") || strings.Contains(result.Content, "read_file") {
		t.Errorf("error %v, content without the reason", result.Error)
	}
}

func TestTOOL04_NoticeTellsHowMuchIsKept(t *testing.T) {
	subject, _, _ := open(t)
	result := subject.Run(t.Context(), input(`{"command":"yes | head -c 70000000"}`))
	want := `read the first 64 MiB with read_file path "output:call-1"; the rest is not kept: ` + process.ErrSpillFull.Error()
	if !result.Success() || !strings.Contains(result.Content, want) {
		t.Errorf("error %v, content without %q", result.Error, want)
	}
}

func TestLOOP07_EndedCommandKeepsItsOutput(t *testing.T) {
	tests := []struct {
		cause error
		want  message.ToolCode
	}{
		{tool.ErrTimeout, message.ToolTimeout},
		{errors.New("cancelled by user"), message.Cancelled},
	}
	for _, test := range tests {
		subject, _, _ := open(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		in := input(`{"command":"echo half; sleep 100; echo whole"}`)
		in.Progress = func(string) { cancel(test.cause) }
		result := subject.Run(ctx, in)
		if result.Success() || result.Error.Code != test.want || result.Content != "half\n" || result.Data != nil {
			t.Errorf("%v: got %q with %v", test.cause, result.Text(), result.Data)
		}
	}
}

func TestCommandThatCannotStartSaysWhy(t *testing.T) {
	subject, folder, _ := open(t)
	result := subject.Run(t.Context(), input(command(t, "true "+strings.Repeat("x", 1<<22))))
	wantFailure(t, result, "write the command to a file")

	if err := os.RemoveAll(folder.Path()); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, subject.Run(t.Context(), input(`{"command":"true"}`)), "is the folder still there?")
}

func wantFailure(t *testing.T, result message.Result, text string) {
	t.Helper()
	if result.Success() || result.Error.Code != message.ExecutionError || !strings.Contains(result.Error.Message, text) {
		t.Errorf("got %.200q, want it to hold %q", result.Text(), text)
	}
}
