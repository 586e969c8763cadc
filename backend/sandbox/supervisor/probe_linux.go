package supervisor

import (
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// runProbe tries what a command must not do, and says of each whether it worked.
func (g *guarded) runProbe() (tried map[string]bool, err error) {
	g.onSealedThread(func(fault error) {
		if err = fault; err != nil {
			return
		}
		tried = map[string]bool{}
		for name, attempt := range g.Probe.listAttempts() {
			tried[name] = attempt() == nil
		}
	})
	return tried, err
}

// reportProbe sends the outcome, and returns the exit code.
func (g *guarded) reportProbe() int {
	tried, err := g.runProbe()
	if err != nil {
		sendReport(controlFD, failureReport("confine the probe", err))
		return Failed
	}
	sendReport(controlFD, Report{Ended: true, Tried: tried})
	return 0
}

// listAttempts are made of plain system calls, so that they happen on the thread that
// makes them.
func (p *Probe) listAttempts() map[string]func() error {
	other := "/proc/" + strconv.Itoa(p.Process)
	return map[string]func() error{
		TriedWrite:    func() error { return os.WriteFile(p.Outside+"/"+ProbeFile, nil, 0o600) },
		TriedTruncate: func() error { return unix.Truncate(p.Secret, 0) },
		TriedOpening: func() error {
			fd, err := unix.Open(p.Secret, unix.O_TRUNC|unix.O_ACCMODE|unix.O_CLOEXEC, 0)
			if err == nil {
				unix.Close(fd)
			}
			return err
		},
		TriedRead:    func() error { return read(p.Secret) },
		TriedModes:   func() error { return unix.Chmod(p.Secret, 0o600) },
		TriedTimes:   func() error { return os.Chtimes(p.Secret, time.Unix(1, 0), time.Unix(1, 0)) },
		TriedSignal:  func() error { return unix.Kill(p.Process, 0) },
		TriedProcess: func() error { return read(other + "/environ") },
		TriedTrace:   func() error { return unix.PtraceSeize(p.Process) },
		TriedTCP: func() error {
			return connectSocket(unix.AF_INET, &unix.SockaddrInet4{Port: p.Listener, Addr: [4]byte{127, 0, 0, 1}})
		},
		TriedSocket:   func() error { return connectSocket(unix.AF_UNIX, &unix.SockaddrUnix{Name: p.Socket}) },
		TriedDatagram: func() error { return send(p.Datagram) },
		TriedAbstract: func() error { return connectSocket(unix.AF_UNIX, &unix.SockaddrUnix{Name: p.Abstract}) },
		TriedVsock:    func() error { return open(unix.AF_VSOCK) },
		TriedKeys: func() error {
			_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true)
			return err
		},
		TriedRing:   setUpRing,
		TriedSpaces: func() error { return unix.Unshare(unix.CLONE_NEWUSER) },
	}
}

func read(path string) error {
	_, err := os.ReadFile(path)
	return err
}

func open(family int) error {
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func connectSocket(family int, to unix.Sockaddr) error {
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Connect(fd, to)
}

// send sends a datagram through one of a pair of sockets, which needs no new socket. The
// kernel makes such a pair under two names.
func send(path string) error {
	if sendAs(unix.SOCK_DGRAM, path) == nil {
		return nil
	}
	return sendAs(unix.SOCK_RAW, path)
}

func sendAs(kind int, path string) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	return unix.Sendto(pair[0], []byte("probe"), 0, &unix.SockaddrUnix{Name: path})
}

// setUpRing sets up io_uring(7), whose calls no filter sees.
func setUpRing() error {
	var parameters [120]byte // struct io_uring_params
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)), 0)
	if errno != 0 {
		return errno
	}
	return unix.Close(int(fd))
}
