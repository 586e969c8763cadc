package supervisor

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// killTime bounds how long it is tried to kill processes that keep starting others.
const killTime = 2 * time.Second

// guards are the processes that a supervisor has started and not yet seen end.
type guards struct {
	mu      sync.Mutex
	running map[int]bool
}

// add notes a guard. The caller holds the lock, so that it is known before it can end.
func (g *guards) add(pid int) {
	if g.running == nil {
		g.running = map[int]bool{}
	}
	g.running[pid] = true
}

// remove forgets a guard and returns what kills the processes that it left behind:
// children of the supervisor that are no guards.
func (g *guards) remove(pid int) (strays func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, pid)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		killAll(0, func() []int {
			var left []int
			children := childrenOf()
			for _, child := range children[os.Getpid()] {
				if !g.running[child] {
					left = append(left, listBelow(children, child)...)
				}
			}
			return left
		})
	}
}

// killDescendants kills all processes below this one. As orphans come to it, none can
// get out of reach. How awaited ended is left for others to see.
func killDescendants(awaited int) {
	own := os.Getpid()
	killAll(awaited, func() []int {
		children := childrenOf()
		var all []int
		for _, child := range children[own] {
			all = append(all, listBelow(children, child)...)
		}
		return all
	})
}

// killAll kills processes until list finds none. One that forks meanwhile is kept from
// it first, so that the list gets shorter.
func killAll(awaited int, list func() []int) {
	own := unix.Getpgrp()
	for until := time.Now().Add(killTime); time.Now().Before(until); {
		pids := list()
		if len(pids) == 0 {
			return
		}
		killed := map[int]bool{own: true}
		for _, pid := range pids {
			_ = unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{}, nil)
			// A process that forks and ends at once is gone when its number is known; its
			// group is not. All groups here are of sessions that the guard has begun.
			if group, err := unix.Getpgid(pid); err == nil && !killed[group] {
				killed[group] = true // once, as that takes the system longer the more are in it
				_ = unix.Kill(-group, unix.SIGKILL)
			}
			_ = unix.Kill(pid, unix.SIGKILL) // it may have ended by itself
		}
		for _, pid := range pids {
			if pid != awaited {
				_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // those that are no children are others' to reap
			}
		}
	}
}

// signalDescendants sends a signal to all processes below this one.
func signalDescendants(signal unix.Signal) {
	children := childrenOf()
	for _, child := range children[os.Getpid()] {
		for _, pid := range listBelow(children, child) {
			_ = unix.Kill(pid, signal) // it may have ended by itself
		}
	}
}

// listBelow lists a process and all that descend from it.
func listBelow(children map[int][]int, pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// childrenOf lists the processes of the system by their parent.
func childrenOf() map[int][]int {
	children := map[int][]int{}
	for _, pid := range listProcesses() {
		if parent, err := parentOf(strconv.Itoa(pid)); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	return children
}

// listProcesses lists those that this one can see.
func listProcesses() []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // some are better than none
	var all []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// parentOf reads the parent of a process, the second field after its name, which is
// in parentheses and can hold anything (proc_pid_stat(5)).
func parentOf(pid string) (int, error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, errors.New("no parent")
	}
	return strconv.Atoi(string(fields[1]))
}
