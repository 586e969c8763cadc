package workspace_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

func TestTOOL02_PathsInsideAreFound(t *testing.T) {
	folder, dir, _ := open(t)
	type row struct {
		path, want string
		exists     bool
	}
	rows := []row{
		{"a.txt", "a.txt", true},
		{"./sub/../a.txt", "a.txt", true},
		{"sub//b.txt", "sub/b.txt", true},
		{"sub/", "sub", true},
		{".", ".", true},
		{"..a", "..a", false},
		{filepath.Join(dir, "sub", "b.txt"), "sub/b.txt", true},
		{dir, ".", true},
		{"no/such/file", "no/such/file", false},
	}
	if linkAll(t, dir, map[string]string{
		"rel": "sub", "abs": filepath.Join(dir, "a.txt"), "sub/up": "../a.txt", "dangling": "new.txt",
	}) {
		rows = append(rows, []row{
			{"rel/b.txt", "sub/b.txt", true},
			{"abs", "a.txt", true},
			{"sub/up", "a.txt", true},
			{"rel/up", "a.txt", true},
			{"dangling", "new.txt", false},
			{"rel/missing", "sub/missing", false},
		}...)
	}
	for _, test := range rows {
		place, err := folder.Locate(test.path)
		if err != nil {
			t.Errorf("Locate(%q): %v", test.path, err)
			continue
		}
		if place.Path != test.want || place.Exists() != test.exists {
			t.Errorf("Locate(%q) = %q, exists %v; want %q, %v", test.path, place.Path, place.Exists(), test.want, test.exists)
		}
	}
}

func TestTOOL02_PathsOutsideAreRefused(t *testing.T) {
	folder, dir, outside := open(t)
	paths := []string{
		"..", "../", "../work-beside/out.txt", "sub/../../work-beside/out.txt", "a.txt/../../x", "/", "/etc/passwd",
		filepath.Join(outside, "out.txt"), dir + "-beside/out.txt", dir + "/../work-beside/out.txt",
		`C:\Windows\win.ini`, "c:/Windows", `\\server\share\x`,
	}
	if linkAll(t, dir, map[string]string{
		"beside": "../work-beside", "sub/beside": outside, "twice": "sub/beside",
		"dangling": filepath.Join(outside, "missing"), "sub/up": "../../x",
	}) {
		paths = append(paths, "beside/out.txt", "sub/beside/out.txt", "twice/out.txt", "twice", "dangling", "sub/up", "beside/new/file")
	}
	for _, path := range paths {
		if _, err := folder.Locate(path); code(err) != message.PathOutsideWorkspace {
			t.Errorf("Locate(%q) = %v, want %s", path, err, message.PathOutsideWorkspace)
		}
		if file, err := folder.OpenFile(path); err == nil {
			_ = file.Close()
			t.Errorf("OpenFile(%q) opened it", path)
		}
		if err := folder.Write(path, nil); code(err) != message.PathOutsideWorkspace {
			t.Errorf("Write(%q) = %v, want %s", path, err, message.PathOutsideWorkspace)
		}
	}
}

// linkAll makes links, by name, and reports whether the system makes any.
func linkAll(t testing.TB, dir string, targets map[string]string) bool {
	t.Helper()
	made := true
	for name, target := range targets {
		made = sandboxtest.TryLink(t, target, filepath.Join(dir, name)) && made
	}
	return made
}

func TestTOOL02_NamesThatWindowsRefusesAreNotMade(t *testing.T) {
	folder, dir, _ := open(t)
	names := []string{"con", "NUL.txt", "sub/Aux", "com1.log", "COM².txt", "LPT9", "a.txt:stream", "x:y", "dot.", "space ", "sub./x", "a\x00b"}
	if runtime.GOOS != "windows" {
		names = append(names, `src\main.go`)
	}
	for _, path := range names {
		if _, err := folder.Locate(path); code(err) != message.UnsupportedFile {
			t.Errorf("Locate(%q) = %v, want %s", path, err, message.UnsupportedFile)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	write(t, filepath.Join(dir, "aux.c"), "")
	if _, err := folder.Locate("aux.c"); err != nil {
		t.Errorf("a file that exists was refused for its name: %v", err)
	}
}

func TestTOOL02_LinksThatGoOnAndOn(t *testing.T) {
	folder, dir, _ := open(t)
	sandboxtest.Link(t, "loop", filepath.Join(dir, "loop"))
	sandboxtest.Link(t, "missing/../../x", filepath.Join(dir, "through"))
	if _, err := folder.Locate("loop"); code(err) != message.UnsupportedFile {
		t.Errorf("Locate(loop) = %v", err)
	}
	if _, err := folder.Locate("through"); code(err) != message.FileNotFound {
		t.Errorf("Locate(through) = %v", err)
	}
}

func TestLongPathsAreRefusedInFewWords(t *testing.T) {
	folder, dir, _ := open(t)
	for _, path := range []string{strings.Repeat("x", 2000), strings.Repeat("d/", 1000) + "x", strings.Repeat("n", 300)} {
		_, err := folder.OpenFile(path)
		if err == nil {
			t.Fatal("opened a file that cannot be there")
		}
		if len(err.Error()) > 400 || strings.Contains(err.Error(), dir) {
			t.Errorf("error has %d bytes: %v", len(err.Error()), err)
		}
	}
}

func TestErrorsDoNotShowWhereTheFolderLies(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "plain"), "")
	for _, path := range []string{"plain/x", "missing", "sub", ".env", "../x", "a:b"} {
		if _, err := folder.OpenFile(path); err == nil || strings.Contains(err.Error(), dir) {
			t.Errorf("OpenFile(%q) = %v", path, err)
		}
	}
}

func TestAMissingFileNamesSimilarOnes(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "sub", "handler.go"), "")
	for path, similar := range map[string]string{
		"sub/handlr.go": `"sub/handler.go"`, "sub/Handler.go": `"sub/handler.go"`, "sup/b.txt": `"sub"`,
	} {
		if runtime.GOOS != "linux" && path == "sub/Handler.go" {
			continue
		}
		_, err := folder.OpenFile(path)
		if code(err) != message.FileNotFound || !strings.Contains(err.Error(), similar) {
			t.Errorf("OpenFile(%q) = %v, want it to name %s", path, err, similar)
		}
	}
	if _, err := folder.OpenFile("env"); strings.Contains(err.Error(), ".env") {
		t.Errorf("a secret file is named: %v", err)
	}
	write(t, filepath.Join(dir, ".aws", "credentials"), "")
	if _, err := folder.OpenFile(".aws/credential"); strings.Contains(err.Error(), "credentials") {
		t.Errorf("a file that is secret where it lies is named: %v", err)
	}
}

// FuzzLocate opens and writes whatever path; the file outside is never reached.
func FuzzLocate(f *testing.F) {
	for _, path := range []string{
		"a.txt", "../work-beside/out.txt", "out/out.txt", "out/../a.txt", "in/out/out.txt", "loop/x", "sub/up/up/a.txt", "/etc/passwd", "in/../out",
		`"\x2e\x2e/work-beside/out.txt"`, `"\x2e\x2e"/work-beside/out.txt`, `"out\x2fout.txt"`, `in/"\u002e\u002e"/out/out.txt`, `"\x2fetc/passwd"`,
	} {
		f.Add(path)
	}
	folder, dir, outside := open(f)
	linkAll(f, dir, map[string]string{"out": outside, "in": "sub", "sub/out": "../out", "sub/up": "../..", "loop": "loop"})
	f.Fuzz(func(t *testing.T, path string) {
		if file, err := folder.OpenFile(path); err == nil {
			content, err := io.ReadAll(file)
			_ = file.Close()
			if err == nil && string(content) == "outside\n" {
				t.Fatalf("OpenFile(%q) read the file outside", path)
			}
		}
		if len(path) < 200 {
			_ = folder.Write(path, []byte("written"))
		}
		entries, err := os.ReadDir(filepath.Dir(dir))
		if err != nil || len(entries) != 2 {
			t.Fatalf("writing %q changed the folder around: %v %v", path, entries, err)
		}
		beside, err := os.ReadDir(outside)
		content, err2 := os.ReadFile(filepath.Join(outside, "out.txt"))
		if err != nil || err2 != nil || len(beside) != 1 || string(content) != "outside\n" {
			t.Fatalf("writing %q changed something outside", path)
		}
	})
}
