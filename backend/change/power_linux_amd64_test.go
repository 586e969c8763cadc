//go:build !race

// Programs are started whose power is cut: the race detector sees nothing of them.

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
	"testing"

	"golang.org/x/sys/unix"

	"fairlead/backend/change/changetest"
)

// powerVariable has the test program run an operation until the power is cut. It is the folder
// where the file system is mounted, the operation, and the call at which that is.
const powerVariable = "FAIRLEAD_TEST_POWER"

// cutReport is what the program tells of a run.
type cutReport struct {
	First, Before, After map[string]entry
	// Calls counts those to the system, and Cut tells at which one the power was cut.
	Calls int
	Cut   string
	// Done reports whether the operation had ended well.
	Done bool
}

// TestCutProcess is no test, but the program whose power is cut.
func TestCutProcess(t *testing.T) {
	what := strings.Split(os.Getenv(powerVariable), ":")
	if len(what) != 3 {
		t.Skip("started by TestCHG02_SoakAPowerCutLosesNothing")
	}
	number, err := strconv.Atoi(what[1])
	must(t, err)
	at, err := strconv.Atoi(what[2])
	must(t, err)
	mounted := what[0]
	disk, err := os.Open(mounted)
	must(t, err)
	for _, dir := range []string{"data", "base"} {
		must(t, os.Mkdir(filepath.Join(mounted, dir), 0o755))
	}
	a := newAttempt(t, filepath.Join(mounted, "data"), filepath.Join(mounted, "base"), operations[number])
	must(t, unix.Syncfs(int(disk.Fd())))
	f := faults{kind: powerCut, at: at, below: []string{mounted}, cut: func() { changetest.CutPower(disk) }}
	if at == 0 {
		f.kind = noFault
	}
	var failed error
	f.runWithFaults(t, func() { failed = a.do() })
	report := cutReport{First: a.first, Before: a.before, Calls: len(f.made), Cut: f.failed, Done: failed == nil && f.failed == ""}
	if f.failed == "" {
		report.After = snapshot(t, a.folder)
		if at > 0 {
			changetest.CutPower(disk)
		}
	}
	text, err := json.Marshal(report)
	must(t, err)
	must(t, os.WriteFile(mounted+".report", text, 0o600))
	os.Exit(0) // what is open could not be closed
}

// runUntilCut runs an operation in a program of its own until a call to the system, and
// mounts the disk again.
func runUntilCut(t *testing.T, d *changetest.Disk, number, at int) cutReport {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, "-test.run=^TestCutProcess$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d:%d", powerVariable, d.Mounted, number, at))
	output, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(d.Mounted + ".report")
	if err := errors.Join(err, readErr); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var report cutReport
	must(t, json.Unmarshal(text, &report))
	d.MountAgain(t)
	return report
}

// TestCHG02_SoakAPowerCutLosesNothing cuts the power of a disk at calls to the system that
// changing a folder makes: what was not synced by then is lost.
func TestCHG02_SoakAPowerCutLosesNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may mount a file system whose power can be cut")
	}
	points := 27
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		points = 108
	}
	whole := make([]cutReport, len(operations))
	for i := range points {
		number := i % len(operations)
		if whole[number].Calls == 0 {
			whole[number] = runUntilCut(t, changetest.NewDisk(t, 32<<20), number, 0)
		}
		at := 1 + rand.IntN(whole[number].Calls+5) // the last ones come when all is done
		t.Run(fmt.Sprintf("%s at call %d", operations[number].name, at), func(t *testing.T) {
			d := changetest.NewDisk(t, 32<<20)
			report := runUntilCut(t, d, number, at)
			t.Logf("cut at %q", report.Cut)
			a := &attempt{rig: &rig{t: t, data: filepath.Join(d.Mounted, "data"), folder: filepath.Join(d.Mounted, "base", "work")}}
			a.first, a.before = report.First, report.Before
			var failed error
			if !report.Done {
				failed = errors.New(report.Cut)
			}
			a.startAgain(operations[number], whole[number].After, failed)
		})
	}
}
