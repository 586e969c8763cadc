package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/adrg/xdg"
)

// documents makes a folder of documents for the test.
func documents(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "My documents")
	t.Setenv("XDG_DOCUMENTS_DIR", dir)
	// The environment is put back after this; what follows must not see the folder.
	t.Cleanup(xdg.Reload)
	return dir
}

func TestWS05_NewWorkspaces(t *testing.T) {
	dir := documents(t)
	if got := Documents(); got != dir {
		t.Fatalf("documents are in %s, want %s", got, dir)
	}
	for _, test := range []struct{ name, want string }{
		{"", "Workspace"},
		{" \t", "Workspace 2"},
		{"Report 2026", "Report 2026"},
		{"Report 2026", "Report 2026 2"},
		{"报告", "报告"},
		{"../../etc/passwd", "etc passwd"},
		{"NUL", "Workspace NUL"},
		{strings.Repeat("x", 100), strings.Repeat("x", 80)},
		{strings.Repeat("x", 100), strings.Repeat("x", 78) + " 2"},
	} {
		got, err := Create(test.name)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(dir, "Fairlead", test.want); got != want {
			t.Errorf("Create(%q) = %s, want %s", test.name, got, want)
		}
		folder, err := Open(got)
		if err != nil {
			t.Fatal(err)
		}
		if empty, err := folder.Empty(); !empty || err != nil {
			t.Errorf("%s is empty: %v, %v", got, empty, err)
		}
		_ = folder.Close()
	}
}

func TestWS05_TwoAtOnceAreTwo(t *testing.T) {
	documents(t)
	var made sync.Map
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			path, err := Create("same")
			if _, taken := made.LoadOrStore(path, true); taken || err != nil {
				t.Errorf("made %s again, or %v", path, err)
			}
		})
	}
	all.Wait()
}

func TestWS05_NoPlaceForWorkspaces(t *testing.T) {
	dir := documents(t)
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if path, err := Create("x"); err == nil || !strings.Contains(err.Error(), "choose a folder") {
		t.Errorf("made %s, %v", path, err)
	}
	for _, variable := range []string{"HOME", "USERPROFILE", "home"} {
		t.Setenv(variable, "")
	}
	if runtime.GOOS == "windows" {
		t.Skip("this system finds a home without the environment")
	}
	if path, err := Create("x"); err == nil || !strings.Contains(err.Error(), "no home") {
		t.Errorf("made %s, %v", path, err)
	}
}

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"plain": "plain", "a/b\\c:d": "a b c d", "..": "Workspace", ".hidden": "hidden", "end. .": "end", "a\x00b\nc": "a b c",
		"con.txt": "Workspace con.txt", "COM1": "Workspace COM1", "console": "console", "git~1": "Workspace git~1",
		"#.ssh": "Workspace #.ssh", "a\u202eb\u200bc": "abc", "e\u0301": "é", "\xff\xfe": "Workspace", "a\xffb": "a b",
		strings.Repeat("😀", 100): strings.Repeat("😀", 60), strings.Repeat("y", 79) + " z": strings.Repeat("y", 79),
	} {
		if got := cleanName(name); got != want {
			t.Errorf("cleanName(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	for _, name := range []string{"", "a", "../x", "NUL.txt", ".ssh~", "#.#.ssh", "git~1", "\xff", "x\u202ey", "ﬁ", "e\u200d\u0301", "CON .x", "#.aws" + strings.Repeat("~", 75) + "x"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := cleanName(name)
		for _, got := range []string{clean, numberName(clean, 2), numberName(clean, maxNumber)} {
			switch {
			case got == "", !utf8.ValidString(got), utf8.RuneCountInString(got) > maxName, len(got) > maxNameBytes:
				t.Errorf("%q becomes %q", name, got)
			case strings.ContainsAny(got, `<>:"/\|?*`), strings.ContainsFunc(got, unicode.IsControl), !filepath.IsLocal(got):
				t.Errorf("%q becomes %q, which is not one part of a path", name, got)
			case strings.HasPrefix(got, "."), strings.TrimSpace(got) != got, unportableReason(got) != "", inGit(got), secretFolder(got):
				t.Errorf("%q becomes %q, which not every system or Open takes", name, got)
			}
		}
		if again := cleanName(clean); again != clean {
			t.Errorf("%q becomes %q, and that %q", name, clean, again)
		}
	})
}
