package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/runnable"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/sandbox/supervisor"
)

// program opens the program that confines.
func program(t *testing.T, path string) *os.File {
	t.Helper()
	opened, err := runnable.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

// versions are those of Landlock that this system can be asked to keep to.
func versions() (all []int) {
	for version := 1; version <= supervisor.LandlockVersion(); version++ {
		all = append(all, version)
	}
	return all
}

// What an older system's Landlock does not know is refused in another way, or said.
func TestSEC02_OlderLandlockIsStillLevelLimited(t *testing.T) {
	sandboxtest.NeedsLimited(t)
	for _, version := range versions() {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			found := inspectLocks(t.Context(), program(t, helper()), supervisor.Locks{Landlock: version, Seccomp: true}, nil)
			if found.Level != message.LevelLimited {
				t.Fatalf("level %s, because %q", found.Level, found.Why)
			}
			if signals := slices.Contains(found.Gaps, GapSignals); signals != (version < 6) {
				t.Errorf("gaps: %v", found.Gaps)
			}
			if text := found.Sentence(false); strings.Contains(text, "end your other programs") != (version < 6) {
				t.Errorf("said: %s", text)
			}
		})
	}
}

// empty is a line of perl that empties a file by opening it in one of the modes that do
// not write.
func empty(mode string, path string) string {
	return "perl -MFcntl -e '" + `sysopen(my $file, $ARGV[0], O_TRUNC | ` + mode + `) or die "$!\n"` + "' " + path
}

func TestSEC02_NoVersionOfLandlockLetsFilesBeEmptied(t *testing.T) {
	sandboxtest.NeedsLimited(t)
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip("perl is not installed")
	}
	dir := t.TempDir()
	readable, secret, workspace := filepath.Join(dir, "readable"), filepath.Join(dir, "secret"), filepath.Join(dir, "workspace")
	for _, folder := range []string{readable, workspace} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, mode := range []string{"O_RDONLY", "3"} {
		for _, path := range []string{secret, filepath.Join(readable, "file")} {
			fill := func() {
				t.Helper()
				if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			emptied := func() bool {
				t.Helper()
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				return len(text) == 0
			}
			fill()
			if output, err := exec.Command("sh", "-c", empty(mode, path)).CombinedOutput(); err != nil || !emptied() {
				t.Fatalf("unconfined %s does not empty a file: %v %s", mode, err, output)
			}
			for _, version := range versions() {
				fill()
				system := inspectLocks(t.Context(), program(t, helper()), supervisor.Locks{Landlock: version, Seccomp: true}, nil)
				s, err := system.Open(Place{
					Workspace: workspace, Private: filepath.Join(dir, "private"), Home: os.Getenv("HOME"), Read: []string{readable},
				})
				if err != nil {
					t.Fatal(err)
				}
				output, code, _ := run(t, s, Command{Line: empty(mode, path) + "; echo > fresh; cat fresh"})
				if emptied() || !strings.HasSuffix(output, "\n\n") || code != 0 {
					t.Errorf("version %d, mode %s: %s is emptied: %v; %q, code %d", version, mode, path, emptied(), output, code)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
