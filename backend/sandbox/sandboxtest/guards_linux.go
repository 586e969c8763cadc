package sandboxtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// KillGuards kills the processes that watch over the commands of this process, as the
// system does when memory runs out, and fails the test where there is none.
func KillGuards(t testing.TB) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	parents, guards := map[int]int{}, []int{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		before, after, ok := bytes.Cut(text, []byte("("))
		at := bytes.LastIndexByte(after, ')')
		if err != nil || !ok || at < 0 {
			continue // it has ended meanwhile
		}
		pid, _ := strconv.Atoi(string(bytes.TrimSpace(before)))
		parent := 0
		if _, err := fmt.Sscanf(string(after[at:]), ") %c %d", new(rune), &parent); err != nil {
			t.Fatal(err)
		}
		parents[pid] = parent
		if string(after[:at]) == "fairlead-guard" {
			guards = append(guards, pid)
		}
	}
	killed := 0
	for _, pid := range guards {
		above := parents[pid]
		for above > 1 && above != os.Getpid() {
			above = parents[above]
		}
		if above == os.Getpid() && unix.Kill(pid, unix.SIGKILL) == nil {
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("no process watches over a command")
	}
}
