package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/supervisor"

	"golang.org/x/sys/unix"
)

const (
	// draftWait is how long is waited for another process to let go of a draft: what it started
	// may outlive it by a moment. draftTry is how long it is between two tries.
	draftWait = 2 * time.Second
	draftTry  = 10 * time.Millisecond
)

// ErrDraftInUse says that another process has mounted the draft.
var ErrDraftInUse = errors.New("another process works on this draft")

// errDraftLost says that what held a draft has ended.
var errDraftLost = errors.New("the process that held the draft has ended; what was changed in it is kept, and the next run goes on with it")

// OpenDraft mounts the draft of the place, once, and returns the copy of the workspace that
// commands work on from then on. The caller closes it before the space is closed, which lets go
// of the draft: until then nobody else can open it.
func (s *Space) OpenDraft() (*os.File, error) {
	lock, err := holdDraft(s.place.Draft)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draftLock != nil || s.closed {
		lock.Close()
		return nil, errors.New("open a draft: the space is closed, or has one open")
	}
	s.draftLock = lock
	already := newGrowth(s.place.Draft)
	already.count()
	s.drafted = already.counted
	if err := s.start(); err != nil {
		return nil, err
	}
	return s.mountDraft()
}

// Runs reports whether a command runs in the space.
func (s *Space) Runs() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running > 0
}

// holdDraft takes the lock of a draft. It lies beside it, and stays.
func holdDraft(dir string) (*os.File, error) {
	for until := time.Now().Add(draftWait); ; {
		lock, err := leftover.Hold(dir+lockSuffix, false)
		if err == nil {
			return lock, nil
		}
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
			return nil, fmt.Errorf("hold the draft: %w", err)
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("%w: %w", ErrDraftInUse, err)
		}
		<-time.After(draftTry)
	}
}

// mountDraft has the supervisor mount the draft, and opens it. The caller holds the lock.
func (s *Space) mountDraft() (*os.File, error) {
	if err := overlay.Renew(s.place.Draft); err != nil {
		return nil, err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make a connection: %w", err)
	}
	control := os.NewFile(uintptr(pair[0]), "draft")
	defer control.Close()
	err = unix.Sendmsg(s.link, []byte{supervisor.OpenDraft}, unix.UnixRights(pair[1]), nil, unix.MSG_NOSIGNAL)
	unix.Close(pair[1])
	if err != nil {
		return nil, fmt.Errorf("reach the supervisor: %w", err)
	}
	if err := supervisor.Write(control, &supervisor.Draft{Workspace: s.place.Workspace, Overlay: s.place.Draft}); err != nil {
		return nil, fmt.Errorf("tell the supervisor what to mount: %w", err)
	}
	var report supervisor.Report
	if err := supervisor.Read(control, &report); err != nil {
		return nil, fmt.Errorf("hear of the draft: %w", err)
	}
	if report.Failed != "" {
		return nil, errors.New(report.Failed)
	}
	mount, err := receiveFile(pair[0])
	if err != nil {
		return nil, fmt.Errorf("receive the draft: %w", err)
	}
	defer unix.Close(mount)
	// What was received names the folder, and does not read it.
	folder, err := unix.Openat(mount, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the draft: %w", err)
	}
	return os.NewFile(uintptr(folder), filepath.Base(s.place.Draft)), nil
}

// receiveFile receives one byte with a file.
func receiveFile(from int) (fd int, err error) {
	word, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	n, length, _, _, err := unix.Recvmsg(from, word, rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil || n == 0 {
		return -1, errors.Join(errors.New("nobody is there"), err)
	}
	messages, err := unix.ParseSocketControlMessage(rights[:length])
	if err != nil || len(messages) != 1 {
		return -1, errors.Join(errors.New("no file came"), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1, errors.Join(errors.New("other files came"), err)
	}
	return fds[0], nil
}
