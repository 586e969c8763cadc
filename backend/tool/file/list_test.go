package file_test

import (
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/message"
)

func TestListFiles(t *testing.T) {
	b := newBench(t)
	for _, path := range []string{
		"b.go", "a.txt", "src/x.go", "src/deep/y.go", "src/deep/er/z.go", "src/deep/er/est/w.go", "node_modules/m.js", ".git/config",
	} {
		b.put(path, "")
	}
	for _, test := range []struct {
		arguments []any
		want      string
	}{
		{nil, "a.txt b.go src/ src/deep/ src/deep/er/ src/deep/y.go src/x.go"},
		{[]any{"depth", 1}, "a.txt b.go src/"},
		{[]any{"path", "src", "depth", 1}, "src/deep/ src/x.go"},
		{[]any{"glob", "*.go"}, "b.go src/deep/er/est/w.go src/deep/er/z.go src/deep/y.go src/x.go"},
		{[]any{"glob", "*.go", "depth", 2}, "b.go src/x.go"},
		{[]any{"glob", "src/*/*.go"}, "src/deep/y.go"},
		{[]any{"path", "src", "glob", "deep/**/z.go"}, "src/deep/er/z.go"},
		{[]any{"path", "a.txt"}, "a.txt"},
		{[]any{"path", "node_modules"}, "node_modules/m.js"},
		{[]any{"glob", "*.rs"}, "[notice: nothing found]"},
	} {
		got := strings.Join(strings.Split(strings.TrimSpace(b.run("list_files", test.arguments...).Text()), "\n"), " ")
		if got != test.want {
			t.Errorf("%v:\n got %s\nwant %s", test.arguments, got, test.want)
		}
	}
	wantCode(t, b.run("list_files", "glob", "[a"), message.InvalidArguments, "malformed")
	wantCode(t, b.run("list_files", "depth", -1), message.InvalidArguments, "depth")
	wantCode(t, b.run("list_files", "path", "sourc"), message.FileNotFound, "")
}

func TestListFilesQuotesNamesThatWouldBreakTheList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system has no such names")
	}
	b := newBench(t)
	b.put("a\r\nb", "")
	if got := b.run("list_files").Content.Text(); got != "\"a\\r\\nb\"\n" {
		t.Errorf("%q", got)
	}
}
