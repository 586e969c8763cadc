//go:build linux && !race

// Programs are started to be killed: the race detector would make each start slow, and sees
// nothing of them.

package change_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"fairlead/backend/change"
)

// crashVariable has the test program change a folder until it is killed: it is the folder
// with the data, in which the folder of work lies too.
const crashVariable = "FAIRLEAD_TEST_CRASH"

// TestCrashingProcess is no test, but the process that is killed.
func TestCrashingProcess(t *testing.T) {
	data := os.Getenv(crashVariable)
	if data == "" {
		t.Skip("started by TestCHG02_SoakAfterAKillEachChangeIsMadeOrNot")
	}
	r := openRig(t, data)
	fmt.Println("begun")
	for i := 0; ; i++ {
		r.write("a.txt", fmt.Sprintf("written %d\n", i))
		r.write("new/deep/file.txt", fmt.Sprintf("new %d\n", i))
		r.move("sub/b.txt", "moved/b.txt")
		r.delete("sub")
		r.write("linked.txt", fmt.Sprintf("other %d\n", i))
		r.run("echo more >>run.sh && rm link && mkdir -p c && echo c >c/d")
		must(t, r.applying()())
		r.undo(change.Scope{})
		r.redo(change.Scope{})
		r.undo(change.Scope{})
	}
}

// kill starts a process that changes the folder, and kills it after a while.
func kill(t *testing.T, data string, after time.Duration) {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, "-test.run=^TestCrashingProcess$", "-test.v")
	cmd.Env = append(os.Environ(), crashVariable+"="+data)
	// Its commands end with it, as Fairlead's do.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	output, err := cmd.StdoutPipe()
	must(t, err)
	cmd.Stderr = os.Stderr
	must(t, cmd.Start())
	text := make([]byte, 64)
	for seen := ""; len(seen) < 6 || seen[len(seen)-6:] != "begun\n"; {
		n, err := output.Read(text[:1])
		if err != nil {
			rest, _ := io.ReadAll(output)
			t.Fatalf("it ended: %s%s", seen, rest)
		}
		seen += string(text[:n])
	}
	var ended []byte
	read := make(chan struct{})
	go func() { ended, _ = io.ReadAll(output); close(read) }()
	select {
	case <-time.After(after):
	case <-read:
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-read
	if err := cmd.Wait(); err == nil || len(ended) > 0 {
		t.Fatalf("it ended by itself: %v\n%s", err, ended)
	}
}

func TestCHG02_SoakAfterAKillEachChangeIsMadeOrNot(t *testing.T) {
	kills := 40
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		kills = 200
	}
	data := t.TempDir()
	r := newRigIn(t, data)
	r.fill()
	before := snapshot(t, r.folder)
	must(t, r.journal.Close())
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	for i := range kills {
		kill(t, data, time.Duration(random.IntN(60_000))*time.Microsecond)
		func() {
			r := openRig(t, data)
			defer r.close()
			must(t, r.Recover(t.Context()))
			r.agrees()
			// Whatever was made was recorded: when it is taken back, all is as it was.
			if done := r.undo(change.Scope{}); len(done.Kept) > 0 {
				t.Fatalf("kill %d: kept %+v", i, done.Kept)
			}
			r.sameFiles(before)
			r.agrees()
		}()
	}
	entries, err := os.ReadDir(filepath.Dir(r.folder))
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("left beside the folder are %v", entries)
	}
}
