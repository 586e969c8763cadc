package supervisor

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
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
			children := lookForChildren()
			for _, child := range children(os.Getpid()) {
				if !g.running[child] {
					left = append(left, listFrom(child, children)...)
				}
			}
			return left
		})
	}
}

// killDescendants kills all processes below this one. As orphans come to it, none can
// get out of reach. How awaited ended is left for others to see.
func killDescendants(awaited int) {
	// Where hundreds run, looking at each takes a while. The group of the shell, which most
	// are in, is ended before.
	killEach(lookForChildren()(os.Getpid()))
	killAll(awaited, listDescendants)
}

// killAll kills processes until list finds none.
func killAll(awaited int, list func() []int) {
	for until := time.Now().Add(killTime); time.Now().Before(until); {
		pids := list()
		if len(pids) == 0 {
			return
		}
		killEach(pids)
		for _, pid := range pids {
			if pid != awaited {
				_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // those that are no children are others' to reap
			}
		}
	}
}

// killEach kills processes with their groups. One that forks meanwhile is kept from it
// first, so that the next list is shorter.
func killEach(pids []int) {
	killed := map[int]bool{unix.Getpgrp(): true}
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
}

// signalDescendants sends a signal to all processes below this one.
func signalDescendants(signal unix.Signal) {
	for _, pid := range listDescendants() {
		_ = unix.Kill(pid, signal) // it may have ended by itself
	}
}

// listDescendants lists all processes below this one.
func listDescendants() []int {
	return listFrom(os.Getpid(), lookForChildren())[1:]
}

// listFrom lists a process and all that descend from it. It ends with twice as many as
// a command may have: those that fork faster than this can read are killed a part at a time.
func listFrom(pid int, children func(pid int) []int) []int {
	all := []int{pid}
	for i := 0; i < len(all) && len(all) <= 2*maxProcesses; i++ {
		all = append(all, children(all[i])...)
	}
	return all
}

// lookForChildren returns what tells the children of a process. Most systems have a list
// for each, so that it does not matter how many other processes there are; on the others
// all are looked at, once.
func lookForChildren() func(pid int) []int {
	if hasChildrenLists() {
		return readChildren
	}
	children := sortByParent()
	return func(pid int) []int { return children[pid] }
}

// hasChildrenLists reports whether the kernel was built with them (CONFIG_PROC_CHILDREN).
var hasChildrenLists = sync.OnceValue(func() bool {
	_, err := os.Stat("/proc/thread-self/children")
	return err == nil
})

// readChildren lists the children of a process from the lists that its threads have
// (proc_tid_children(5)). Such a list can lack some while others end, but is never empty
// while there are any.
func readChildren(pid int) []int {
	threads := listNumbers(fmt.Sprintf("/proc/%d/task", pid))
	var all []int
	// Orphans come to the first thread. As it is read last, none is missed on its way there.
	for _, thread := range slices.Backward(threads) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, thread)) // it may have ended
		for field := range bytes.FieldsSeq(text) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// sortByParent lists the processes of the system by their parent.
func sortByParent() map[int][]int {
	children := map[int][]int{}
	for _, pid := range listProcesses() {
		if parent, err := parentOf(strconv.Itoa(pid)); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	return children
}

// listProcesses lists those that this one can see.
func listProcesses() []int { return listNumbers("/proc") }

// listNumbers lists the processes or threads that have a folder in one of the system's.
func listNumbers(dir string) []int {
	folder, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1) // some are better than none
	var all []int
	for _, name := range names {
		if number, err := strconv.Atoi(name); err == nil {
			all = append(all, number)
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
