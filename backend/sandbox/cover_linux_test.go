package sandbox

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead/backend/sandbox/overlay"
)

// TestPRE10_WhatIsCoveredIsEmptyAndWhoReadItIsKnown has commands read, write and list what is
// covered.
func TestPRE10_WhatIsCoveredIsEmptyAndWhoReadItIsKnown(t *testing.T) {
	space, workspace := open(t, Without{})
	for _, name := range []string{"seen", "a.pem", "b.pem", ".ssh/id"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(workspace, name)), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(workspace, name), []byte("text\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cover := []string{".ssh", "a.pem", "b.pem", "gone.pem"}
	for line, want := range map[string]struct {
		said   string
		opened []string
	}{
		"cat seen": {"text\n", nil},
		"ls; stat a.pem >/dev/null; test -r a.pem": {"a.pem\nb.pem\nseen\n", nil},
		"cat b.pem":               {"", []string{"b.pem"}},
		"cat *.pem":               {"", []string{"a.pem", "b.pem"}},
		"ls .ssh":                 {"", []string{".ssh"}},
		"cat .ssh/id 2>/dev/null": {"", nil},
		"echo new 2>/dev/null >>a.pem || echo no": {"no\n", nil},
		"touch .ssh/new 2>/dev/null || echo no":   {"no\n", nil},
	} {
		layer, err := overlay.New(filepath.Join(filepath.Dir(workspace), "data", "layer"))
		if err != nil {
			t.Fatal(err)
		}
		p, out := begin(t, space, Command{Line: line, Overlay: layer.Dir, Cover: cover})
		said, _ := io.ReadAll(out)
		<-p.Done()
		if _, _, err := p.Result(); err != nil || string(said) != want.said || !slices.Equal(p.Opened(), want.opened) {
			t.Errorf("%s: %v, printed %q and has read %q", line, err, said, p.Opened())
		}
		if err := layer.Remove(); err != nil {
			t.Fatal(err)
		}
	}
}
