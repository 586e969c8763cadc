//go:build linux || darwin

package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/workspace"
)

func TestCHG13_AFolderIsKnownWhereverItIsMoved(t *testing.T) {
	base := t.TempDir()
	identity := func(name string) string {
		t.Helper()
		folder, err := workspace.Open(filepath.Join(base, name))
		if err != nil {
			t.Fatal(err)
		}
		identity := folder.Identity()
		if err := folder.Close(); err != nil {
			t.Fatal(err)
		}
		return identity
	}
	for _, name := range []string{"one", "other"} {
		if err := os.Mkdir(filepath.Join(base, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := identity("one")
	if before == "" || before == identity("other") {
		t.Fatalf("the folders are %q and %q", before, identity("other"))
	}
	if err := os.Rename(filepath.Join(base, "one"), filepath.Join(base, "two")); err != nil {
		t.Fatal(err)
	}
	if now := identity("two"); now != before {
		t.Errorf("it was %q and is %q", before, now)
	}
}
