//go:build !race

// Programs are started that kill themselves: the race detector sees nothing of them.

package change_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// killedVariable has the test program make an operation and be killed at a call to the system.
// It is the folder for everything, the operation, and the number of the call.
const killedVariable = "FAIRLEAD_TEST_KILLED"

// TestKilledProcess is no test, but the process that is killed.
func TestKilledProcess(t *testing.T) {
	what := strings.Split(os.Getenv(killedVariable), ":")
	if len(what) != 3 {
		t.Skip("started by TestCHG02_SoakAKillAtAnyCallLosesNothing")
	}
	number, err := strconv.Atoi(what[1])
	must(t, err)
	at, err := strconv.Atoi(what[2])
	must(t, err)
	for _, dir := range []string{"data", "base"} {
		must(t, os.Mkdir(filepath.Join(what[0], dir), 0o755))
	}
	a := newAttempt(t, filepath.Join(what[0], "data"), filepath.Join(what[0], "base"), operations[number])
	report := cutReport{First: a.first, Before: a.before}
	tell := func() {
		text, err := json.Marshal(report)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(what[0], "report"), text, 0o600))
	}
	tell()
	f := faults{kind: powerCut, at: at, below: []string{a.folder, a.data}, cut: func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }}
	var failed error
	f.runWithFaults(t, func() { failed = a.do() })
	must(t, failed)
	report.Calls, report.After, report.Done = len(f.made), snapshot(t, a.folder), true
	tell()
	os.Exit(0) // as if it had been killed when all was done
}

// runUntilKilled makes an operation in a program of its own, in a folder, until a call.
func runUntilKilled(t *testing.T, dir string, number, at int) cutReport {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d:%d", killedVariable, dir, number, at))
	output, ended := cmd.CombinedOutput()
	text, err := os.ReadFile(filepath.Join(dir, "report"))
	must(t, err)
	var report cutReport
	must(t, json.Unmarshal(text, &report))
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !report.Done && (!ok || status.Signal() != syscall.SIGKILL) {
		t.Fatalf("%v\n%s", ended, output)
	}
	return report
}

// TestCHG02_SoakAKillAtAnyCallLosesNothing kills a program right before each call to the system in
// turn that changing a folder makes, and so before and after each line of the record.
func TestCHG02_SoakAKillAtAnyCallLosesNothing(t *testing.T) {
	each := 40 // of so many kills, one is tried in each run of the tests
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		each = 1
	}
	for number, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			whole := runUntilKilled(t, t.TempDir(), number, 0)
			kills := 0
			for at := 1 + rand.IntN(each); at <= whole.Calls+1; at += each { // the last one is none
				t.Run(fmt.Sprintf("before call %d", at), func(t *testing.T) {
					dir := t.TempDir()
					report := runUntilKilled(t, dir, number, at)
					a := &attempt{rig: &rig{t: t, data: filepath.Join(dir, "data"), folder: filepath.Join(dir, "base", "work")}}
					a.first, a.before = report.First, report.Before
					failed := errors.New("killed")
					if report.Done {
						failed = nil
					}
					a.startAgain(o, whole.After, failed)
				})
				kills++
			}
			t.Logf("%d kills at %d calls", kills, whole.Calls)
		})
	}
}
