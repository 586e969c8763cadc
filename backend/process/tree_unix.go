//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// unconfined is a shell and every process that stays in its process group.
type unconfined struct {
	shell *exec.Cmd
}

// startPlain starts the shell as it is.
func startPlain(c Command, output *os.File) (tree, error) {
	shell := exec.Command("/bin/sh", "-c", c.Line)
	c.describe(shell, output)
	t, err := startSession(shell)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// describe says where the shell of a command runs. Output and errors go into one pipe, so that
// they keep their order, and there is no input: the null device.
func (c Command) describe(shell *exec.Cmd, output *os.File) {
	shell.Dir, shell.Env = c.Dir, c.Env
	shell.Stdout, shell.Stderr = output, output
}

// startSession starts a shell in a session of its own. That gives it a process group
// to be killed by, and takes the terminal away: a program that wants to ask for
// a password there fails at once instead of waiting.
func startSession(shell *exec.Cmd) (*unconfined, error) {
	shell.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := shell.Start(); err != nil {
		return nil, err
	}
	return &unconfined{shell}, nil
}

// terminateTree asks all processes of the tree to end.
func (t *unconfined) terminateTree() { t.signalGroup(unix.SIGTERM) }

// killTree ends all processes of the tree.
func (t *unconfined) killTree() { t.signalGroup(unix.SIGKILL) }

// signalGroup reaches the whole group. It can only fail because nobody is left.
func (t *unconfined) signalGroup(signal syscall.Signal) {
	_ = unix.Kill(-t.shell.Process.Pid, signal)
}

// reapShell returns how the shell ended. It is called once, after await.
func (t *unconfined) reapShell() (code int, signal string, err error) {
	t.collectShell()
	state := t.shell.ProcessState
	if state == nil {
		return -1, "", nil
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		signal = unix.SignalName(status.Signal())
	}
	return state.ExitCode(), signal, nil
}
