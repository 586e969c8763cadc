package change

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCHG04_TextsAreMerged(t *testing.T) {
	tests := map[string]struct{ base, mine, theirs, want string }{
		"different lines":       {"a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n"},
		"one side":              {"a\nb\n", "a\nb\n", "a\n", "a\n"},
		"both the same":         {"a\nb\n", "a\nx\n", "a\nx\n", "a\nx\n"},
		"added and deleted":     {"a\nb\nc\n", "new\na\nb\nc\n", "a\nb\n", "new\na\nb\n"},
		"the end without break": {"a\nb\nc", "A\nb\nc", "a\nb\nc\nd", "A\nb\nc\nd"},
	}
	for name, test := range tests {
		if got, ok := merge(test.base, test.mine, test.theirs); !ok || got != test.want {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	for name, test := range map[string][3]string{
		"the same line":     {"a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n"},
		"lines that touch":  {"a\nb\nc\n", "x\nb\nc\n", "a\ny\nc\n"},
		"deleted, changed":  {"a\nb\nc\n", "a\nc\n", "a\nB\nc\n"},
		"both add in place": {"a\nb\n", "a\n1\nb\n", "a\n2\nb\n"},
	} {
		if got, ok := merge(test[0], test[1], test[2]); ok {
			t.Errorf("%s: merged to %q", name, got)
		}
	}
}

// TestCHG04_MergesAreThoseOfGit compares with git merge-file: what is merged here, git
// merges to the same.
func TestCHG04_MergesAreThoseOfGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this system has no git")
	}
	dir := t.TempDir()
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		// Of equal lines either may be the one that is gone, and git may choose another one.
		base := make([]string, rapid.IntRange(6, 20).Draw(t, "base"))
		for i := range base {
			base[i] = fmt.Sprintf("%d\n", i)
		}
		side := func(name string) string {
			lines := append([]string(nil), base...)
			for range rapid.IntRange(0, 2).Draw(t, name+" edits") {
				at := rapid.IntRange(0, len(lines)-1).Draw(t, name+" at")
				switch rapid.IntRange(0, 2).Draw(t, name+" kind") {
				case 0:
					lines[at] = rapid.SampledFrom([]string{"x\n", "y\n"}).Draw(t, name)
				case 1:
					lines[at] += rapid.SampledFrom([]string{"x\n", "y\n"}).Draw(t, name)
				default:
					lines = append(lines[:at:at], lines[at+1:]...)
				}
			}
			return strings.Join(lines, "")
		}
		mine, theirs := side("mine"), side("theirs")
		got, ok := merge(strings.Join(base, ""), mine, theirs)
		if !ok {
			return
		}
		merged++
		for name, text := range map[string]string{"mine": mine, "base": strings.Join(base, ""), "theirs": theirs} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("git", "merge-file", "-p", "mine", "base", "theirs")
		cmd.Dir = dir
		if want, err := cmd.Output(); err == nil && string(want) != got {
			t.Fatalf("merged to %q, git merges to %q", got, want)
		}
	})
	if merged == 0 {
		t.Error("nothing was merged")
	}
}
