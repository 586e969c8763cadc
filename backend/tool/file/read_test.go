package file_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

func TestReadFileShowsAPart(t *testing.T) {
	b := newBench(t)
	b.put("f", "1\n2\n3\n4\n5")
	b.put("empty", "")
	for _, test := range []struct {
		arguments []any
		want      string
		truncated bool
	}{
		{[]any{}, "1\n2\n3\n4\n5\n", false},
		{[]any{"limit", 5}, "1\n2\n3\n4\n5\n", false},
		{[]any{"limit", 2}, "1\n2\n[notice: lines 1 to 2; more follow: go on with offset 3]", true},
		{[]any{"offset", 3, "limit", 2}, "3\n4\n[notice: lines 3 to 4; more follow: go on with offset 5]", true},
		{[]any{"offset", 5}, "5\n", false},
		{[]any{"offset", 4, "numbers", true}, "4\t4\n5\t5\n", false},
		{[]any{"offset", -1}, "5\n", false},
		{[]any{"offset", -3, "limit", 2, "numbers", true}, "3\t3\n4\t4\n[notice: lines 3 to 4; more follow: go on with offset 5]", true},
		{[]any{"offset", -5}, "1\n2\n3\n4\n5\n", false},
		{[]any{"offset", -100, "limit", 1}, "1\n[notice: lines 1 to 1; more follow: go on with offset 2]", true},
	} {
		result := b.read(append(test.arguments, "path", "f")...)
		if result.Content.Text() != test.want || result.Truncated != test.truncated {
			t.Errorf("%v: %q, truncated %v; want %q", test.arguments, result.Content.Text(), result.Truncated, test.want)
		}
	}
	if got := b.read("path", "empty").Content.Text(); got != "[notice: the file is empty]" {
		t.Errorf("an empty file reads %q", got)
	}
	wantCode(t, b.run("read_file", "path", "f", "offset", 6), message.InvalidArguments, "f has 5")
	wantCode(t, b.run("read_file", "path", "f", "limit", -1), message.InvalidArguments, "limit")
	if got := b.read("path", "empty", "offset", -3).Content.Text(); got != "[notice: the file is empty]" {
		t.Errorf("the end of an empty file reads %q", got)
	}
	wantCode(t, b.run("read_file", "path", "g"), message.FileNotFound, "")
	wantCode(t, b.run("read_file", "path", strings.Repeat("y", 2000)), message.InvalidArguments, "2000 bytes")
}

// TestReadFileCanBeReadOn reads a long file part by part and gets all of it.
func TestReadFileCanBeReadOn(t *testing.T) {
	b := newBench(t)
	var want strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&want, "line %d\n", i)
	}
	b.put("f", want.String())
	var got strings.Builder
	for offset, parts := 1, 0; ; parts++ {
		result := b.read("path", "f", "offset", offset)
		text, notice, more := strings.Cut(result.Content.Text(), "[notice: ")
		got.WriteString(text)
		if !more {
			break
		}
		if _, err := fmt.Sscanf(notice[strings.Index(notice, "offset"):], "offset %d", &offset); err != nil || parts > 10 {
			t.Fatalf("notice %q: %v", notice, err)
		}
	}
	if got.String() != want.String() {
		t.Error("the parts together are not the file")
	}
}

func TestReadFileNamesEncodings(t *testing.T) {
	b := newBench(t)
	const chinese = "第一行：测试文件的内容，包含中文。\n"
	for _, test := range []struct {
		name    string
		charset encoding.Encoding
		text    string
		notice  string
	}{
		{"GB18030", simplifiedchinese.GB18030, chinese, "encoding GB18030"},
		{"little GBK", simplifiedchinese.GBK, "func main() {} // 目录 and 名称\n", "encoding GB18030"},
		{"Shift JIS", japanese.ShiftJIS, "これはテストです。日本語の文章。\n", "encoding SHIFT_JIS"},
		{"Western", charmap.Windows1252, "un café très chaud, déjà vu\n", "encoding ISO-8859-1"},
		{"UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), chinese, "encoding UTF-16LE"},
		{"UTF-16BE", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), chinese, "encoding UTF-16BE"},
		{"BOM", unicode.UTF8BOM, chinese, "encoding UTF-8 with BOM"},
		{"UTF-8", encoding.Nop, chinese, ""},
		{"control characters", encoding.Nop, "\x1b[31mred\x1b[0m\n", ""},
		{"looks like a program", encoding.Nop, "MZ is how this text begins\n", ""},
		{"cut character", encoding.Nop, strings.Repeat("a", 64<<10-1) + "é\n", "lines over"},
	} {
		t.Run(test.name, func(t *testing.T) {
			content, err := test.charset.NewEncoder().String(test.text)
			if err != nil {
				t.Fatal(err)
			}
			b.put("f", content)
			got := b.read("path", "f").Content.Text()
			if !strings.HasPrefix(got, test.text[:min(20, len(test.text))]) || !strings.Contains(got, test.notice) || !utf8.ValidString(got) {
				t.Errorf("%.100q", got)
			}
			if test.notice == "" && got != test.text {
				t.Errorf("%q, want %q", got, test.text)
			}
		})
	}
}

func TestReadFileShowsBrokenText(t *testing.T) {
	b := newBench(t)
	for _, text := range []string{
		"héllo wörld ünï 中文字符\n\xff tail\n",
		strings.Repeat("第一行：测试文件的内容，包含中文。\n", 20) + "\xff tail\n",
		strings.Repeat("Привет, мир! Это проверка.\n", 20) + "\xff tail\n",
	} {
		b.put("f", text)
		want := strings.ReplaceAll(text, "\xff", "\uFFFD") + "[notice: bytes that are no UTF-8 are shown as \uFFFD]"
		if got := b.read("path", "f").Content.Text(); got != want {
			t.Errorf("%.200q, want %.200q", got, want)
		}
	}
}

func TestReadFileRefusesBinaryFiles(t *testing.T) {
	b := newBench(t)
	b.put("image", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	b.put("paper", "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj")
	b.put("zero", "text\x00text")
	wantCode(t, b.run("read_file", "path", "image"), message.UnsupportedFile, "image/png")
	wantCode(t, b.run("read_file", "path", "paper"), message.UnsupportedFile, "application/pdf")
	wantCode(t, b.run("read_file", "path", "zero"), message.UnsupportedFile, "binary")
}

func TestReadFileCutsLongLines(t *testing.T) {
	b := newBench(t)
	b.put("f", strings.Repeat("漢", 100_000)+"\nnext\n")
	want := strings.Repeat("漢", 2000) + "…\nnext\n[notice: lines over 2000 characters are cut]"
	if result := b.read("path", "f"); result.Content.Text() != want || !result.Truncated {
		t.Errorf("%d bytes, ends in %q", len(result.Content.Text()), result.Content.Text()[max(0, len(result.Content.Text())-80):])
	}
}

func TestTOOL04_ReadFileReadsFullOutputs(t *testing.T) {
	b := newBench(t)
	w, err := b.outputs.Create("call/1")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write([]byte("first\nsecond\n"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := b.read("path", "output:call/1", "offset", 2).Content.Text(); got != "second\n" {
		t.Errorf("%q", got)
	}
	wantCode(t, b.run("read_file", "path", "output:call/2"), message.FileNotFound, "call/2")
}

func TestSEC06_FileToolsRefuseSecrets(t *testing.T) {
	b := newBench(t)
	b.put(".env", "KEY=canary\n")
	b.put("plain.txt", "")
	paths, listed := []string{".env"}, ""
	if sandboxtest.TryLink(t, ".env", filepath.Join(b.dir, "link.txt")) {
		paths, listed = append(paths, "link.txt"), "link.txt (link)\n"
	}
	for _, path := range paths {
		wantCode(t, b.run("read_file", "path", path), message.DeniedFile, "")
		wantCode(t, b.run("write_file", "path", path, "content", ""), message.DeniedFile, "")
		wantCode(t, b.run("edit_file", "path", path, "edits", edits("canary", "x")), message.DeniedFile, "")
	}
	want := listed + "plain.txt\n[notice: 1 with keys or passwords left out]"
	if got := b.run("list_files").Content.Text(); got != want {
		t.Errorf("list_files = %q, want %q", got, want)
	}
}
