package supervisor

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guardVerb is what Verb is, for the guard of one command.
const guardVerb = "fairlead-guard"

// controlFD is where a supervisor and a guard find their connection.
const controlFD = 3

// The third argument of a supervisor, where namespaces are in use.
const (
	// MakeNamespaces has it start another supervisor in namespaces of its own, because
	// Fairlead cannot: a process that is closed to others can give its children no
	// place in a user namespace.
	MakeNamespaces = "make-namespaces"
	// inNamespaces says that it is the other one, or one of its guards.
	inNamespaces = "in-namespaces"
)

// init takes over where the program was started as a supervisor or a guard.
func init() {
	if len(os.Args) < 3 || os.Args[2] != Protocol {
		return
	}
	if os.Args[1] == Verb || os.Args[1] == guardVerb {
		nameProcess(os.Args[1])
	}
	namespaces := ""
	if len(os.Args) > 3 {
		namespaces = os.Args[3]
	}
	switch {
	case os.Args[1] == guardVerb:
		os.Exit(runGuard(namespaces == inNamespaces))
	case os.Args[1] != Verb:
	case namespaces == MakeNamespaces:
		os.Exit(moveIn())
	default:
		os.Exit(serve(namespaces == inNamespaces))
	}
}

// nameProcess names the process in lists of processes, which show the first 15 bytes. It
// was started from a descriptor, whose number would be its name.
func nameProcess(name string) {
	text, err := unix.BytePtrFromString(name)
	if err == nil {
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(text)), 0, 0, 0) // it runs as well without
	}
}

// supervisor is the process that a session's commands belong to.
type supervisor struct {
	namespaces bool
	// null is the null device, which is the input of every command.
	null int
	// guards are the processes of the commands that run.
	guards guards
}

// serve is the supervisor's whole life. It returns when Fairlead is gone or wants no
// more commands.
func serve(namespaces bool) int {
	s := &supervisor{namespaces: namespaces}
	apart, connected, err := s.open()
	if err != nil {
		return reportRefusal(err)
	}
	// The first word says that all of this worked.
	if err := unix.Sendto(controlFD, []byte{StartApart}, unix.MSG_NOSIGNAL, nil); err != nil {
		return Failed
	}
	for {
		kind, files, err := receiveWord(controlFD)
		if err != nil || len(files) != 1 {
			break
		}
		guard := files[0]
		switch kind {
		case StartApart:
			apart <- guard
		case OpenDraft:
			offerDraft(guard)
		default:
			connected <- guard
		}
	}
	if !namespaces {
		killDescendants(0)
	}
	return 0
}

// reportRefusal tells Fairlead why there is no supervisor.
func reportRefusal(err error) int {
	_ = unix.Sendto(controlFD, []byte(err.Error()), unix.MSG_NOSIGNAL, nil) // the process that asked may be gone
	return Failed
}

// moveIn starts the supervisor in namespaces of its own and ends with it.
func moveIn() int {
	//nolint:gosec // this program, with arguments of its own
	pid, err := syscall.ForkExec("/proc/self/exe", []string{os.Args[0], Verb, Protocol, inNamespaces}, &syscall.ProcAttr{
		Dir: "/", Env: os.Environ(), Files: []uintptr{0, 1, 2, controlFD},
		Sys: &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
			AmbientCaps: capabilities,
			// This is the main thread, which stays until the end.
			Pdeathsig: syscall.SIGKILL,
		},
	})
	if err != nil {
		return reportRefusal(fmt.Errorf("make namespaces: %w", err))
	}
	// The end of the other one is to be the end of the connection. A lock of a draft, which is
	// open too, is held until the other one has ended with all that it started.
	if err := unix.Close(controlFD); err != nil {
		return Failed
	}
	var status unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &status, 0, nil); !errors.Is(err, unix.EINTR) {
			return status.ExitStatus()
		}
	}
}

// open prepares the process and its two spawners, which are the same where there are
// no namespaces.
func (s *supervisor) open() (apart, connected chan int, err error) {
	if err := prepareProcess(); err != nil {
		return nil, nil, err
	}
	if s.null, err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return nil, nil, fmt.Errorf("open the null device: %w", err)
	}
	connected = make(chan int)
	if !s.namespaces {
		go s.spawnGuards(connected, nil, nil)
		return connected, connected, nil
	}
	if err := systemRoot(); err != nil {
		return nil, nil, err
	}
	apart = make(chan int)
	entered := make(chan error, 1)
	go s.spawnGuards(connected, nil, nil)
	go s.spawnGuards(apart, ownNetwork, entered)
	return apart, connected, <-entered
}

// prepareProcess makes the process what every supervisor and every guard is: closed to others,
// without files that Fairlead left open, and the one to whom orphans come.
func prepareProcess() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("close the process to others: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("take in orphans: %w", err)
	}
	const last = ^uint32(0)
	if err := unix.CloseRange(controlFD, uint(last), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close what was left open: %w", err)
	}
	return nil
}

// mostFiles is how many files come with a word at most: the three of a server.
const mostFiles = 3

// receiveWord waits for a word with files. Its end is an error.
func receiveWord(from int) (word byte, files []int, err error) {
	words, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4*mostFiles))
	for {
		n, length, _, _, err := unix.Recvmsg(from, words, rights, unix.MSG_CMSG_CLOEXEC)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			return 0, nil, errors.Join(errors.New("nobody is there"), err)
		}
		messages, err := unix.ParseSocketControlMessage(rights[:length])
		if err != nil || len(messages) != 1 {
			return 0, nil, errors.Join(errors.New("no file came"), err)
		}
		files, err := unix.ParseUnixRights(&messages[0])
		return words[0], files, err
	}
}

// spawnGuards starts guards from a thread of its own, whose network they inherit.
func (s *supervisor) spawnGuards(requests <-chan int, enter func() error, entered chan<- error) {
	runtime.LockOSThread()
	if enter != nil {
		err := enter()
		entered <- err
		if err != nil {
			return
		}
	}
	for control := range requests {
		pid, err := s.start(control)
		if err != nil {
			sendReport(control, failureReport("start the guard", err))
		} else {
			go s.awaitGuard(pid)
		}
		unix.Close(control)
	}
}

// start starts this program once more, as the guard of a command.
func (s *supervisor) start(control int) (pid int, err error) {
	s.guards.mu.Lock()
	defer s.guards.mu.Unlock()
	attributes := &syscall.ProcAttr{
		// A guard does one thing at a time, and a Go program that is to use one processor starts
		// in a fifth less of processor time.
		Env:   append(os.Environ(), "GOMAXPROCS=1"),
		Files: []uintptr{uintptr(s.null), uintptr(s.null), uintptr(s.null), uintptr(control)},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	arguments := []string{os.Args[0], guardVerb, Protocol}
	if s.namespaces {
		attributes.Sys.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC
		arguments = append(arguments, inNamespaces)
	}
	pid, err = syscall.ForkExec("/proc/self/exe", arguments, attributes) //nolint:gosec // this program, with arguments of its own
	if err == nil {
		s.guards.add(pid)
	}
	return pid, err
}

// awaitGuard waits for the end of a guard. Where no namespace ends with it, what it left
// has come to the supervisor.
func (s *supervisor) awaitGuard(pid int) {
	var status unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &status, 0, nil); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if strays := s.guards.remove(pid); !s.namespaces && status.ExitStatus() != 0 {
		strays()
	}
}

// failureReport is the report of an error.
func failureReport(doing string, err error) Report {
	r := Report{Failed: fmt.Sprintf("%s: %v", doing, err)}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		r.Errno = int(errno)
	}
	return r
}

// sendReport tells Fairlead, which may be gone.
func sendReport(control int, r Report) {
	_ = Write(Connection(control), &r) // there is nobody else to tell
}
