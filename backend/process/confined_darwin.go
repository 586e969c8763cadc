package process

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// confined is a shell under Seatbelt, and every process that stays in its group or can
// be traced back to it. One that left the group is lost when what started it has ended
// before anybody looked. Not verified: none of this has been tried on a Mac.
type confined struct {
	*unconfined
	// begun is where the shell says that it is confined and runs.
	begun *os.File

	mu sync.Mutex
	// known are the processes found so far: when they were started, by number.
	known map[int]int64
}

// startConfined starts a command in its space.
func startConfined(c Command, output *os.File) (tree, error) {
	arguments, err := c.Space.Arguments(c.Line, c.Network, c.Repositories)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotConfined, err)
	}
	c.Env = c.Space.Environment(c.Env)
	shell := exec.Command(arguments[0], arguments[1:]...)
	c.describe(shell, output)
	return startUnderProfile(shell)
}

// startUnderProfile starts a shell that says when it is confined.
func startUnderProfile(shell *exec.Cmd) (tree, error) {
	begun, say, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	defer say.Close()
	shell.ExtraFiles = []*os.File{say}
	plain, err := startSession(shell)
	if err != nil {
		begun.Close()
		return nil, fmt.Errorf("%w: %w", ErrNotConfined, err)
	}
	return &confined{unconfined: plain, begun: begun, known: map[int]int64{}}, nil
}

// terminateTree asks all processes of the tree to end.
func (t *confined) terminateTree() { t.signalTree(unix.SIGTERM) }

// killTree ends all processes of the tree.
func (t *confined) killTree() { t.signalTree(unix.SIGKILL) }

// signalTree sends a signal to the group, and to those that left it. Some may have been
// started meanwhile, so it looks a second time.
func (t *confined) signalTree(signal syscall.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	reached := map[int]bool{}
	first := t.listTree()
	t.signalGroup(signal)
	for _, p := range first {
		reached[p.pid] = true
		if p.group != t.groupID() {
			_ = unix.Kill(p.pid, signal) // it may have ended
		}
	}
	for _, p := range t.listTree() {
		if !reached[p.pid] {
			_ = unix.Kill(p.pid, signal)
		}
	}
}

// listTree finds the processes of the tree that there are now. The system does not say who
// they are where it fails to list them; the group can be reached all the same.
func (t *confined) listTree() []listed {
	kinds, err := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	if err != nil {
		return nil
	}
	list := make([]listed, len(kinds))
	for i, kind := range kinds {
		list[i] = listed{
			pid: int(kind.Proc.P_pid), parent: int(kind.Eproc.Ppid), group: int(kind.Eproc.Pgid),
			started: kind.Proc.P_starttime.Nano() / 1000,
		}
	}
	found := findFamily(list, t.groupID(), t.known)
	for _, p := range found {
		t.known[p.pid] = p.started
	}
	return found
}

// groupID is the number of the process group, which is that of the shell.
func (t *confined) groupID() int { return t.shell.Process.Pid }

// reapShell returns how the shell ended, or that it was never confined and so not run. Its
// end of the pipe is closed by now, whatever it started.
func (t *confined) reapShell() (code int, signal string, err error) {
	defer t.begun.Close()
	code, signal, err = t.unconfined.reapShell()
	if n, _ := t.begun.Read(make([]byte, 1)); n == 0 && signal == "" {
		return -1, "", fmt.Errorf("%w: sandbox-exec ended without it", ErrNotConfined)
	}
	return code, signal, err
}
