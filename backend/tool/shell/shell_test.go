//go:build unix

package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"

	"github.com/google/go-cmp/cmp"
)

// wantData fails the test when the result for programs is another.
func wantData(t *testing.T, result message.Result, level message.Level, want string) {
	t.Helper()
	if result.Level != level {
		t.Errorf("level %q, want %q", result.Level, level)
	}
	data, err := json.Marshal(result.Data)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != want {
		t.Errorf("data %s, want %s", data, want)
	}
}

// background starts a command in the background beside the tools and waits for its
// end. It returns its id.
func (b *bench) background(t *testing.T, line string, wait bool) string {
	t.Helper()
	id, err := b.Jobs.Start("call-1", process.Command{
		Line: line, Dir: b.Folder.Path(), Level: b.Level(),
		Spill: func() (io.WriteCloser, error) { return b.Outputs.Create("call-1") },
	})
	if err != nil {
		t.Fatal(err)
	}
	if wait {
		b.await(t, id)
	}
	return id
}

// await waits for the end of a command in the background.
func (b *bench) await(t *testing.T, id string) {
	t.Helper()
	done, err := b.Jobs.Done(id)
	if err != nil {
		t.Fatal(err)
	}
	<-done
}

func TestTOOL06_Conformance(t *testing.T) {
	b := open(t, nil)
	b.background(t, "sleep 1000", false)              // p1
	b.background(t, "yes | head -c 1000000", true)    // p2
	b.background(t, `printf 'a\r\nb\r\n'`, true)      // p3
	b.background(t, "echo 'a é 目 🙂'", true)           // p4
	b.background(t, "yes é🙂 | head -c 1000000", true) // p5
	b.background(t, `printf 'c\r\nd\r\n'`, true)      // p6
	b.background(t, "echo 'more: a é 目 🙂'", true)     // p7
	windows := tooltest.Probe{Arguments: `{"command": "printf 'a\\r\\nb\\r\\n'"}`, Want: "a\r\nb\r\n"}
	unicode := tooltest.Probe{Arguments: `{"command": "echo 'a é 目 🙂'"}`, Want: "a é 目 🙂"}
	tooltest.Conform(
		t,
		tooltest.Case{
			Tool: b.tools["shell"], Good: `{"command": "echo hello"}`, Slow: `{"command": "sleep 100"}`,
			Huge: `{"command": "yes | head -c 1000000"}`, CRLF: windows, Unicode: unicode,
		},
		tooltest.Case{
			Tool: b.tools["shell_start"], Good: `{"command": "echo hello"}`, Slow: `{"command": "sleep 100"}`,
			Huge: `{"command": "yes | head -c 1000000"}`, CRLF: windows, Unicode: unicode,
		},
		tooltest.Case{
			Tool: b.tools["shell_status"], Good: `{"processId": "p1"}`, Huge: `{"processId": "p2"}`,
			CRLF:    tooltest.Probe{Arguments: `{"processId": "p3"}`, Want: "a\r\nb\r\n"},
			Unicode: tooltest.Probe{Arguments: `{"processId": "p4"}`, Want: "a é 目 🙂"},
		},
		tooltest.Case{
			Tool: b.tools["shell_kill"], Unasked: true, Good: `{"processId": "p1"}`, Huge: `{"processId": "p5"}`,
			CRLF:    tooltest.Probe{Arguments: `{"processId": "p6"}`, Want: "c\r\nd\r\n"},
			Unicode: tooltest.Probe{Arguments: `{"processId": "p7"}`, Want: "more: a é 目 🙂"},
		},
	)
}

func TestDSP04_ExitDecides(t *testing.T) {
	b := open(t, nil)
	tests := []struct {
		name, line string
		text, data string
		code       message.ToolCode
	}{
		{"success", "echo yes", "yes\n", `{"exitCode":0}`, ""},
		{"silent success", "true", "(no output)", `{"exitCode":0}`, ""},
		{"failure", "echo no >&2; exit 3", "COMMAND_FAILED: exit code 3\nno\n", `{"exitCode":3}`, message.CommandFailed},
		{"signal", "kill -KILL $$", "COMMAND_FAILED: ended by SIGKILL", `{"signal":"SIGKILL"}`, message.CommandFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := b.run(t, "shell", command(t, test.line))
			wantData(t, result, message.LevelFull, test.data)
			if result.Text() != test.text {
				t.Errorf("got %q", result.Text())
			}
			if result.Success() != (test.code == "") || (result.Error != nil && result.Error.Code != test.code) {
				t.Errorf("error %v, want %s", result.Error, test.code)
			}
		})
	}
}

func TestHITL02_PreviewShowsCommandFolderAndConfinement(t *testing.T) {
	for _, confinement := range []bool{false, true} {
		b := open(t, func(o *shell.Options) {
			if confinement {
				o.Confinement = func(network bool) string { return map[bool]string{true: "with network", false: "without"}[network] }
			}
		})
		for _, name := range []string{"shell", "shell_start"} {
			for _, network := range []bool{false, true} {
				line := "rm -rf build\n" + strings.Repeat("x", 10_000)
				arguments, err := json.Marshal(map[string]any{"command": line, "network": network})
				if err != nil {
					t.Fatal(err)
				}
				plan, err := b.tools[name].Prepare(t.Context(), input(string(arguments)))
				got := plan.Preview
				want := message.Preview{
					Effect: message.EffectCommand, Command: line, Folder: b.Folder.Path(), Level: message.LevelFull, Network: network,
				}
				switch {
				case confinement && network:
					want.Confinement = "with network"
				case confinement:
					want.Confinement = "without"
				}
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("%s: error %v, preview %s", name, err, diff)
				}
			}
		}
	}
}

func TestSEC02_NetworkIsWhatTheCallAsksFor(t *testing.T) {
	b := open(t, nil)
	result := b.run(t, "shell", `{"command":"true","network":true}`)
	wantData(t, result, message.LevelFull, `{"exitCode":0,"network":true}`)
	for _, network := range []string{"true", "false"} {
		result = b.run(t, "shell_start", `{"command":"sleep 1000","network":`+network+`}`)
		if !result.Success() {
			t.Fatal(result.Error)
		}
	}
	if list := b.Jobs.List(); len(list) != 2 || list[0].Network || !list[1].Network || list[0].Level != message.LevelFull {
		t.Errorf("%+v", list)
	}
}

func TestLimitIsWhatTheCallAsksFor(t *testing.T) {
	subject := open(t, nil).tools["shell"]
	tests := []struct {
		arguments string
		want      time.Duration
		refused   string
	}{
		{`{"command":"true"}`, 120 * time.Second, ""},
		{`{"command":"true","timeout":0}`, 120 * time.Second, ""},
		{`{"command":"true","timeout":1}`, time.Second, ""},
		{`{"command":"true","timeout":600}`, 600 * time.Second, ""},
		{`{"command":"true","timeout":601}`, 0, "1 to 600 seconds"},
		{`{"command":"true","timeout":-1}`, 0, "1 to 600 seconds"},
		{`{"command":" \n"}`, 0, "command is empty"},
		{`{"command":"a\u0000b"}`, 0, "NUL"},
	}
	for _, test := range tests {
		plan, err := subject.Prepare(t.Context(), input(test.arguments))
		if plan.Limit != test.want {
			t.Errorf("%s: limit %v, want %v", test.arguments, plan.Limit, test.want)
		}
		result := tooltest.Run(t.Context(), subject, input(test.arguments))
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
	b := open(t, nil)
	result := b.run(t, "shell", `{"command":"seq 100000"}`)
	if !result.Truncated || utf8.RuneCountInString(result.Text()) > 32_000 {
		t.Errorf("truncated %v, %d characters", result.Truncated, utf8.RuneCountInString(result.Text()))
	}
	for _, want := range []string{"1\n2\n3\n", `characters left out: read the whole output with read_file path "output:call-1"`, "99999\n100000\n"} {
		if !strings.Contains(result.Content.Text(), want) {
			t.Errorf("the result does not hold %q", want)
		}
	}
	b.wantKept(t, "output:call-1", "1\n2\n", 100_000)
}

// wantKept fails the test when the output that is kept begins otherwise or has
// another number of lines.
func (b *bench) wantKept(t *testing.T, path, begins string, lines int) {
	t.Helper()
	file, err := b.Outputs.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	whole, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(whole), "\n"); n != lines || !strings.HasPrefix(string(whole), begins) {
		t.Errorf("%d lines are kept, want %d", n, lines)
	}
}

func TestTOOL04_LongOutputThatCannotBeKept(t *testing.T) {
	b := open(t, nil)
	if err := b.Outputs.Remove(); err != nil {
		t.Fatal(err)
	}
	result := b.run(t, "shell", `{"command":"seq 100000"}`)
	if !result.Success() || !strings.Contains(result.Content.Text(), "left out and not kept: ") || strings.Contains(result.Content.Text(), "read_file") {
		t.Errorf("error %v, content without the reason", result.Error)
	}
}

func TestTOOL04_NoticeTellsHowMuchIsKept(t *testing.T) {
	b := open(t, nil)
	result := b.run(t, "shell", `{"command":"yes | head -c 70000000"}`)
	want := `read the first 64 MiB with read_file path "output:call-1"; the rest is not kept: ` + process.ErrSpillFull.Error()
	if !result.Success() || !strings.Contains(result.Content.Text(), want) {
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
		b := open(t, nil)
		ctx, cancel := context.WithCancelCause(t.Context())
		in := input(`{"command":"echo half; sleep 100; echo whole"}`)
		progress := func(string) { cancel(test.cause) }
		result := tooltest.RunLive(ctx, b.tools["shell"], in, progress)
		if result.Success() || result.Error.Code != test.want || result.Content.Text() != "half\n" {
			t.Errorf("%v: got %q", test.cause, result.Text())
		}
		wantData(t, result, message.LevelFull, `{}`)
	}
}

func TestCommandThatCannotStartSaysWhy(t *testing.T) {
	b := open(t, nil)
	line := command(t, "true "+strings.Repeat("x", 1<<22))
	wantFailure(t, b.run(t, "shell", line), "write the command to a file")
	wantFailure(t, b.run(t, "shell_start", line), "write the command to a file")
	if err := os.RemoveAll(b.Folder.Path()); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, b.run(t, "shell", `{"command":"true"}`), "is the folder still there?")
	wantFailure(t, b.run(t, "shell_start", `{"command":"true"}`), "is the folder still there?")
}

func wantFailure(t *testing.T, result message.Result, text string) {
	t.Helper()
	if result.Success() || result.Error.Code != message.ExecutionError || !strings.Contains(result.Error.Message, text) {
		t.Errorf("got %.200q, want it to hold %q", result.Text(), text)
	}
}

func TestToolsCanBeListedWithoutASession(t *testing.T) {
	var got []string
	for _, subject := range shell.New(shell.Options{}) {
		d := subject.Definition()
		got = append(got, d.Name+" "+d.Group)
	}
	want := []string{"shell shell", "shell_kill shell", "shell_start shell", "shell_status shell"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
