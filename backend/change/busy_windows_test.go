package change

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/windows"
)

// opened is a folder with a file that another program holds open.
func opened(t *testing.T) (at spot, held *os.File) {
	t.Helper()
	folder := t.TempDir()
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	if held, err = os.Create(filepath.Join(folder, "report.txt")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() })
	return spot{dir: root, name: "report.txt"}, held
}

func TestWhatAnotherProgramHoldsForAMomentIsWaitedFor(t *testing.T) {
	at, held := opened(t)
	synctest.Test(t, func(t *testing.T) {
		time.AfterFunc(time.Second, func() { _ = held.Close() })
		if err := whenFree(at, func() error { return at.dir.Remove(at.name) }); err != nil {
			t.Error(err)
		}
		if _, err := at.dir.Lstat(at.name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it is still there: %v", err)
		}
	})
}

func TestWhatAnotherProgramHoldsIsSaid(t *testing.T) {
	at, _ := opened(t)
	before := holdersOf
	t.Cleanup(func() { holdersOf = before })
	for name, test := range map[string]struct {
		holders []string
		said    string
	}{
		"named":   {[]string{"Writer", "Indexer"}, "it is open in Writer, Indexer: close it there and try again"},
		"unnamed": {nil, "it is open in another program: close it there and try again"},
	} {
		t.Run(name, func(t *testing.T) {
			holdersOf = func(path string) []string {
				if filepath.Base(path) != "report.txt" {
					t.Errorf("asked for %s", path)
				}
				return test.holders
			}
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				err := whenFree(at, func() error { return at.dir.Remove(at.name) })
				if inUse, ok := errors.AsType[*InUseError](err); !ok || inUse.Error() != test.said {
					t.Errorf("the error is %v", err)
				}
				if took := time.Since(began); took < time.Second || took > maxBusy {
					t.Errorf("it was tried for %s", took)
				}
			})
			if _, err := at.dir.Lstat(at.name); err != nil {
				t.Errorf("it is gone: %v", err)
			}
		})
	}
}

// What the user may not change is said at once.
func TestWhatIsRefusedIsNotWaitedFor(t *testing.T) {
	at, held := opened(t)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	refused := &os.PathError{Op: "rename", Path: at.name, Err: windows.ERROR_ACCESS_DENIED}
	if err := whenFree(at, func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("the error is %v", err)
	}
}
