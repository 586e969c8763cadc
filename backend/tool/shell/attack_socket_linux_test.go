package shell_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// socketAttacks reach other programs of the user through local sockets: the
// display, agents that hold keys, and services that start programs.
func socketAttacks() []attack {
	all := []attack{
		local("abstract socket", "unix", func(l *lab) string { return "@" + l.mark }),
		local("abstract datagram socket", "unixgram", func(l *lab) string { return "@" + l.mark }),
		local("socket in /tmp", "unix", func(l *lab) string { return filepath.Join("/tmp", l.mark) }),
		local("socket in the home", "unix", func(l *lab) string { return filepath.Join(l.home, ".agent") }),
		local("datagram socket in the home", "unixgram", func(l *lab) string { return filepath.Join(l.home, ".log") }),
		local("socket outside", "unix", func(l *lab) string { return filepath.Join(l.runtime, "wayland-0") }),
		local("systemd of the user", "unix", func(l *lab) string { return filepath.Join(l.runtime, "private") }),
		local("Docker", "unix", func(l *lab) string { return filepath.Join(l.runtime, "docker.sock") }),
		// The listener is known by its name inside the workspace, which a command is
		// free to use, but belongs to a program outside.
		local("socket in the workspace", "unix", func(l *lab) string { return filepath.Join(l.workspace, "agent") }),
	}
	for _, place := range []string{"in the workspace", "outside"} {
		all = append(all, throughPair(place))
	}
	return append(all, secretService())
}

// throughPair is the attack that reaches a datagram socket of this process without a
// new socket, through one of a connected pair.
func throughPair(place string) attack {
	row := local("pair to a datagram socket "+place, "unixgram", func(l *lab) string {
		if place == "outside" {
			return filepath.Join(l.runtime, "notify")
		}
		return filepath.Join(l.workspace, "notify")
	})
	row.line = `./attack pair "$address" $mark`
	return row
}

// local is the attack that sends something to a local socket of this process.
func local(name, kind string, place func(l *lab) string) attack {
	var heard func() bool
	return attack{
		name: name, class: classSocket,
		prepare: func(t *testing.T, l *lab) {
			t.Helper()
			l.variables["address"], heard = listen(t, kind, place(l), l.mark)
		},
		line:    `./attack send ` + kind + ` "$address" $mark`,
		escaped: func(*testing.T, *lab) bool { return heard() },
	}
}

// listen listens on an address as package net names them. It returns the address
// it got, and what reports whether a text has come there: that is asked after the
// command, when what was sent is in the queue.
func listen(t *testing.T, kind, address, text string) (got string, heard func() bool) {
	t.Helper()
	if strings.HasPrefix(kind, "udp") || kind == "unixgram" {
		return listenPackets(t, kind, address, text)
	}
	listener, err := net.Listen(kind, address)
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String(), func() bool {
		deadline := time.Now().Add(queued)
		_ = listener.(interface{ SetDeadline(time.Time) error }).SetDeadline(deadline) // accepting fails then too
		connection, err := listener.Accept()
		if err != nil {
			return false
		}
		defer connection.Close()
		return receives(connection, deadline, text)
	}
}

func listenPackets(t *testing.T, kind, address, text string) (got string, heard func() bool) {
	t.Helper()
	connection, err := net.ListenPacket(kind, address)
	must(t, err)
	t.Cleanup(func() {
		connection.Close()
		if filepath.IsAbs(address) {
			must(t, os.Remove(address)) // unlike a listener, it leaves its file
		}
	})
	return connection.LocalAddr().String(), func() bool {
		return receives(connection.(net.Conn), time.Now().Add(queued), text)
	}
}

// receives reports whether a connection's first words are the text.
func receives(connection net.Conn, deadline time.Time, text string) bool {
	_ = connection.SetReadDeadline(deadline) // reading fails then too
	buffer := make([]byte, 1<<10)
	n, err := connection.Read(buffer)
	return err == nil && string(buffer[:n]) == text
}
