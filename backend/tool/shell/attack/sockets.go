//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// socketAttacks are the attacks by sockets.
func socketAttacks() map[string]attack {
	return map[string]attack{
		"fetch":  {[]string{"URL", "CERTIFICATE"}, fetch},
		"send":   {[]string{"NETWORK", "ADDRESS", "TEXT"}, send},
		"pair":   {[]string{"ADDRESS", "TEXT"}, sendThroughPair},
		"mptcp":  {[]string{"ADDRESS", "TEXT"}, sendMultipath},
		"serve":  {[]string{"FOLDER", "TEXT"}, serve},
		"socket": {[]string{"KIND"}, openSocket},
	}
}

// send sends a text to a network address as package net names them.
func send(arguments []string) error {
	connection, err := net.DialTimeout(arguments[0], arguments[1], 5*time.Second) //nolint:gosec // to call whom it is told is the attack
	if err != nil {
		return err
	}
	defer connection.Close()
	_, err = connection.Write([]byte(arguments[2]))
	return err
}

// sendThroughPair sends a text to a local datagram socket through one of a connected
// pair, of whatever type and protocol the system makes one.
func sendThroughPair(arguments []string) error {
	for kind := range socketKinds {
		for _, flags := range []int{0, unix.SOCK_NONBLOCK, unix.SOCK_CLOEXEC} {
			for _, protocol := range []int{0, unix.AF_UNIX} {
				pair, err := unix.Socketpair(unix.AF_UNIX, kind|flags, protocol)
				if err != nil {
					continue
				}
				err = unix.Sendto(pair[0], []byte(arguments[1]), 0, &unix.SockaddrUnix{Name: arguments[0]})
				unix.Close(pair[0])
				unix.Close(pair[1])
				// Other types take the text for the other end of the pair.
				if err == nil && (kind == unix.SOCK_DGRAM || kind == unix.SOCK_RAW) {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("send through a pair of sockets: %w", unix.ESOCKTNOSUPPORT)
}

// socketKinds is how many types of sockets a number of the system has space for.
const socketKinds = 16

// sendMultipath sends it by the protocol that rules about TCP do not name. A
// listener of plain TCP takes the connection all the same.
func sendMultipath(arguments []string) error {
	address, err := net.ResolveTCPAddr("tcp4", arguments[0])
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, unix.IPPROTO_MPTCP)
	if err != nil {
		return fmt.Errorf("open socket: %w", err)
	}
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: address.Port, Addr: [4]byte(address.IP.To4())}); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if _, err := unix.Write(fd, []byte(arguments[1])); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return unix.Close(fd)
}

// serve listens on a port of its choice, writes its number into the file port of
// the folder, and gives the text to the first caller. It stops waiting when the
// file called is in the folder, or after ten seconds.
func serve(arguments []string) error {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	port := fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	ready := filepath.Join(arguments[0], "port")
	// A reader that waits for the file must find it whole.
	if err := createFile([]string{ready + ".new", port}); err != nil {
		return err
	}
	if err := unix.Rename(ready+".new", ready); err != nil {
		return fmt.Errorf("rename file: %w", err)
	}
	answered := make(chan error, 1)
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			_, err = connection.Write([]byte(arguments[1]))
			err = firstOf(err, connection.Close())
		}
		answered <- err
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(10 * time.Second)
	for {
		select {
		case err := <-answered:
			return err
		case <-late:
			return fmt.Errorf("wait for a caller: %w", os.ErrDeadlineExceeded)
		case <-tick.C:
			if unix.Access(filepath.Join(arguments[0], "called"), unix.F_OK) == nil {
				return fmt.Errorf("wait for a caller: %w", unix.ECONNREFUSED)
			}
		}
	}
}

// firstOf returns the first error.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// openSocket opens a socket of a kind that no ordinary command wants, each a way
// into a different part of the kernel.
func openSocket(arguments []string) error {
	kinds := map[string][3]int{
		"alg":     {unix.AF_ALG, unix.SOCK_SEQPACKET, 0},
		"netlink": {unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_SOCK_DIAG},
		"packet":  {unix.AF_PACKET, unix.SOCK_RAW, 0},
		"ping":    {unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP},
		"raw":     {unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP},
		"unix":    {unix.AF_UNIX, unix.SOCK_STREAM, 0},
		"vsock":   {unix.AF_VSOCK, unix.SOCK_STREAM, 0},
	}
	kind, known := kinds[arguments[0]]
	if !known {
		return fmt.Errorf("%w: no kind of socket is called %q", errUsage, arguments[0])
	}
	fd, err := unix.Socket(kind[0], kind[1]|unix.SOCK_CLOEXEC, kind[2])
	if err != nil {
		return fmt.Errorf("open socket: %w", err)
	}
	return unix.Close(fd)
}
