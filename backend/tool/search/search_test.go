package search_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/tool"
	"fairlead/backend/tool/search"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"
)

// bench is a folder with the search tool on it.
type bench struct {
	t    testing.TB
	dir  string
	tool tool.Tool
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
	t.Cleanup(func() { _ = folder.Close() })
	return &bench{t: t, dir: dir, tool: search.New(folder, nil)[0]}
}

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

// run searches with the names and values of arguments in turn.
func (b *bench) run(ctx context.Context, pairs ...any) message.Result {
	arguments := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		arguments[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		b.t.Fatal(err)
	}
	return tooltest.Run(ctx, b.tool, tool.Input{Arguments: text})
}

func TestTOOL06_SearchConforms(t *testing.T) {
	b := newBench(t)
	b.put("crlf.txt", "one\r\ntwo\r\n")
	b.put("uni.txt", "aé漢😀 "+strings.Repeat("😀漢é", 200)+"\n")
	b.put("huge.txt", strings.Repeat("many lines with the same text\n", 50_000))
	tooltest.Conform(t, tooltest.Case{
		Tool: b.tool, Good: `{"pattern":"one"}`, Huge: `{"pattern":"same"}`, Slow: `{"pattern":"(x*)*y|e$"}`,
		Outside: []string{`{"pattern":"x","path":".."}`, `{"pattern":"x","path":"/etc"}`},
		CRLF:    tooltest.Probe{Arguments: `{"pattern":"^o.e$|two$"}`, Want: "crlf.txt:1: one\ncrlf.txt:2: two\n"},
		Unicode: tooltest.Probe{Arguments: `{"pattern":"漢.*"}`, Want: "uni.txt:1: aé漢😀"},
	})
}

func TestSearchFiles(t *testing.T) {
	b := newBench(t)
	b.put("a.go", "package a\n\nfunc One() {}\n\nfunc Two() {}")
	b.put("b/b.go", "// one.two(three)\nfunc three() {}\n")
	b.put("b/c.txt", "func\n")
	b.put("binary", "func \x00\n")
	b.put(".gitignore", "ignored\n")
	b.put("ignored", "func\n")
	b.put(".git/x", "func\n")
	b.put("text", strings.Repeat("filler\n", 20_000)+"needle at the end\n")
	for _, test := range []struct {
		name      string
		arguments []any
		want      string
	}{
		{"literal", []any{"pattern", "func"}, "a.go:3: func One() {}\na.go:5: func Two() {}\nb/b.go:2: func three() {}\nb/c.txt:1: func\n"},
		{"expression", []any{"pattern", `^func \w+o\(`}, "a.go:5: func Two() {}\n"},
		{"escaped literal", []any{"pattern", `one\.two\(`}, "b/b.go:1: // one.two(three)\n"},
		{"quoted to its end", []any{"pattern", `\Qone.two(`}, "b/b.go:1: // one.two(three)\n"},
		{"quoted, not literal", []any{"pattern", `^func$|\Qtwo(`}, "b/b.go:1: // one.two(three)\nb/c.txt:1: func\n"},
		{"each alternative by line", []any{"pattern", "x$|^func$"}, "b/c.txt:1: func\n"},
		{"whole line", []any{"pattern", "^func$"}, "b/c.txt:1: func\n"},
		{"text ends", []any{"pattern", `\Afunc\z`}, "b/c.txt:1: func\n"},
		{"ignoring case", []any{"pattern", "(?i)FUNC t"}, "a.go:5: func Two() {}\nb/b.go:2: func three() {}\n"},
		{"not over lines", []any{"pattern", `func\sfunc|\}\s+func`}, "[notice: no match in 6 files]"},
		{"glob", []any{"pattern", "func", "glob", "*.txt"}, "b/c.txt:1: func\n"},
		{"glob with folder", []any{"pattern", "func", "glob", "b/*.go"}, "b/b.go:2: func three() {}\n"},
		{"folder", []any{"pattern", "func", "path", "b", "glob", "*.go"}, "b/b.go:2: func three() {}\n"},
		{"file", []any{"pattern", "func", "path", "b/c.txt"}, "b/c.txt:1: func\n"},
		{"far down", []any{"pattern", "needle"}, "text:20001: needle at the end\n"},
		{"far down, expression", []any{"pattern", "n[e]+dle"}, "text:20001: needle at the end\n"},
		{"context", []any{"pattern", "Two|needle", "context", 1}, "a.go-4- \na.go:5: func Two() {}\n--\ntext-20000- filler\ntext:20001: needle at the end\n"},
		{"touching context", []any{"pattern", "func", "path", "a.go", "context", 1}, "a.go-2- \na.go:3: func One() {}\na.go-4- \na.go:5: func Two() {}\n"},
		{"match in context", []any{"pattern", "[12]", "path", "n", "context", 2}, "n:1: 1\nn:2: 2\nn-3- 3\nn-4- 4\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "match in context" {
				b.put("n", "1\n2\n3\n4\n5\n")
			}
			if got := b.run(t.Context(), test.arguments...).Text(); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// What PowerShell writes with > and Notepad saves as Unicode is UTF-16.
func TestTOOL02_SearchFindsTextInUTF16(t *testing.T) {
	b := newBench(t)
	little := []byte{0xff, 0xfe}
	big := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode([]rune("first\r\nneedle 针 😀\r\n")) {
		little = binary.LittleEndian.AppendUint16(little, unit)
		big = binary.BigEndian.AppendUint16(big, unit)
	}
	b.put("little.txt", string(little))
	b.put("big.txt", string(big))
	b.put("odd.txt", string(little)+"\x00")
	for _, pattern := range []string{"needle", "针", "needle . 😀$"} {
		want := "big.txt:2: needle 针 😀\nlittle.txt:2: needle 针 😀\nodd.txt:2: needle 针 😀\n"
		if got := b.run(t.Context(), "pattern", pattern).Text(); got != want {
			t.Errorf("%s: got:\n%s\nwant:\n%s", pattern, got, want)
		}
	}
}

func TestSearchNamesWhatIsWrong(t *testing.T) {
	b := newBench(t)
	for _, test := range []struct {
		arguments []any
		want      string
	}{
		{[]any{"pattern", "a(b"}, "missing closing )"},
		{[]any{"pattern", "a)(b"}, "unexpected )"},
		{[]any{"pattern", ""}, "pattern is empty"},
		{[]any{"pattern", strings.Repeat("x", 2000)}, "2000 bytes"},
		{[]any{"pattern", "x", "glob", "[a"}, "malformed"},
		{[]any{"pattern", "x", "context", -1}, "context"},
	} {
		result := b.run(t.Context(), test.arguments...)
		if result.Success() || result.Error.Code != message.InvalidArguments || !strings.Contains(result.Error.Message, test.want) {
			t.Errorf("%.40v: %q, want %q", test.arguments, result.Text(), test.want)
		}
	}
}

func TestSEC06_SearchLeavesOutSecrets(t *testing.T) {
	b := newBench(t)
	b.put(".env", "KEY=canary\n")
	b.put("sub/server.pem", "canary\n")
	paths := []string{".env"}
	if sandboxtest.TryLink(t, ".env", filepath.Join(b.dir, "link")) {
		paths = append(paths, "link")
	}
	want := "[notice: no match in 0 files; 2 with keys or passwords left out]"
	if got := b.run(t.Context(), "pattern", "canary").Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, path := range paths {
		result := b.run(t.Context(), "pattern", "canary", "path", path)
		if result.Success() || result.Error.Code != message.DeniedFile {
			t.Errorf("path %s: %q", path, result.Text())
		}
	}
}

func TestSearchSaysWhatItLeftOut(t *testing.T) {
	b := newBench(t)
	b.put("large", strings.Repeat("x\n", 5<<20))
	b.put("line", strings.Repeat("y", 100_000)+"z\nshort z\n")
	got := b.run(t.Context(), "pattern", "z").Text()
	want := "line:2: short z\n[notice: 1 lines searched only in their first 64 KiB; 1 files over 8 MiB not searched: name one as path to search it]"
	if got != want {
		t.Errorf("%.300q, want %q", got, want)
	}
	if got := b.run(t.Context(), "pattern", "y").Text(); !strings.Contains(got, "long lines are cut") || len(got) > 1000 {
		t.Errorf("%.1000q", got)
	}
}

// TestSearchStopsAtItsLimit finds the same first matches on every run, whatever
// the order in which files are done.
func TestSearchStopsAtItsLimit(t *testing.T) {
	b := newBench(t)
	for i := range 50 {
		b.put(fmt.Sprintf("%02d", i), strings.Repeat("hit\n", 20))
	}
	result := b.run(t.Context(), "pattern", "hit")
	lines := strings.Split(strings.TrimSpace(result.Content.Text()), "\n")
	if len(lines) != 501 || lines[499] != "24:20: hit" || !strings.Contains(lines[500], "only the first 500 matches") || !result.Truncated {
		t.Errorf("%d lines, the last are %q", len(lines), lines[max(0, len(lines)-2):])
	}
	result = b.run(t.Context(), "pattern", "hit", "glob", "{0,1}*")
	if strings.Contains(result.Content.Text(), "only") || result.Truncated {
		t.Errorf("400 matches: %q", result.Content.Text()[max(0, len(result.Content.Text())-100):])
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.put(fmt.Sprint(i), strings.Repeat("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", 150_000))
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, stop)
	defer cancel()
	began := time.Now()
	result := b.run(ctx, "pattern", "(x+x+)+y")
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
	if result.Success() || result.Error.Code != message.Cancelled {
		t.Errorf("%.200q", result.Text())
	}
}
