package host

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
)

// TestEXT01_AProgramThatIsALinkIsShown has links in a folder that a server is shown, and in one that
// it is not.
func TestEXT01_AProgramThatIsALinkIsShown(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"bin", "shown", "lib"} {
		if err := os.Mkdir(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	real := filepath.Join(home, "lib", "notes")
	if err := os.WriteFile(real, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"lib/notes": "lib/notes", "bin/notes": "lib/notes", "shown/notes": "shown/notes"} {
		if path != "lib/notes" {
			sandboxtest.Link(t, real, filepath.Join(home, filepath.FromSlash(path)))
		}
		place := sandbox.ServerPlace{Place: sandbox.Place{Home: home, Read: []string{filepath.Join(home, "shown")}}}
		program := showProgram(&place, filepath.Join(home, filepath.FromSlash(path)))
		if program != filepath.Join(home, filepath.FromSlash(want)) || !slices.Contains(place.Read, real) {
			t.Errorf("%s: it runs %s and is shown %q", path, program, place.Read)
		}
	}
}
