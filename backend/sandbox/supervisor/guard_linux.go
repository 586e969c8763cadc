package supervisor

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// runGuard is the process of one command. It confines itself in this order:
//
//  1. a view of the file system that holds what the command may see, and of that
//     only the workspace and the private folders writable (root_linux.go); hooks and
//     settings of git are read-only in it (git_linux.go)
//  2. limits on processes and memory dumps
//  3. on one thread, from which the shell is started: no new privileges, no
//     capabilities, the filter of system calls, and Landlock
//
// The other threads stay as they are, because the thread that kills the command must not be
// in its reach. What does not depend on the command is done before it comes. Whatever
// fails, the command does not run.
func runGuard(namespaces bool) int {
	offerFirst()
	if err := prepareProcess(); err != nil {
		sendReport(controlFD, failureReport("prepare the guard", err))
		return Failed
	}
	control := os.NewFile(controlFD, "control")
	g := &guarded{orders: control}
	if err := Read(control, &g.Place); err != nil {
		sendReport(controlFD, failureReport("read where to run", err))
		return Failed
	}
	g.Locks.Namespaces = namespaces
	if err := g.prepareGuard(); err != nil {
		sendReport(controlFD, failureReport("confine the command", err))
		return Failed
	}
	_, files, err := receiveWord(controlFD)
	if err != nil {
		return 0 // it was not needed
	}
	g.files = files
	if err := g.readSpec(control); err != nil {
		sendReport(controlFD, failureReport("read what to run", err))
		return Failed
	}
	if err := g.confineProcess(); err != nil {
		sendReport(controlFD, failureReport("confine the command", err))
		return Failed
	}
	if g.Probe != nil {
		return g.reportProbe()
	}
	sendReport(controlFD, Report{Begun: true})
	g.offerListeners()
	shell, err := g.startShell()
	if err != nil {
		sendReport(controlFD, failureReport("start the program", err))
		return Failed
	}
	go g.followOrders(shell)
	stop := make(chan struct{})
	go g.watchUsage(shell, stop)
	status := awaitShell(shell)
	close(stop)
	g.killRest(0)
	if g.isCopy() {
		reapAll() // what is still alive could write to it
	}
	sendReport(controlFD, g.endReport(status))
	return 0
}

// readSpec reads what to run, for which the files have come.
func (g *guarded) readSpec(from io.Reader) error {
	if err := Read(from, &g.Spec); err != nil {
		return err
	}
	want := 1
	if len(g.Arguments) > 0 {
		want = mostFiles
	}
	if len(g.files) != want {
		return fmt.Errorf("%d files came, and %d are needed", len(g.files), want)
	}
	return nil
}

// guarded is a command with what confines it.
type guarded struct {
	Place
	Spec
	// files are where the command writes, or the input, output and errors of a server.
	files []int
	// orders are what it is told while it runs.
	orders io.Reader
	// listeners are those of Hosts.
	listeners []int
	// bounds are what it may use.
	bounds bounds
	// copyMount is the overlay, not yet in any place, and copyFault why there is none.
	copyMount int
	copyFault error
	// covers is the folder of what lies over Cover, 0 for none.
	covers int
	// rules are those of Landlock so far, and sealed is the thread that is under the other
	// locks.
	rules  ruleSet
	sealed chan func(fault error)
}

// isCopy reports whether the command sees a copy of the workspace.
func (g *guarded) isCopy() bool { return g.Copied || g.Draft }

// prepareGuard does what does not depend on the command.
func (g *guarded) prepareGuard() error {
	if g.Locks.Namespaces {
		if err := g.beginRoot(); err != nil {
			return err
		}
		if err := g.showHosts(); err != nil {
			return err
		}
	}
	if g.Overlay != "" {
		// Nothing is looked up in it before the command begins, which sees the workspace as it
		// is then.
		g.copyMount, g.copyFault = openOverlay(g.Workspace, g.Overlay, overlayOptions)
	}
	if err := g.beginRules(); err != nil {
		return err
	}
	g.sealThread()
	return nil
}

// confineProcess does what holds for the whole process.
func (g *guarded) confineProcess() error {
	if err := g.setBounds(); err != nil {
		return err
	}
	if g.Locks.Namespaces {
		if err := g.newRoot(); err != nil {
			return err
		}
	}
	return g.setLimits()
}

// setBounds sets what the command may use. How many processes it has is counted only where
// the system does not (limit).
func (g *guarded) setBounds() error {
	if g.Memory == 0 {
		all, err := systemMemory()
		if err != nil {
			return err
		}
		g.Memory = all / ownPart
	}
	g.bounds.memory = g.Memory
	if !g.Locks.Namespaces {
		g.bounds.threads = maxProcesses
	}
	return nil
}

// setLimits sets limits that the command inherits. Without a user namespace of its own the
// user's other processes would count. None is on the size of a file or of the address
// space: the race detector, sanitizers, V8 and Java reserve far more than they use.
func (g *guarded) setLimits() error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0}
	if g.Locks.Namespaces {
		limits[unix.RLIMIT_NPROC] = maxProcesses
	}
	for what, most := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return fmt.Errorf("read limit %d: %w", what, err)
		}
		now.Max = min(now.Max, most)
		now.Cur = min(now.Cur, now.Max)
		if err := unix.Setrlimit(what, &now); err != nil {
			return fmt.Errorf("set limit %d: %w", what, err)
		}
	}
	return nil
}

// startShell starts the shell from a thread that is confined first and used for
// nothing else: it ends with its goroutine.
func (g *guarded) startShell() (pid int, err error) {
	g.onSealedThread(func(fault error) {
		if fault != nil {
			err = fault
			return
		}
		if g.isCopy() {
			listener, fault := listenForRenames()
			if fault != nil {
				err = fault
				return
			}
			go g.answerRenames(listener)
		}
		program, arguments, streams := g.describeProgram()
		pid, err = syscall.ForkExec(program, arguments, &syscall.ProcAttr{
			Dir: g.Dir, Env: g.Env, Files: streams, Sys: &syscall.SysProcAttr{Setsid: true},
		})
		if err != nil {
			err = fmt.Errorf("run %s in %s: %w", program, g.Dir, err)
		}
	})
	if err != nil {
		return 0, err
	}
	// The files are the command's alone now: its end is the end of the output.
	if !g.Renewed {
		dropEverywhere()
	}
	for _, file := range g.files {
		if err := unix.Close(file); err != nil {
			return 0, err
		}
	}
	return pid, nil
}

// describeProgram returns what is started, and its input, output and errors.
func (g *guarded) describeProgram() (program string, arguments []string, streams []uintptr) {
	if len(g.Arguments) == 0 {
		output := uintptr(g.files[0])
		return "/bin/sh", []string{"sh", "-c", g.Line}, []uintptr{0, output, output}
	}
	for _, file := range g.files {
		streams = append(streams, uintptr(file))
	}
	return g.Arguments[0], g.Arguments, streams
}

// sealThread confines a thread, which is used once and ends with its goroutine, because
// that is never unlocked from it.
func (g *guarded) sealThread() {
	g.sealed = make(chan func(error))
	go func() {
		runtime.LockOSThread()
		fault := g.confineThread()
		(<-g.sealed)(fault)
	}()
}

// onSealedThread calls do on the thread that is confined, or could not be.
func (g *guarded) onSealedThread(do func(fault error)) {
	done := make(chan struct{})
	g.sealed <- func(fault error) {
		defer close(done)
		if fault == nil {
			fault = g.applyLandlock()
		}
		do(fault)
	}
	<-done
}

// confineThread confines the calling thread, but for Landlock.
func (g *guarded) confineThread() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("refuse new privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if g.Locks.Seccomp {
		return g.applySeccomp()
	}
	return nil
}

// followOrders takes orders until nobody gives any more, and then ends everything.
func (g *guarded) followOrders(shell int) {
	order := make([]byte, 1)
	for {
		n, err := g.orders.Read(order)
		switch {
		case n == 1 && order[0] == OrderTerminate:
			g.terminateAll()
		case n == 1 && order[0] == OrderKill:
			g.killRest(shell)
		case n == 1 && order[0] == OrderProtect:
			g.renewProtection()
		case err != nil:
			g.killRest(shell)
			if g.Locks.Namespaces {
				os.Exit(0) // the system kills whatever is left of the namespace
			}
			return
		}
	}
}

// terminateAll asks all processes of the command to end.
func (g *guarded) terminateAll() {
	if g.Locks.Namespaces {
		_ = unix.Kill(-1, unix.SIGTERM) // nobody may be left
		return
	}
	signalDescendants(unix.SIGTERM)
}

// killRest kills all processes of the command, and leaves the one awaited to be seen.
// In a process namespace of its own the system does so at one blow.
func (g *guarded) killRest(awaited int) {
	if g.Locks.Namespaces {
		_ = unix.Kill(-1, unix.SIGKILL) // nobody may be left
		return
	}
	killDescendants(awaited)
}

// awaitShell waits for the end of the shell and meanwhile takes ended orphans off the
// system's list.
func awaitShell(shell int) unix.WaitStatus {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case pid == shell:
			return status
		case err != nil && !errors.Is(err, unix.EINTR):
			return status
		}
	}
}

// reapAll waits until no process of the command is left.
func reapAll() {
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// endReport is the report of how the shell ended.
func (g *guarded) endReport(status unix.WaitStatus) Report {
	r := Report{Ended: true, Code: status.ExitStatus(), Processor: endedProcessor(), Opened: g.openedCovers()}
	if status.Signaled() {
		r.Code, r.Signal = -1, int(status.Signal())
	}
	if used := g.bounds.broken.Load(); used != nil {
		r.Exceeded = &Exceeded{
			Memory: used.memory, MostMemory: g.bounds.memory, Processes: used.threads, MostProcesses: g.bounds.threads,
			Processor: used.processor, MostProcessor: g.MostProcessor,
		}
	}
	return r
}
