//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fairlead/backend/process"
)

func TestSEC12_ALinkIsOpenedByNoProgramOfTheWorkspace(t *testing.T) {
	base := t.TempDir()
	workspace, system, said := filepath.Join(base, "workspace"), filepath.Join(base, "system"), filepath.Join(base, "said")
	for _, folder := range []string{workspace, system} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// What says so is read to its end: the program runs on after OpenLink.
	if err := syscall.Mkfifo(said, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, word := range map[string]string{workspace: "planted", system: "good"} {
		text := "#!/bin/sh\necho " + word + " \"$1\" \"$PATH\" >" + said + "\n"
		if err := os.WriteFile(filepath.Join(folder, "xdg-open"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", workspace+":"+system)
	if err := process.OpenLink("https://example.org/", workspace); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(said)
	if want := "good https://example.org/ " + system + "\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	t.Setenv("PATH", workspace)
	if err := process.OpenLink("https://example.org/", workspace); err == nil {
		t.Error("a link was opened by a program of the workspace")
	}
}
