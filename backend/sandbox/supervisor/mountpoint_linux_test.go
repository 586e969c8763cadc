package supervisor

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// The guards of a session share its private home. The first two start at the same time, and
// both find links in it where they are to mount folders of the user's.
func TestSEC02_GuardsReplaceALinkAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	folder, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(folder)
	path := filepath.Join(dir, "mod")
	for range 2000 {
		if err := os.Symlink("/elsewhere", path); err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		begin := make(chan struct{})
		for range 2 {
			both.Go(func() {
				<-begin
				fd, err := openPart(folder, "mod", false, true)
				if err != nil {
					t.Error(err)
					return
				}
				unix.Close(fd)
			})
		}
		close(begin)
		both.Wait()
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			t.Fatalf("it is %v, %v", info, err)
		}
		if err := os.Remove(path); err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
}

func TestSEC02_ALinkIsReplacedInPrivateFoldersOnly(t *testing.T) {
	dir := t.TempDir()
	folder, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(folder)
	if err := os.Symlink("/", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, file := range []bool{false, true} {
		if _, err := openPart(folder, "link", file, false); !errors.Is(err, unix.ENOTDIR) {
			t.Errorf("a link was not refused: %v", err)
		}
	}
}
