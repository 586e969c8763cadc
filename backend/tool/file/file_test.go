package file_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	record "fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"
)

// bench is a workspace with the tools of one session.
type bench struct {
	t       testing.TB
	dir     string
	outputs *workspace.Outputs
	tools   map[string]tool.Tool
	changes *record.Recorder
}

func newBench(t testing.TB) *bench {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	changes := changetest.Use(t, folder)
	outputs, err := workspace.OpenOutputs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Remove(); _ = folder.Close() })
	b := &bench{t: t, dir: dir, outputs: outputs, tools: map[string]tool.Tool{}, changes: changes}
	for _, one := range file.New(folder, outputs, nil, nil) {
		b.tools[one.Definition().Name] = one
	}
	return b
}

// put writes a file beside the tools.
func (b *bench) put(path, content string) {
	b.t.Helper()
	path = filepath.Join(b.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) get(path string) string {
	b.t.Helper()
	content, err := os.ReadFile(filepath.Join(b.dir, path))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(content)
}

// object makes JSON arguments of names and values in turn.
func object(pairs ...any) json.RawMessage {
	values := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return text
}

func (b *bench) run(name string, pairs ...any) message.Result {
	return tooltest.Run(b.t.Context(), b.tools[name], tool.Input{Arguments: object(pairs...)})
}

// read reads a file with the tool and checks that it succeeds.
func (b *bench) read(pairs ...any) message.Result {
	b.t.Helper()
	result := b.run("read_file", pairs...)
	if !result.Success() {
		b.t.Fatalf("read_file %v: %v", pairs, result.Error)
	}
	return result
}

func (b *bench) preview(name string, pairs ...any) (message.Preview, error) {
	plan, err := b.plan(name, pairs...)
	return plan.Preview, err
}

func (b *bench) plan(name string, pairs ...any) (tool.Plan, error) {
	return b.tools[name].Prepare(b.t.Context(), tool.Input{Arguments: object(pairs...)})
}

// carryOut runs a plan.
func (b *bench) carryOut(plan tool.Plan) message.Result {
	return plan.Run(b.t.Context(), func(string) {}).Result
}

// wantCode checks that a call failed with a code, without any change.
func wantCode(t *testing.T, result message.Result, code message.ToolCode, text string) {
	t.Helper()
	if result.Success() || result.Error.Code != code || !strings.Contains(result.Error.Message, text) || len(result.Changes) > 0 {
		t.Errorf("result %.300q, want %s with %q", result.Text(), code, text)
	}
}

func edits(pairs ...string) []map[string]any {
	var list []map[string]any
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, map[string]any{"old": pairs[i], "new": pairs[i+1]})
	}
	return list
}

func TestTOOL06_FileToolsConform(t *testing.T) {
	b := newBench(t)
	b.put("good.txt", "one\ntwo\n")
	b.put("crlf.txt", "one\r\ntwo\r\n")
	b.put("uni.txt", "aé漢😀\n")
	b.put("huge.txt", strings.Repeat("漢字 and more, much more\n", 100_000))
	for i := range 1500 {
		b.put("many/"+strings.Repeat("long", 10)+string(rune('a'+i%26))+strings.Repeat("x", i/26), "")
	}
	b.put("字/é😀.txt", "")
	before := func() {
		b.put("edit.txt", "one\r\ntwo\r\n")
		b.put("edit-uni.txt", "aé漢😀\n")
		b.run("read_file", "path", "edit.txt")
		b.run("read_file", "path", "edit-uni.txt")
	}
	holds := func(path, want string) func(*testing.T) {
		return func(t *testing.T) {
			if got := b.get(path); got != want {
				t.Errorf("%s has %q, want %q", path, got, want)
			}
		}
	}
	isGone := func(path string) func(*testing.T) {
		return func(t *testing.T) {
			if _, err := os.Lstat(filepath.Join(b.dir, path)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is there: %v", path, err)
			}
		}
	}
	outside := []string{`{"path":"../x"}`, `{"path":"/etc/passwd"}`, `{"path":"good/../../x"}`}
	tooltest.Conform(
		t,
		tooltest.Case{
			Tool: b.tools["read_file"], Good: `{"path":"good.txt"}`, Outside: outside, Huge: `{"path":"huge.txt"}`,
			CRLF:    tooltest.Probe{Arguments: `{"path":"crlf.txt"}`, Want: "one\ntwo\n[notice: lines end in CRLF]"},
			Unicode: tooltest.Probe{Arguments: `{"path":"uni.txt"}`, Want: "aé漢😀\n"},
		},
		tooltest.Case{
			Tool: b.tools["list_files"], Good: `{}`, Outside: outside, Huge: `{"path":"many"}`,
			CRLF:    tooltest.Probe{Arguments: `{"glob":"*.txt"}`, Want: "crlf.txt\n"},
			Unicode: tooltest.Probe{Arguments: `{"path":"字"}`, Want: "字/é😀.txt\n"},
		},
		tooltest.Case{
			Tool: b.tools["write_file"], Before: before, Good: `{"path":"edit.txt","content":"x"}`,
			Outside: []string{`{"path":"../x","content":""}`, `{"path":"/x","content":""}`},
			CRLF: tooltest.Probe{
				Arguments: `{"path":"edit.txt","content":"1\n2\n"}`, Want: "CRLF", After: holds("edit.txt", "1\r\n2\r\n"),
			},
			Unicode: tooltest.Probe{
				Arguments: `{"path":"字.txt","content":"é漢😀"}`, Want: "字.txt", After: holds("字.txt", "é漢😀"),
			},
		},
		tooltest.Case{
			Tool: b.tools["edit_file"], Before: before, Good: `{"path":"edit.txt","edits":[{"old":"one","new":"1"}]}`,
			Outside: []string{`{"path":"../x","edits":[{"old":"a","new":"b"}]}`},
			CRLF: tooltest.Probe{
				Arguments: `{"path":"edit.txt","edits":[{"old":"one\ntwo\n","new":"1\n2\n3\n"}]}`, Want: "modified edit.txt",
				After: holds("edit.txt", "1\r\n2\r\n3\r\n"),
			},
			Unicode: tooltest.Probe{
				Arguments: `{"path":"edit-uni.txt","edits":[{"old":"漢😀","new":"字"}]}`, Want: "modified", After: holds("edit-uni.txt", "aé字\n"),
			},
		},
		tooltest.Case{
			Tool: b.tools["delete_file"], Before: before, Good: `{"path":"edit.txt"}`, Outside: outside,
			CRLF:    tooltest.Probe{Arguments: `{"path":"edit.txt"}`, Want: "deleted edit.txt (10 bytes)", After: isGone("edit.txt")},
			Unicode: tooltest.Probe{Arguments: `{"path":"edit-uni.txt"}`, Want: "deleted edit-uni.txt", After: isGone("edit-uni.txt")},
		},
		tooltest.Case{
			Tool: b.tools["move_file"], Good: `{"from":"edit.txt","to":"to.txt"}`,
			Before: func() {
				before()
				_ = os.RemoveAll(filepath.Join(b.dir, "to.txt"))
				_ = os.RemoveAll(filepath.Join(b.dir, "字2"))
			},
			Outside: []string{`{"from":"../x","to":"y"}`, `{"from":"edit.txt","to":"/x"}`, `{"from":"edit.txt","to":"../x"}`},
			CRLF:    tooltest.Probe{Arguments: `{"from":"edit.txt","to":"to.txt"}`, Want: "moved edit.txt", After: holds("to.txt", "one\r\ntwo\r\n")},
			Unicode: tooltest.Probe{
				Arguments: `{"from":"edit-uni.txt","to":"字2/漢.txt"}`, Want: "to 字2/漢.txt", After: holds("字2/漢.txt", "aé漢😀\n"),
			},
		},
	)
}

func TestDefinitionsStaySmall(t *testing.T) {
	size := 0
	for _, one := range newBench(t).tools {
		d := one.Definition()
		size += len(d.Name) + len(d.Description) + len(d.Parameters)
	}
	if size > 2600 {
		t.Errorf("the six definitions have %d bytes together", size)
	}
}

func TestACallThatIsOverChangesNothing(t *testing.T) {
	b := newBench(t)
	b.put("a.txt", "old\n")
	b.read("path", "a.txt")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stop"))
	for name, arguments := range map[string]json.RawMessage{
		"write_file": object("path", "a.txt", "content", "new"),
		"edit_file":  object("path", "a.txt", "edits", edits("old", "new")),
	} {
		result := tooltest.Run(ctx, b.tools[name], tool.Input{Arguments: arguments})
		wantCode(t, result, message.Cancelled, "")
	}
	if b.get("a.txt") != "old\n" {
		t.Errorf("the file has %q", b.get("a.txt"))
	}
}
