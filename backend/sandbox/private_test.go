package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSEC02_PrivateFoldersAreSwept(t *testing.T) {
	dir := t.TempDir()
	names := func() (found []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			found = append(found, e.Name())
		}
		return found
	}
	used, left := Place{Private: filepath.Join(dir, "used")}, Place{Private: filepath.Join(dir, "left")}
	held, err := used.makeFolders()
	if err != nil {
		t.Fatal(err)
	}
	gone, err := left.makeFolders()
	if err != nil {
		t.Fatal(err)
	}
	// A killed program lets go of its lock and of nothing else.
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(left.temporaryFolder(), "shut"), 0o000); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"used", "used.lock"}, names()); diff != "" {
		t.Errorf("left are: %s", diff)
	}
	if err := used.remove(held); err != nil {
		t.Fatal(err)
	}
	if found := names(); found != nil {
		t.Errorf("left are %q", found)
	}
	if err := Sweep(filepath.Join(dir, "none")); err != nil {
		t.Error(err)
	}
}
