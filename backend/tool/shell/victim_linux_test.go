package shell_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// victim is another process of the same user.
type victim struct {
	// pid is its process id.
	pid int
	// input and output are what it reads and answers.
	input  io.WriteCloser
	output *bufio.Reader
}

// startVictim starts a victim that has the lab's secret in its environment, its
// memory, an open file and its folder, and tells the command its pid, the address
// and the number of the file. It ends with the test.
func startVictim(t *testing.T, l *lab, how *syscall.SysProcAttr) *victim {
	t.Helper()
	folder := filepath.Join(l.home, "private")
	l.write(t, filepath.Join(folder, "secret"), l.secret)
	cmd := exec.Command(sandboxtest.Program("attack"), "victim")
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.SysProcAttr = folder, append(os.Environ(), "FAIRLEAD_TEST_VICTIM="+l.secret), os.Stderr, how
	input, err := cmd.StdinPipe()
	must(t, err)
	output, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // an attack may have ended it
		_ = cmd.Wait()         // it was killed
	})
	v := &victim{pid: cmd.Process.Pid, input: input, output: bufio.NewReader(output)}
	var own int
	var address uint64
	var fd int
	_, err = fmt.Fscanln(v.output, &own, &address, &fd)
	must(t, err)
	l.variables["pid"], l.variables["fd"] = fmt.Sprint(v.pid), fmt.Sprint(fd)
	l.variables["address"], l.variables["length"] = fmt.Sprint(address), fmt.Sprint(len(l.secret))
	return v
}

// lives reports whether the victim still answers. A signal that was sent reaches it
// before it does.
func (v *victim) lives() bool {
	if _, err := io.WriteString(v.input, "still there?\n"); err != nil {
		return false
	}
	_, err := v.output.ReadString('\n')
	return err == nil
}
