package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"fairlead/backend/publicnet"
	"fairlead/backend/sandbox/relay"
	"fairlead/backend/sandbox/supervisor"

	"golang.org/x/sys/unix"
)

// Start starts the server, once, with its input, its output and where it writes errors, of which the caller keeps
// and closes its own copies. Whatever keeps it from being confined is the error of
// Process.Result: it is not run then.
func (s *ServerSpace) Start(c Server, input, output, faults *os.File) (*Process, error) {
	at := s.space.placeFor(false)
	if s.space.locks.Namespaces {
		at.Hosts = numberHosts(s.hosts)
	} else {
		at.Network = len(s.hosts) > 0
	}
	spec := supervisor.Spec{Arguments: append([]string{c.Program}, c.Arguments...), Dir: s.Folder(), Env: c.Env}
	if !s.bare {
		spec.Repositories, spec.Cover, spec.Renewed = c.Repositories, c.Cover, true
	}
	control, err := s.space.takeGuard(at)
	if err != nil {
		return nil, &SetUpError{err}
	}
	told := sendFiles(control, input, output, faults)
	p, carried := newProcess(control), relay.New(s.reach)
	if len(at.Hosts) > 0 {
		p.begun = func() error { return s.serveHosts(p.control, carried) }
	}
	go func() {
		defer close(p.done)
		if told == nil { // else the guard has failed, and has said why
			told = supervisor.Write(p.control, &spec)
		}
		p.followReports(told)
		p.control.Close()
		carried.Close()
		s.space.countEnd(p, nil)
	}()
	return p, nil
}

// Protect keeps from a server that runs what it has to be kept from in the workspace now, as
// Start does: other programs may have replaced a file, which the system takes what covered it
// off, or made one. Only level Full does so. Where it fails, the server is to be ended.
func (s *ServerSpace) Protect(ctx context.Context, p *Process, repositories, cover []string) error {
	if s.bare || !s.space.locks.Namespaces {
		return nil
	}
	if err := p.protect(ctx, supervisor.Protection{Repositories: repositories, Cover: cover}); err != nil {
		return fmt.Errorf("keep files from a server that runs: %w", err)
	}
	return nil
}

// numberHosts gives each name a number, by which it has an address.
func numberHosts(hosts []publicnet.Host) []supervisor.Host {
	numbers := map[string]int{}
	var all []supervisor.Host
	for _, host := range hosts {
		if numbers[host.Name] == 0 {
			numbers[host.Name] = len(numbers) + 1
		}
		all = append(all, supervisor.Host{Name: host.Name, Number: numbers[host.Name], Port: int(host.Port)})
	}
	return all
}

// serveHosts takes what listens for the hosts from the guard, and has it carried.
func (s *ServerSpace) serveHosts(control *os.File, carried *relay.Relay) error {
	files, err := receiveFiles(control, len(s.hosts))
	if err != nil {
		return fmt.Errorf("receive what listens for hosts: %w", err)
	}
	var failed error
	for i, file := range files {
		listener, err := net.FileListener(file)
		file.Close()
		if err != nil {
			failed = fmt.Errorf("listen for %s: %w", s.hosts[i], err)
			continue
		}
		carried.Serve(s.hosts[i], listener)
	}
	return failed
}

// receiveFiles receives one byte with files.
func receiveFiles(from *os.File, count int) ([]*os.File, error) {
	raw, err := from.SyscallConn()
	if err != nil {
		return nil, err
	}
	var fds []int
	word, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4*count))
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		n, length, _, _, err := unix.Recvmsg(int(fd), word, rights, unix.MSG_CMSG_CLOEXEC)
		if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) {
			return false
		}
		if err != nil || n == 0 || word[0] != supervisor.OfferListeners {
			failed = errors.Join(errors.New("nothing came"), err)
			return true
		}
		messages, err := unix.ParseSocketControlMessage(rights[:length])
		if err == nil && len(messages) == 1 {
			fds, err = unix.ParseUnixRights(&messages[0])
		}
		failed = err
		return true
	})
	var files []*os.File
	for _, fd := range fds {
		files = append(files, os.NewFile(uintptr(fd), "listener"))
	}
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	if len(files) != count {
		for _, file := range files {
			file.Close()
		}
		return nil, fmt.Errorf("%d came, and %d are needed", len(files), count)
	}
	return files, nil
}
