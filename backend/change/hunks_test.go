package change_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/change"
)

// TestDESK04_HunksAreThoseOfGit takes random hunks back out of random changes, and compares
// that with what git makes of the text before with the other hunks.
func TestDESK04_HunksAreThoseOfGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("this system has no git")
	}
	several, noEnd := 0, 0
	for i := range 200 {
		random := rand.New(rand.NewPCG(uint64(i), 4))
		before, after := randomEdit(random)
		hunks := change.Hunks(before, after)
		var taken []string
		for _, h := range hunks {
			if random.IntN(2) == 0 {
				taken = append(taken, h.Header)
			}
		}
		if len(hunks) > 1 {
			several++
		}
		if !bytes.HasSuffix(before, []byte("\n")) != !bytes.HasSuffix(after, []byte("\n")) {
			noEnd++
		}
		got := change.WithoutHunks(before, after, taken)
		want := applyByGit(t, git, before, after, taken)
		if !bytes.Equal(got, want) {
			t.Fatalf("choice %d, without %v: got\n%q, git gives\n%q", i, taken, got, want)
		}
	}
	if several < 100 || noEnd < 20 {
		t.Errorf("%d of 200 changes have several hunks, and %d change the end of the file: too few to tell", several, noEnd)
	}
}

// randomEdit returns a text of distinct lines in several scripts, and what random edits make
// of it, with LF or CR LF, and with a line break at the end or without.
func randomEdit(random *rand.Rand) (before, after []byte) {
	words := []string{"return", "天气", "naïve", "größer", "\tif x {", "}", "", "文件"}
	line := func(n int) string { return fmt.Sprintf("%s %d", words[random.IntN(len(words))], n) }
	var old []string
	for n := range 20 + random.IntN(120) {
		old = append(old, line(n))
	}
	edited := slices.Clone(old)
	for n := range 1 + random.IntN(8) {
		at := random.IntN(len(edited))
		switch random.IntN(3) {
		case 0:
			edited[at] = line(1000 + n)
		case 1:
			edited = slices.Insert(edited, at, line(2000+n), line(3000+n))
		default:
			edited = slices.Delete(edited, at, min(at+1+random.IntN(3), len(edited)))
			if len(edited) == 0 {
				edited = []string{line(4000)}
			}
		}
	}
	ending := "\n"
	if random.IntN(3) == 0 {
		ending = "\r\n"
	}
	text := func(lines []string) []byte {
		joined := strings.Join(lines, ending)
		if random.IntN(3) > 0 {
			joined += ending
		}
		return []byte(joined)
	}
	return text(old), text(edited)
}

// applyByGit has git apply the hunks of a change but those taken, to what was there before.
func applyByGit(t *testing.T, git string, before, after []byte, taken []string) []byte {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), before, 0o600))
	patch := patchWithout(before, after, taken)
	if patch == "" {
		return before
	}
	must(t, os.WriteFile(filepath.Join(dir, "patch"), []byte(patch), 0o600))
	cmd := exec.Command(git, "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "patch")
	cmd.Dir, cmd.Env = dir, []string{"GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir, "PATH=/usr/bin:/bin", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v: %s\n%s", err, out, patch)
	}
	content, err := os.ReadFile(filepath.Join(dir, "file"))
	must(t, err)
	return content
}

// patchWithout is the patch of a change without some hunks. As git does where hunks are
// chosen, the lines after are counted anew for those that stay.
func patchWithout(before, after []byte, taken []string) string {
	diff, _, _ := change.UnifiedDiff("file", "file", before, after)
	head, rest, _ := strings.Cut(diff, "@@ ")
	hunks := change.Hunks(before, after)
	var patch strings.Builder
	moved, i := 0, -1
	kept := false
	for line := range strings.Lines("@@ " + rest) {
		if i+1 < len(hunks) && strings.HasPrefix(line, hunks[i+1].Header) {
			i++
			h := hunks[i]
			if kept = !slices.Contains(taken, h.Header); !kept {
				continue
			}
			start, to := h.From.Start+1, h.From.Start+moved+1
			if h.From.Count == 0 {
				start--
			}
			if h.To.Count == 0 {
				to--
			}
			moved += h.To.Count - h.From.Count
			line = fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", start, h.From.Count, to, h.To.Count)
		}
		if kept {
			patch.WriteString(line)
		}
	}
	if patch.Len() == 0 {
		return ""
	}
	return head + patch.String()
}
