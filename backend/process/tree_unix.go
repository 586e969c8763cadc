//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// tree is a shell and every process that stays in its process group.
type tree struct {
	shell *exec.Cmd
}

// start starts the shell in a session of its own. That gives it a process group
// to be killed by, and takes the terminal away: a program that wants to ask for
// a password there fails at once instead of waiting.
func start(c Command) (*tree, *os.File, error) {
	shell := exec.Command("/bin/sh", "-c", c.Line)
	shell.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := launch(shell, c)
	if err != nil {
		return nil, nil, err
	}
	return &tree{shell}, pipe, nil
}

// terminate asks all processes of the tree to end.
func (t *tree) terminate() { t.signal(unix.SIGTERM) }

// kill ends all processes of the tree.
func (t *tree) kill() { t.signal(unix.SIGKILL) }

// signal reaches the whole group. It can only fail because nobody is left.
func (t *tree) signal(signal syscall.Signal) {
	_ = unix.Kill(-t.shell.Process.Pid, signal)
}

// reap returns how the shell ended. It is called once, after await.
func (t *tree) reap() (code int, signal string) {
	t.collect()
	state := t.shell.ProcessState
	if state == nil {
		return -1, ""
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		signal = unix.SignalName(status.Signal())
	}
	return state.ExitCode(), signal
}
