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
	f := faults{kind: powerCut, at: at, below: []string{mounted}, cut: func() { cutPower(disk) }}
	if at == 0 {
		f.kind = noFault
	}
	var failed error
	f.runWithFaults(t, func() { failed = a.do() })
	report := cutReport{First: a.first, Before: a.before, Calls: len(f.made), Cut: f.failed, Done: failed == nil && f.failed == ""}
	if f.failed == "" {
		report.After = snapshot(t, a.folder)
		if at > 0 {
			cutPower(disk)
		}
	}
	text, err := json.Marshal(report)
	must(t, err)
	must(t, os.WriteFile(mounted+".report", text, 0o600))
	os.Exit(0) // what is open could not be closed
}

// cutPower has an ext4 file system write nothing any more, its log neither (EXT4_IOC_SHUTDOWN
// and EXT4_GOING_FLAGS_NOLOGFLUSH in fs/ext4/ext4.h).
func cutPower(disk *os.File) {
	const shutdown, withoutLog = 0x8004587d, 2
	if err := unix.IoctlSetPointerInt(int(disk.Fd()), shutdown, withoutLog); err != nil {
		panic(err)
	}
}

// disk is an ext4 file system in a file.
type disk struct{ image, mounted string }

func newDisk(t *testing.T) disk {
	t.Helper()
	base := t.TempDir()
	d := disk{filepath.Join(base, "image"), filepath.Join(base, "disk")}
	must(t, os.Mkdir(d.mounted, 0o700))
	must(t, os.WriteFile(d.image, nil, 0o600))
	must(t, os.Truncate(d.image, 32<<20))
	if output, err := exec.Command("mkfs.ext4", "-q", "-F", d.image).CombinedOutput(); err != nil {
		t.Skipf("no file system can be made: %v %s", err, output)
	}
	d.mount(t)
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", d.mounted).Run() })
	return d
}

func (d disk) mount(t *testing.T) {
	t.Helper()
	if output, err := exec.Command("mount", "-o", "loop", d.image, d.mounted).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %v %s", err, output)
	}
}

// runUntilCut runs an operation in a program of its own until a call to the system, and
// mounts the disk again.
func (d disk) runUntilCut(t *testing.T, number, at int) cutReport {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, "-test.run=^TestCutProcess$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d:%d", powerVariable, d.mounted, number, at))
	output, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(d.mounted + ".report")
	if err := errors.Join(err, readErr); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var report cutReport
	must(t, json.Unmarshal(text, &report))
	if output, err := exec.Command("umount", d.mounted).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	// A program elsewhere may have begun with a copy of all mounts, and hold this one a while:
	// of another image the system makes another file system.
	after := d.image + ".after"
	if output, err := exec.Command("cp", "--sparse=always", d.image, after).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	disk{after, d.mounted}.mount(t)
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
			whole[number] = newDisk(t).runUntilCut(t, number, 0)
		}
		at := 1 + rand.IntN(whole[number].Calls+5) // the last ones come when all is done
		t.Run(fmt.Sprintf("%s at call %d", operations[number].name, at), func(t *testing.T) {
			d := newDisk(t)
			report := d.runUntilCut(t, number, at)
			t.Logf("cut at %q", report.Cut)
			a := &attempt{rig: &rig{t: t, data: filepath.Join(d.mounted, "data"), folder: filepath.Join(d.mounted, "base", "work")}}
			a.first, a.before = report.First, report.Before
			var failed error
			if !report.Done {
				failed = errors.New(report.Cut)
			}
			a.startAgain(operations[number], whole[number].After, failed)
		})
	}
}
