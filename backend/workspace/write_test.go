package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// names lists a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestWriteMakesFoldersAndKeepsModes(t *testing.T) {
	folder, dir, _ := open(t)
	if err := folder.Write("new/deep/file.txt", []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "new", "deep", "file.txt")); got != "new\n" {
		t.Errorf("content %q", got)
	}
	if got := names(t, filepath.Join(dir, "new", "deep")); got != "file.txt" {
		t.Errorf("the folder holds %q", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []os.FileMode{0o600, 0o755, 0o666} {
		script := filepath.Join(dir, "script")
		write(t, script, "old")
		if err := os.Chmod(script, mode); err != nil {
			t.Fatal(err)
		}
		if err := folder.Write("script", []byte("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(script)
		if err != nil || info.Mode() != mode {
			t.Errorf("mode %v, %v, want %v", info.Mode(), err, mode)
		}
	}
}

func TestTOOL02_WritingLeavesOtherHardLinksUnchanged(t *testing.T) {
	folder, dir, outside := open(t)
	other := filepath.Join(outside, "out.txt")
	if err := os.Link(other, filepath.Join(dir, "hard.txt")); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	if err := folder.Write("hard.txt", []byte("changed")); err != nil {
		t.Fatal(err)
	}
	if read(t, filepath.Join(dir, "hard.txt")) != "changed" || read(t, other) != "outside\n" {
		t.Errorf("the other name has %q", read(t, other))
	}
}

func TestWritingALinkWritesItsTarget(t *testing.T) {
	folder, dir, _ := open(t)
	sandboxtest.Link(t, "sub/b.txt", filepath.Join(dir, "link"))
	sandboxtest.Link(t, "sub/new.txt", filepath.Join(dir, "dangling"))
	for path, target := range map[string]string{"link": "b.txt", "dangling": "new.txt"} {
		if err := folder.Write(path, []byte("through")); err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Join(dir, "sub", target)); got != "through" {
			t.Errorf("the target of %s has %q", path, got)
		}
		if info, err := os.Lstat(filepath.Join(dir, path)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestGitsOwnFilesAreNotWritten(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, ".git", "config"), "")
	paths := []string{".git/config", ".GIT/hooks/pre-commit", "sub/.git", ".g\u200dit/x", "git~1/config"}
	if sandboxtest.TryLink(t, ".git/config", filepath.Join(dir, "link")) {
		paths = append(paths, "link")
	}
	for _, path := range paths {
		if err := folder.Write(path, nil); code(err) != message.DeniedFile {
			t.Errorf("Write(%q) = %v, want %s", path, err, message.DeniedFile)
		}
	}
	if err := folder.Write(".gitignore", nil); err != nil {
		t.Errorf("Write(.gitignore): %v", err)
	}
}

func TestWhatCannotBeWrittenSaysWhy(t *testing.T) {
	folder, dir, _ := open(t)
	if err := os.Chmod(filepath.Join(dir, "a.txt"), 0o444); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"sub/b.txt/new.txt": "is a file, not a folder", "a.txt": "read-only", strings.Repeat("n", 300): "",
	} {
		err := folder.Write(path, nil)
		if code(err) != message.ExecutionError || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), dir) {
			t.Errorf("Write(%.20q) = %v", path, err)
		}
	}
	if got := names(t, dir); got != ".env a.txt sub" {
		t.Errorf("the folder holds %q", got)
	}
}

func TestAnUnwritableFolderIsNamed(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("modes do not bind this user or system")
	}
	folder, dir, _ := open(t)
	sub := filepath.Join(dir, "sub")
	if err := os.Chmod(sub, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(sub, 0o700) })
	err := folder.Write("sub/new.txt", nil)
	if code(err) != message.ExecutionError || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("Write = %v", err)
	}
}
