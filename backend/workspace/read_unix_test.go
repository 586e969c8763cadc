//go:build !windows

package workspace_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

func TestTOOL02_SpecialFilesAreRefusedWithoutWaiting(t *testing.T) {
	folder, dir, _ := open(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // A socket's path has to be short.
	listener, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for path, kind := range map[string]string{"pipe": "a pipe", "socket": "a socket", "sub": "a folder"} {
		_, err := folder.OpenFile(path)
		if code(err) != message.UnsupportedFile || !strings.Contains(err.Error(), kind) {
			t.Errorf("OpenFile(%q) = %v", path, err)
		}
		if err := folder.Write(path, nil); code(err) != message.UnsupportedFile {
			t.Errorf("Write(%q) = %v", path, err)
		}
	}
}

// TestTOOL02_AnIgnoreFileThatIsAPipe would wait for ever if opening waited.
func TestTOOL02_AnIgnoreFileThatIsAPipe(t *testing.T) {
	folder, dir, _ := open(t)
	if err := syscall.Mkfifo(filepath.Join(dir, ".gitignore"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := walk(t, folder, "."); strings.Join(got, " ") != "a.txt sub/ sub/b.txt" {
		t.Errorf("visited %v", got)
	}
}

// TestTOOL02_SwappedFolders reads and writes through a folder that another
// process keeps replacing by a link to the outside.
func TestTOOL02_SwappedFolders(t *testing.T) {
	folder, dir, outside := open(t)
	write(t, filepath.Join(dir, "swap", "out.txt"), "inside\n")
	sandboxtest.Link(t, outside, filepath.Join(dir, "way-out"))
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		swap, keep, away := filepath.Join(dir, "swap"), filepath.Join(dir, "keep"), filepath.Join(dir, "way-out")
		for {
			select {
			case <-done:
				return
			default:
			}
			_ = os.Rename(swap, keep)
			_ = os.Rename(away, swap)
			_ = os.Rename(swap, away)
			_ = os.Rename(keep, swap)
		}
	})
	reads := 0
	for range 3000 {
		if file, err := folder.OpenFile("swap/out.txt"); err == nil {
			content, err := file.ReadAll(t.Context(), 100)
			_ = file.Close()
			if err == nil && string(content) == "outside\n" {
				t.Error("read the file outside")
			}
			reads++
		}
	}
	for range 200 {
		_ = folder.Write("swap/out.txt", []byte("inside\n"))
	}
	close(done)
	group.Wait()
	entries, err := os.ReadDir(outside)
	content, err2 := os.ReadFile(filepath.Join(outside, "out.txt"))
	if err != nil || err2 != nil || len(entries) != 1 || string(content) != "outside\n" {
		t.Errorf("outside there is now %v with %q", entries, content)
	}
	if reads == 0 {
		t.Error("no read succeeded: the test shows nothing")
	}
}
