//go:build !race

// Megabytes of text take the race detector many times as long, and one goroutine reads a file.

package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/message"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// encoded is a text in an encoding.
func encoded(t *testing.T, in encoding.Encoding, text string) string {
	t.Helper()
	content, err := in.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// log is a text of numbered lines that is larger than what is read at once.
func log(lines int, ending string) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%d 这是 a line of a log that is large enough to be read in parts only%s", i+1, ending)
	}
	return b.String()
}

func TestReadFileReadsLargeFilesFromTheirEnd(t *testing.T) {
	b := newBench(t)
	const count = 130_000
	for name, text := range map[string]string{
		"log": log(count, "\n"), "crlf": log(count, "\r\n"), "bom": "\xef\xbb\xbf" + log(count, "\n"),
		"open": strings.TrimSuffix(log(count, "\n"), "\n"), "little": encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), log(count, "\n")),
		"big": encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), log(count, "\n")), "odd": encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), log(count, "\n")) + "\x00",
		"gb": encoded(t, simplifiedchinese.GB18030, log(count, "\n")),
	} {
		b.put(name, text)
		for _, back := range []int{1, 2, 300, 1200} {
			result := b.read("path", name, "offset", -back, "limit", 2, "numbers", true)
			want := fmt.Sprintf("%d\t%d 这是 a line", -back, count-back+1)
			if !strings.HasPrefix(result.Content.Text(), want) || !strings.Contains(result.Content.Text(), "counted from the end") {
				t.Errorf("%s, %d before the end: %.200q, want %q", name, back, result.Content.Text(), want)
			}
			more := fmt.Sprintf("lines %d to %d; more follow: go on with offset %d", -back, 1-back, 2-back)
			if strings.Contains(result.Content.Text(), more) != (back > 2) {
				t.Errorf("%s, %d before the end: %q", name, back, result.Content.Text()[max(0, len(result.Content.Text())-200):])
			}
		}
		result := b.read("path", name, "offset", -2*count, "limit", 1, "numbers", true)
		if !strings.HasPrefix(result.Content.Text(), "1\t1 这是 a line") || !strings.Contains(result.Content.Text(), "go on with offset 2") {
			t.Errorf("%s from before its beginning: %.300q", name, result.Content.Text())
		}
	}
}

// TestReadFileFromTheEndGoesOn reads the end of a file part by part and gets all of it.
func TestReadFileFromTheEndGoesOn(t *testing.T) {
	b := newBench(t)
	text := log(130_000, "\n")
	b.put("log", text)
	want := text[strings.Index(text, "\n129001 ")+1:]
	var got strings.Builder
	for offset := -1000; ; {
		part, notices, _ := strings.Cut(b.read("path", "log", "offset", offset).Content.Text(), "[notice: ")
		got.WriteString(part)
		at := strings.Index(notices, "go on with offset ")
		if at < 0 {
			break
		}
		if _, err := fmt.Sscanf(notices[at:], "go on with offset %d", &offset); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != want {
		t.Errorf("%d bytes, want %d", got.Len(), len(want))
	}
}

func TestReadFileReadsTheEndInBoundedMemory(t *testing.T) {
	b := newBench(t)
	filler := log(5000, "\n")
	path := filepath.Join(b.dir, "huge")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for written := 0; written < 320<<20; written += len(filler) {
		if _, err := file.WriteString(filler); err != nil {
			t.Skip(err)
		}
	}
	if _, err := file.WriteString(strings.Repeat("x;", 5<<20) + "\nlast\n"); err != nil {
		t.Skip(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got := b.read("path", "huge", "offset", -1).Content.Text(); got != "last\n[notice: lines are counted from the end]" {
		t.Errorf("%q", got)
	}
	if got := b.read("path", "huge", "offset", -2).Content.Text(); !strings.HasPrefix(got, strings.Repeat("x;", 1000)+"…\nlast\n[notice: ") {
		t.Errorf("%.100q", got)
	}
	if got := b.read("path", "huge", "offset", 3_000_000, "limit", 1).Content.Text(); !strings.Contains(got, " 这是 a line of a log") {
		t.Errorf("%.100q", got)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

func TestSEC10_SecretsAreHiddenAtTheEndOfALargeFile(t *testing.T) {
	b := newBench(t)
	const begin, end = "-----BEGIN RSA " + "PRIVATE KEY-----\n", "-----END RSA " + "PRIVATE KEY-----\n"
	body := strings.Repeat(strings.Repeat("MIIEvQIBADANBgkqhkiG9w0B", 2)+"AQEFAASC1234\n", 2000)
	for name, text := range map[string]string{
		"key":  log(130_000, "\n") + begin + body + end + "after\n",
		"long": begin + strings.Repeat(body, 80) + end + "after\n", // its beginning is too far away
		"crlf": strings.ReplaceAll(log(130_000, "\n")+begin+body+end+"after\n", "\n", "\r\n"),
	} {
		b.put(name, text)
		for _, back := range []int{3, 100, 1000, 2001} {
			result := b.read("path", name, "offset", -back, "limit", 50)
			if strings.Contains(result.Content.Text(), "MIIEvQ") || !strings.Contains(result.Content.Text(), "[secret hidden: ") {
				t.Errorf("%s, %d before the end: %.200q", name, back, result.Content.Text())
			}
		}
		if got := b.read("path", name, "offset", -2).Content.Text(); !strings.HasPrefix(got, "-----END RSA PRIVATE KEY-----\nafter\n") {
			t.Errorf("%s: what follows is hidden: %q", name, got)
		}
	}
	b.put("binary", "\x7fELF\x00\x00"+strings.Repeat("text\n", 2<<20))
	wantCode(t, b.run("read_file", "path", "binary", "offset", -3), message.UnsupportedFile, "binary")
	b.put("dense", strings.Repeat("\n", 9<<20))
	if got := b.read("path", "dense", "offset", -3, "numbers", true).Content.Text(); got != "-3\t\n-2\t\n-1\t\n[notice: lines are counted from the end]" {
		t.Errorf("%q", got)
	}
	b.put("endless", strings.Repeat("x", 9<<20))
	if got := b.read("path", "endless", "offset", -1).Content.Text(); !strings.HasPrefix(got, strings.Repeat("x", 2000)+"…") {
		t.Errorf("%.100q", got)
	}
}
