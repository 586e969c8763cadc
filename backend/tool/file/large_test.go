//go:build !race

// Megabytes of text take the race detector many times as long, and one goroutine reads or changes a file.

package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
)

func TestReadFileStaysQuickOnHugeFiles(t *testing.T) {
	b := newBench(t)
	for name, size := range map[string]int64{"sparse": 1 << 30, "vast": 1 << 40} {
		b.put(name, "")
		if err := os.Truncate(filepath.Join(b.dir, name), size); err != nil {
			t.Skipf("no sparse files here: %v", err)
		}
		began := time.Now()
		wantCode(t, b.run("read_file", "path", name), message.UnsupportedFile, "binary")
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("%s took %v", name, took)
		}
	}
	b.put("long", strings.Repeat("line\n", 20_000))
	if err := os.Truncate(filepath.Join(b.dir, "long"), 1<<40); err != nil {
		t.Fatal(err)
	}
	if result := b.read("path", "long"); !strings.HasPrefix(result.Content.Text(), "line\nline\n") || !result.Truncated {
		t.Errorf("%.100q", result.Content.Text())
	}
	wantCode(t, b.run("read_file", "path", "long", "offset", 20_001), message.InvalidArguments, "more than 512 MiB from its beginning: read from the end")
	wantCode(t, b.run("read_file", "path", "long", "offset", -1), message.InvalidArguments, "more than 512 MiB before its end")
}

func TestEditFileRefusesToGrowAboveTheLimit(t *testing.T) {
	doubling := make([]map[string]any, 27)
	for i := range doubling {
		doubling[i] = map[string]any{"old": "a", "new": "aa", "all": true}
	}
	many := make([]map[string]any, 201)
	for i := range many {
		many[i] = map[string]any{"old": fmt.Sprint("n", i, ";"), "new": fmt.Sprint("n", i+1, ";")}
	}
	large := strings.Repeat("a line of the file\n", 8<<20/19-1)
	for _, test := range []struct {
		name, text string
		edits      []map[string]any
		say        string
	}{
		{"all", "aaaaaaaaaa\n", doubling, "edit 20 of 27: the file would have 10485761 bytes"},
		{"one", "x\n" + large, edits("x", strings.Repeat("y", 100)), "at most 8388608"},
		{"indented", strings.Repeat(" ", 1<<20) + "x\n", edits("\tx\n", strings.Repeat("\ty\n", 100)), "at most 8388608"},
		{"CRLF", "x\r\n", edits("x", strings.Repeat("a line of text.\n", 8<<20/16-1)), "at most 8388608"},
		{"number of edits", "n0;\n", many, "201 edits, at most 200"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.put("f", test.text)
			b.read("path", "f")
			_, err := b.preview("edit_file", "path", "f", "edits", test.edits)
			if err == nil || !strings.Contains(err.Error(), test.say) {
				t.Errorf("preview: %.300v, want %q", err, test.say)
			}
			wantCode(t, b.run("edit_file", "path", "f", "edits", test.edits), message.InvalidArguments, test.say)
			if b.get("f") != test.text {
				t.Error("the file was changed")
			}
		})
	}
}

func TestWriteFileRefusesWhatIsTooLong(t *testing.T) {
	b := newBench(t)
	b.put("crlf", "x\r\n")
	for path, content := range map[string]string{"new": strings.Repeat("x", 8<<20+1), "crlf": strings.Repeat("a line of text.\n", 8<<20/16)} {
		_, err := b.preview("write_file", "path", path, "content", content)
		if err == nil || !strings.Contains(err.Error(), "at most 8388608") {
			t.Errorf("preview of %s: %v", path, err)
		}
		wantCode(t, b.run("write_file", "path", path, "content", content), message.InvalidArguments, "at most 8388608")
	}
}
