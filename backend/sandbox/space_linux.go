package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"sync"
	"syscall"
	"time"

	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/supervisor"

	"golang.org/x/sys/unix"
)

// idle is how long the supervisor stays when nothing runs. Commands that follow one another
// find it running. A longer wait is for a model or the user, and what starting it anew
// adds to that is not seen; the memory of two programs would be.
const idle = 5 * time.Second

// Space is one session's place for commands. It is safe for concurrent use.
type Space struct {
	place Place
	locks supervisor.Locks
	// program is the one that becomes the supervisor; nil where nothing confines.
	program *os.File
	// held says that the private folders are in use.
	held *os.File
	// git is what commands get of the user's settings of git.
	git *gitCopy

	mu sync.Mutex
	// link is the connection to the supervisor, and spare the one to a guard that waits
	// for a command at spareAt; each is -1 while there is none.
	link, spare int
	spareAt     supervisor.Place
	closed      bool
	// draftLock is held while the draft may be mounted; nil before it is. drafted is how many
	// bytes were in it when they were counted last.
	draftLock *os.File
	drafted   uint64
	budget    budget
	// running counts the running commands. When there is none, the timer runs.
	running int
	timer   *time.Timer
	// gone waits until the supervisors have ended.
	gone sync.WaitGroup
}

// start starts a supervisor. The caller holds the lock.
func (s *Space) start() error {
	if s.place.Draft != "" && s.draftLock == nil {
		return errors.New("the draft is not open")
	}
	if s.program == nil {
		return errors.New("the program that starts commands could not be opened when Fairlead started")
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("make a connection: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "control")
	defer theirs.Close()
	started := &exec.Cmd{
		Path: fmt.Sprintf("/proc/self/fd/%d", s.program.Fd()), Args: []string{"fairlead", supervisor.Verb, supervisor.Protocol},
		// No variable of Fairlead's own: keys can be among them. This one is read by
		// builds with the race detector alone, which would wait a second at their end.
		Env: []string{"GORACE=atexit_sleep_ms=0"}, Dir: "/", ExtraFiles: []*os.File{theirs},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if s.locks.Namespaces {
		started.Args = append(started.Args, supervisor.MakeNamespaces)
	}
	if s.draftLock != nil {
		started.ExtraFiles = append(started.ExtraFiles, s.draftLock)
	}
	err = started.Start()
	runtime.KeepAlive(s.program)
	if err != nil {
		unix.Close(pair[0])
		return fmt.Errorf("start %s: %w", s.program.Name(), err)
	}
	s.gone.Go(func() { _ = started.Wait() }) // what went wrong is said on the connection
	theirs.Close()
	if err := waitForGreeting(pair[0]); err != nil {
		unix.Close(pair[0])
		return err
	}
	s.link = pair[0]
	return nil
}

// waitForGreeting waits for the supervisor's first word.
func waitForGreeting(link int) error {
	word := make([]byte, 4096)
	for {
		n, err := unix.Read(link, word)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return fmt.Errorf("hear from the supervisor: %w", err)
		case n == 0:
			return errors.New("the supervisor ended without a word: is its program of this version?")
		case n == 1 && word[0] == supervisor.StartApart:
			return nil
		default:
			return errors.New(string(word[:n]))
		}
	}
}

// Start starts a command, which writes into output; the caller keeps its own copy of
// that and closes it. Whatever keeps the command from being confined is the error of
// Process.Result: it is not run then.
func (s *Space) Start(c Command, output *os.File) (*Process, error) {
	at, spec := s.placeFor(c.Network), supervisor.Spec{
		Line: c.Line, Dir: c.Dir, Env: c.Env, Repositories: c.Repositories, Copied: c.Overlay != "", Cover: c.Cover,
	}
	at.Overlay = c.Overlay
	var wrote *growth
	if grows := cmp.Or(c.Overlay, s.place.Draft); grows != "" {
		wrote = newGrowth(grows)
		s.mu.Lock()
		processor, written := s.budget.allot(c.Run, wrote.free)
		wrote.before = s.drafted
		s.mu.Unlock()
		spec.MostProcessor, wrote.most = uint64(processor), written //nolint:gosec // never negative
	}
	next := c.NextOverlay
	if next == nil {
		next = func() string { return "" }
	}
	if !c.Network || !s.locks.Namespaces {
		return s.startCommand(at, spec, output, wrote, next, func() {})
	}
	// What a command without the network has left in its home, such as settings that name
	// programs, is not for one that has it.
	fresh, err := s.place.freshHome()
	if err != nil {
		return nil, &SetUpError{err}
	}
	at.OwnHome = fresh
	discard := func() { _ = RemoveAll(fresh) } // what is left of it goes with the session
	p, err := s.startCommand(at, spec, output, wrote, next, discard)
	if err != nil {
		discard()
	}
	return p, err
}

// startCommand has a guard carry out what it is told, and calls after when it has ended. next
// returns the overlay of the command that follows.
func (s *Space) startCommand(
	at supervisor.Place, spec supervisor.Spec, output *os.File, wrote *growth, next func() string, after func(),
) (*Process, error) {
	control, err := s.takeGuard(at)
	if err != nil {
		return nil, &SetUpError{err}
	}
	told := sendFiles(control, output)
	p := newProcess(control)
	if wrote != nil {
		go wrote.watch(p)
	}
	go func() {
		defer close(p.done)
		if told == nil { // else the guard has failed, and has said why
			told = supervisor.Write(p.control, &spec)
		}
		// Starting the next guard takes longer than all that is left to do for this command,
		// which is not to wait for it.
		if spec.Probe == nil { // nothing comes after that
			s.startSpare(next)
		}
		p.followReports(told)
		p.control.Close()
		after()
		s.countEnd(p, wrote)
	}()
	return p, nil
}

// sendFiles gives a guard the files of what it is to run.
func sendFiles(control int, files ...*os.File) error {
	var fds []int
	for _, file := range files {
		fds = append(fds, int(file.Fd()))
	}
	err := unix.Sendmsg(control, []byte{supervisor.StartApart}, unix.UnixRights(fds...), nil, unix.MSG_NOSIGNAL)
	runtime.KeepAlive(files)
	return err
}

// countEnd counts a command that is over, and what it used.
func (s *Space) countEnd(p *Process, wrote *growth) {
	var written uint64
	if wrote != nil {
		written = wrote.end()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if wrote != nil {
		s.budget.used.processor += time.Duration(p.report.Processor) //nolint:gosec // the guard's
		s.budget.used.written += written - min(written, wrote.before)
		if s.place.Draft != "" && written > 0 {
			s.drafted = written
		}
	}
	s.running--
	if s.running == 0 && !s.closed {
		s.timer.Reset(idle)
	}
}

// stopIdle ends the supervisor and its guard, if nothing runs. The next command starts them anew.
func (s *Space) stopIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == 0 && s.draftLock == nil {
		s.hangUp()
	}
}

// hangUp closes the connections, which ends the supervisor and all below it. The caller
// holds the lock.
func (s *Space) hangUp() {
	for _, fd := range []*int{&s.link, &s.spare} {
		if *fd >= 0 {
			unix.Close(*fd)
			*fd = -1
		}
	}
}

// takeGuard returns the connection to a guard that waits for its command, which counts as
// one that is busy. Without the network it is one that was started before, if there is one.
func (s *Space) takeGuard(at supervisor.Place) (control int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return -1, errors.New("the session is closed")
	}
	defer func() {
		if err == nil {
			s.running++
			s.timer.Stop()
		}
	}()
	// One that was started ahead serves a command that wants no overlay as well.
	ahead := s.spareAt
	if at.Overlay == "" {
		ahead.Overlay = ""
	}
	if !at.Network && s.spare >= 0 && isAlive(s.spare) && reflect.DeepEqual(at, ahead) {
		control, s.spare = s.spare, -1
		return control, nil
	}
	if s.spare >= 0 && (!at.Network || at.Overlay == s.spareAt.Overlay) {
		s.endSpare()
	}
	return s.newGuard(at)
}

// startSpare starts the guard of the next command without the network, with its overlay. A
// command that is given that overlay meanwhile waits for the lock, and then finds the guard: an
// overlay is never mounted twice.
func (s *Space) startSpare(next func() string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.spare >= 0 {
		return
	}
	at := s.placeFor(false)
	at.Overlay = next()
	s.spare, _ = s.newGuard(at) // without it the next command takes a little longer
	s.spareAt = at
}

// endSpare ends the guard that waits, and waits for its end: it may be about to mount its
// overlay, which another guard may be given. The caller holds the lock.
func (s *Space) endSpare() {
	_ = unix.Shutdown(s.spare, unix.SHUT_WR) // it may have ended
	for word := make([]byte, 1024); ; {
		ready, err := unix.Poll([]unix.PollFd{{Fd: int32(s.spare), Events: unix.POLLIN}}, int(guardEnd.Milliseconds())) //nolint:gosec // a descriptor is small
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || ready == 0 {
			break
		}
		if n, err := unix.Read(s.spare, word); err != nil || n == 0 {
			break
		}
	}
	unix.Close(s.spare)
	s.spare = -1
}

// guardEnd bounds how long the end of a guard that has nothing to do is waited for.
const guardEnd = 2 * time.Second

// isAlive reports whether a guard that was started before is still there: it has said
// nothing, and its end is open.
func isAlive(control int) bool {
	_, err := unix.Read(control, make([]byte, 1))
	return errors.Is(err, unix.EAGAIN)
}

// newGuard asks the supervisor for a guard, and tells it where its command will run. A supervisor
// that is gone is started anew, once.
func (s *Space) newGuard(at supervisor.Place) (control int, err error) {
	if err := overlay.Renew(at.Overlay); err != nil {
		return -1, err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("make a connection: %w", err)
	}
	kind := byte(supervisor.StartApart)
	if at.Network {
		kind = supervisor.StartConnected
	}
	err = s.send(kind, pair[1])
	unix.Close(pair[1])
	if err == nil {
		if err = supervisor.Write(supervisor.Connection(pair[0]), &at); err != nil {
			err = fmt.Errorf("tell the guard where to run: %w", err)
		}
	}
	if err == nil {
		err = unix.SetNonblock(pair[0], true)
	}
	if err != nil {
		unix.Close(pair[0])
		return -1, err
	}
	return pair[0], nil
}

func (s *Space) send(kind byte, control int) error {
	for again := s.draftLock == nil; ; again = false {
		if s.link < 0 && s.draftLock != nil {
			return errDraftLost
		}
		if s.link < 0 {
			if err := s.start(); err != nil {
				return err
			}
		}
		err := unix.Sendmsg(s.link, []byte{kind}, unix.UnixRights(control), nil, unix.MSG_NOSIGNAL)
		if err == nil {
			return nil
		}
		unix.Close(s.link)
		s.link = -1
		if s.draftLock != nil {
			return errDraftLost
		}
		if !again {
			return fmt.Errorf("reach the supervisor: %w", err)
		}
	}
}

// Close ends the space and every command in it, and waits for their end.
func (s *Space) Close() error {
	s.mu.Lock()
	s.closed = true
	s.timer.Stop()
	s.hangUp()
	s.mu.Unlock()
	s.gone.Wait()
	if s.draftLock != nil {
		s.draftLock.Close()
	}
	return s.place.remove(s.held)
}
