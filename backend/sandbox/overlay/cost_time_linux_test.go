//go:build !race

// Times are measured, which the race detector makes longer.

package overlay_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestPRE01_ACopyCostsLittle measures what copies cost in programs that start and end, and in
// cp -a. make bench measures it more exactly, with narrower limits: this is what would be noticed
// on a machine that does something else as well.
func TestPRE01_ACopyCostsLittle(t *testing.T) {
	const few, many, times = 10, 20_000, 9
	r := newRig(t)
	for i := range few {
		write(t, r.folder, fmt.Sprint(i), "a line\n")
	}
	median := func(do func() time.Duration) time.Duration {
		all := make([]time.Duration, times)
		for i := range all {
			all[i] = do()
		}
		slices.Sort(all)
		return all[times/2]
	}
	timed := func(do func()) time.Duration {
		began := time.Now()
		do()
		return time.Since(began)
	}
	// applied runs a command, and returns how long it took to apply what it did.
	applied := func(line string) time.Duration {
		layer, _ := r.try(line)
		defer func() { must(t, layer.Remove()) }()
		return timed(func() {
			set, err := r.ApplyLayer(t.Context(), "call", r.read(layer), func(int) bool { return true })
			must(t, err)
			if set == nil {
				t.Errorf("%s: nothing was applied", line)
			}
		})
	}
	program := func() time.Duration {
		return median(func() time.Duration { return timed(func() { must(t, exec.Command("/bin/true").Run()) }) })
	}
	before := program()
	// within is how long so many programs take, right before or after what was measured.
	within := func(programs time.Duration) time.Duration {
		after := program()
		most := programs * max(before, after)
		before = after
		return most
	}
	atMost := func(what string, took, most time.Duration) {
		t.Helper()
		t.Logf("%s: %v, at most %v", what, took, most)
		if took > most {
			t.Errorf("%s took %v, and %v at most is right here", what, took, most)
		}
	}
	atMost("true in a copy", median(func() time.Duration {
		return timed(func() {
			layer, _ := r.try("true")
			r.read(layer)
			must(t, r.RemoveLayer(layer))
		})
	}), within(40))
	atMost("to apply 10 changed files", median(func() time.Duration {
		return applied(fmt.Sprintf("i=0; while [ $i -lt %d ]; do echo more >>$i; i=$((i+1)); done", few))
	}), within(25))
	// cp -a is quick where nothing was deleted before, and slow elsewhere.
	took := applied(fmt.Sprintf("mkdir new && cd new && i=0; while [ $i -lt %d ]; do echo a line >$i; i=$((i+1)); done", many))
	atMost("to apply 20,000 new files", took, timed(func() {
		must(t, exec.Command("cp", "-a", filepath.Join(r.folder, "new"), filepath.Join(t.TempDir(), "new")).Run())
	})*5/2)
	must(t, os.RemoveAll(filepath.Join(r.folder, "new")))
}
