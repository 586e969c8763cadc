package workspace_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"
)

// oddNames are paths that look like others, or cannot be shown as they are.
var oddNames = []string{
	"a\xffb", `"a\xffb"`, `a\xffb`, "a", `"a"`, `"\"a\""`, `"a`, `b"c`, "line\r\nbreak", "zero\u200bwidth", "a\ufffdb",
	"d\xfe/in\xff.txt", "d\xfe/plain.txt", `d"e/"f"`, `back\slash`, "目录/é", `"`, `""`, `"x" y`,
}

func TestTOOL02_NamesAreAcceptedAsTheyAreShown(t *testing.T) {
	folder, dir, _ := open(t)
	if os.WriteFile(filepath.Join(dir, oddNames[0]), nil, 0o600) != nil || os.WriteFile(filepath.Join(dir, `"`), nil, 0o600) != nil {
		t.Skip("this system has no such names")
	}
	shown := map[string]string{}
	for _, name := range oddNames {
		write(t, filepath.Join(dir, name), name)
		text := workspace.Shown(name)
		if other, ok := shown[text]; ok || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n\u200b") {
			t.Errorf("%q is shown as %q, as is %q", name, text, other)
		}
		shown[text] = name
	}
	read := func(path string) string {
		t.Helper()
		file, err := folder.OpenFile(path)
		if err != nil {
			return err.Error()
		}
		defer func() { _ = file.Close() }()
		content, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	for text, name := range shown {
		if got := read(text); got != name {
			t.Errorf("%s is %q, want %q", text, got, name)
		}
		if got := read(strconv.Quote(name)); got != name {
			t.Errorf("%s, as errors have it, is %q, want %q", strconv.Quote(name), got, name)
		}
		if err := folder.Write(text, []byte(name)); err != nil {
			t.Error(err)
		}
		if preview, err := folder.Preview(t.Context(), text); err != nil || preview.Path != text {
			t.Errorf("the preview of %s is of %s, %v", text, preview.Path, err)
		}
	}
	// What looks like the quoted form of another name means that one.
	if got := read(`"a"`); got != "a" {
		t.Errorf("a name in quotes is %q", got)
	}
	if got := read(`"a`); got != `"a` {
		t.Errorf("a name with half of its quotes is %q", got)
	}
	// The tree and the walk show what is taken back.
	listing, err := folder.List(t.Context(), `"d\xfe"`)
	if err != nil || listing.Path != `"d\xfe"` || len(listing.Entries) != 2 || listing.Entries[0].Path != `"d\xfe"/"in\xff.txt"` || listing.Entries[0].Name != `"in\xff.txt"` {
		t.Errorf("%+v, %v", listing, err)
	}
	count := 0
	if _, err := folder.Walk(t.Context(), `"d\xfe"/`, func(workspace.Entry) error { count++; return nil }); err != nil || count != 2 {
		t.Errorf("walked through %d, %v", count, err)
	}
	// The error about a name that is nearly right names the right one.
	if got := read("a\xfeb"); !strings.Contains(got, `"a\xffb"`) {
		t.Errorf("nothing like it in %s", got)
	}
	if err := folder.Write(`"new\xff"`, nil); code(err) != message.UnsupportedFile {
		t.Errorf("a new name that is not UTF-8: %v", err)
	}
	if err := folder.Write(`"d\xfe"/new`, nil); err != nil {
		t.Error(err)
	}
}

func TestTOOL02_WhatIsQuotedKeepsAllRules(t *testing.T) {
	folder, dir, outside := open(t)
	codes := map[string]message.ToolCode{
		`"\x2e\x2e/work-beside/out.txt"`: message.PathOutsideWorkspace, `"\x2e\x2e"/work-beside/out.txt`: message.PathOutsideWorkspace,
		`sub/"\x2e\x2e/\x2e\x2e"`: message.PathOutsideWorkspace, `"\x2fetc\x2fpasswd"`: message.PathOutsideWorkspace,
		`"a.txt\x00"`: message.UnsupportedFile, `"\x2eenv"`: message.DeniedFile,
		`".env\xff"`: message.DeniedFile, `"id_rsa\xff"`: message.DeniedFile, `sub/"\u002essh"/x`: message.DeniedFile,
		`"` + strings.Repeat(`\xff`, 1025) + `"`: message.InvalidArguments,
	}
	if sandboxtest.TryLink(t, outside, filepath.Join(dir, "out")) {
		codes[`"out\x2fout.txt"`] = message.PathOutsideWorkspace
	}
	for path, want := range codes {
		if _, err := folder.OpenFile(path); code(err) != want {
			t.Errorf("OpenFile(%.100s): %v, want %s", path, err, want)
		}
		if err := folder.Write(path, nil); code(err) != want {
			t.Errorf("Write(%.100s): %v, want %s", path, err, want)
		}
	}
	for _, path := range []string{`"\x2egit/config"`, `"\x2eg\x69t"/hooks/x`, `"\xe2\x80\x8b.git"/config`} {
		if _, err := folder.Writable(path); code(err) != message.DeniedFile {
			t.Errorf("Writable(%s): %v", path, err)
		}
	}
}

// FuzzShown compares where a path leads with where the form leads in which it is shown.
func FuzzShown(f *testing.F) {
	for _, name := range append(oddNames, `..`, `"\x2e\x2e"`, `sub/"\"`, `"a/b"`, `"a"/"b"`, "/etc", "a//b/", `"\"\\x2f"`) {
		f.Add(name)
	}
	folder, _, _ := open(f)
	f.Fuzz(func(t *testing.T, path string) {
		if place, err := folder.Locate(path); err == nil {
			if !filepath.IsLocal(filepath.FromSlash(place.Path)) || strings.ContainsRune(place.Path, 0) {
				t.Fatalf("%q leads to %q", path, place.Path)
			}
			again, err := folder.Locate(workspace.Shown(place.Path))
			if err != nil || again.Path != place.Path {
				t.Errorf("%q is shown as %s, which leads to %q, %v", place.Path, workspace.Shown(place.Path), again.Path, err)
			}
		}
		shown := workspace.Shown(path)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return !strconv.IsPrint(r) }) {
			t.Errorf("%q is shown as %q", path, shown)
		}
		if strings.Count(shown, "/") != strings.Count(path, "/") {
			t.Errorf("%q is shown as %q, with other parts", path, shown)
		}
	})
}
