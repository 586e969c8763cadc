package file_test

import (
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
)

func TestEditFile(t *testing.T) {
	for _, test := range []struct {
		name  string
		text  string
		edits []map[string]any
		want  string
		// code and say are of the error; notice of the result.
		code        message.ToolCode
		say, notice string
	}{
		{name: "exact", text: "a\nb\nc\n", edits: edits("b\n", "B\n"), want: "a\nB\nc\n"},
		{name: "inside a line", text: "let x = 1;\n", edits: edits("x = 1", "y = 2"), want: "let y = 2;\n"},
		{name: "remove", text: "a\nb\nc\n", edits: edits("b\n", ""), want: "a\nc\n"},
		{name: "in order", text: "a\n", edits: edits("a", "b", "b", "c"), want: "c\n"},
		{name: "all", text: "x y x\n", edits: []map[string]any{{"old": "x", "new": "z", "all": true}}, want: "z y z\n"},
		{name: "CRLF", text: "a\r\nb\r\n", edits: edits("a\nb", "1\n2\n3"), want: "1\r\n2\r\n3\r\n"},
		{name: "CRLF from the model", text: "a\nb\n", edits: edits("a\r\nb\r\n", "1\r\n2\r\n"), want: "1\n2\n"},
		{name: "mixed endings", text: "a\r\nb\nc\r\n", edits: edits("b\n", "B\n"), want: "a\r\nB\nc\r\n"},
		{name: "mark", text: "\uFEFFa\n", edits: edits("a\n", "b\n"), want: "\uFEFFb\n"},
		{
			name: "tabs for spaces", text: "f {\n\tif x {\n\t\ty()\n\t}\n}\n",
			edits: edits("    if x {\n        y()\n    }\n", "    if x {\n        z()\n    }\n"),
			want:  "f {\n\tif x {\n\t\tz()\n\t}\n}\n", notice: "whitespace",
		},
		{
			name: "shifted", text: "    a\n      b\n", edits: edits("a\n  b", "a\n  c\n    d"),
			want: "    a\n      c\n        d\n", notice: "whitespace",
		},
		{name: "space at the end", text: "a  \nb\n", edits: edits("a\nb\n", "A\nb\n"), want: "A\nb\n", notice: "whitespace"},
		{name: "loose, last line without end", text: "x\n\ta", edits: edits("  a", "  b"), want: "x\n\tb", notice: "whitespace"},
		{name: "loose, removed", text: "x\n\ta\ny\n", edits: edits("    a\n", ""), want: "x\ny\n", notice: "whitespace"},
		{
			name: "ambiguous", text: "x\ny\nx\n", edits: edits("x", "z"),
			code: message.EditAmbiguous, say: "at line 1, 3",
		},
		{name: "overlapping", text: "aaa\n", edits: edits("aa", "b"), code: message.EditAmbiguous, say: "line 1"},
		{
			name: "loosely ambiguous", text: "\tx\n\ny\n  x\n", edits: edits("      x\n", "z\n"),
			code: message.EditAmbiguous, say: "at line 1, 4",
		},
		{
			name: "no match", text: "a\nfunc one() {\n\treturn 1\n}\n", edits: edits("func one() {\n\treturn 2\n}", "x"),
			code: message.EditNoMatch, say: "nearest lines are:\n2\tfunc one() {\n3\t\treturn 1\n4\t}",
		},
		{name: "nothing like it", text: "a\n", edits: edits("zzz", "x"), code: message.EditNoMatch, say: "nor anything like it"},
		{
			name: "all or nothing", text: "a\nb\n", edits: edits("a", "1", "no", "2"),
			code: message.EditNoMatch, say: "edit 2 of 2: ",
		},
		{name: "part of a word is not loose", text: "  ab\n", edits: edits("   a", "x"), code: message.EditNoMatch},
		{name: "only whitespace", text: "a\n\n\n\tb\n", edits: edits("   ", "x"), code: message.EditNoMatch},
		{name: "all is exact", text: "\tx\n", edits: []map[string]any{{"old": "  x", "new": "z", "all": true}}, code: message.EditNoMatch},
		{name: "empty old", text: "a\n", edits: edits("", "x"), code: message.InvalidArguments, say: "old is empty"},
		{name: "same", text: "a\n", edits: edits("a", "a"), code: message.InvalidArguments, say: "the same"},
		{name: "none", text: "a\n", edits: edits(), code: message.InvalidArguments, say: "edits is empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.put("f", test.text)
			b.read("path", "f")
			result := b.run("edit_file", "path", "f", "edits", test.edits)
			if test.code != "" {
				wantCode(t, result, test.code, test.say)
				test.want = test.text
			} else if !result.Success() || len(result.Changes) != 1 {
				t.Errorf("result %q, changes %v", result.Text(), result.Changes)
			}
			if got := b.get("f"); got != test.want {
				t.Errorf("file %q, want %q", got, test.want)
			}
			if strings.Contains(result.Content.Text(), "notice") != (test.notice != "") || !strings.Contains(result.Content.Text(), test.notice) {
				t.Errorf("result %q, want notice %q", result.Content.Text(), test.notice)
			}
		})
	}
}

func TestEditFileNeedsAFileThatWasRead(t *testing.T) {
	b := newBench(t)
	b.put("f", "old\n")
	edit := func() message.Result { return b.run("edit_file", "path", "f", "edits", edits("old", "new")) }
	wantCode(t, edit(), message.StaleFile, "read it with read_file first")
	b.read("path", "f")
	b.put("f", "old, changed\n")
	wantCode(t, edit(), message.StaleFile, "read it again")
	b.read("path", "f")
	if result := edit(); !result.Success() {
		t.Errorf("after reading again: %v", result.Error)
	}
	if result := b.run("edit_file", "path", "f", "edits", edits("new", "newer")); !result.Success() {
		t.Errorf("after an edit of its own: %v", result.Error)
	}
	b.run("write_file", "path", "g", "content", "old\n")
	if result := b.run("edit_file", "path", "g", "edits", edits("old", "new")); !result.Success() {
		t.Errorf("after a write of its own: %v", result.Error)
	}
	wantCode(t, b.run("edit_file", "path", "h", "edits", edits("old", "new")), message.FileNotFound, `"h"`)
}

func TestEditFilePreviewsWhatItDoes(t *testing.T) {
	b := newBench(t)
	b.put("f", "a\nb\n")
	b.read("path", "f")
	preview, err := b.preview("edit_file", "path", "f", "edits", edits("b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"; preview.Diff != want || preview.Path != "f" || preview.Fingerprint == "" {
		t.Errorf("%+v", preview)
	}
	if b.get("f") != "a\nb\n" {
		t.Error("the preview changed the file")
	}
}

// TestEditFileSearchesInBoundedTime has old agree with the file at every line
// almost to its end.
func TestEditFileSearchesInBoundedTime(t *testing.T) {
	b := newBench(t)
	for _, test := range []struct {
		lines int
		say   string
	}{{180_000, "nearest lines are:"}, {300_000, "200000 lines or more"}} {
		b.put("f", strings.Repeat("a\n", test.lines))
		b.read("path", "f")
		old := strings.Repeat("\ta\n", 90_000) + "b\n"
		began := time.Now()
		wantCode(t, b.run("edit_file", "path", "f", "edits", edits(old, "x")), message.EditNoMatch, test.say)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%d lines took %v", test.lines, took)
		}
	}
}
