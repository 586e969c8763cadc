//go:build e2e && linux

package native

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// proc is a process as /proc shows it.
type proc struct {
	pid int
	// arguments and environment are separated by zero bytes.
	arguments, environment []byte
}

func (p proc) String() string {
	return strconv.Itoa(p.pid) + " " + strings.ReplaceAll(string(p.arguments), "\x00", " ")
}

// processes lists the processes that say something in their arguments or their
// environment. The test itself is not one of them.
func processes(says string) []proc {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well formed
	var found []proc
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder)) // digits
		if pid == os.Getpid() {
			continue
		}
		one := proc{pid: pid}
		// One that has ended since, or is another's, has neither.
		one.arguments, _ = os.ReadFile(filepath.Join(folder, "cmdline"))
		one.environment, _ = os.ReadFile(filepath.Join(folder, "environ"))
		if bytes.Contains(one.arguments, []byte(says)) || bytes.Contains(one.environment, []byte(says)) {
			found = append(found, one)
		}
	}
	return found
}

// pause is the time between two looks at what nobody tells of.
func pause() { <-time.After(20 * time.Millisecond) }

// eventually waits until something has come to pass that nobody tells of.
func eventually(t *testing.T, what string, patience time.Duration, passed func() bool) {
	t.Helper()
	limit := time.Now().Add(patience)
	for !passed() {
		if time.Now().After(limit) {
			t.Fatalf("not within %v: %s", patience, what)
		}
		pause()
	}
}
