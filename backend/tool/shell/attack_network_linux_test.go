package shell_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// networkAttacks send something to this process by the network of the machine, or
// let it in.
func networkAttacks() []attack {
	return []attack{
		remote("TCP", "tcp4", func() string { return "127.0.0.1" }),
		remote("TCP by IPv6", "tcp6", func() string { return "::1" }),
		remote("TCP to another address", "tcp4", ownAddress),
		remote("UDP", "udp4", func() string { return "127.0.0.1" }),
		remote("UDP to another address", "udp4", ownAddress),
		multipath(),
		server(),
	}
}

// remote is the attack that sends something to an address of this machine.
func remote(name, kind string, address func() string) attack {
	var heard func() bool
	return attack{
		name: name, class: classNetwork,
		missing: func() string { return reachable(kind, address()) },
		prepare: func(t *testing.T, l *lab) {
			t.Helper()
			l.variables["address"], heard = listen(t, kind, net.JoinHostPort(address(), "0"), l.mark)
		},
		line:    `./attack send ` + kind + ` $address $mark`,
		escaped: func(*testing.T, *lab) bool { return heard() },
	}
}

// multipath is the attack by the protocol that rules about TCP do not name.
func multipath() attack {
	a := remote("MPTCP", "tcp4", func() string { return "127.0.0.1" })
	a.missing = func() string {
		if text, err := os.ReadFile("/proc/sys/net/mptcp/enabled"); err != nil || strings.TrimSpace(string(text)) != "1" {
			return "the kernel has no MPTCP, or it is switched off"
		}
		return ""
	}
	a.line = `./attack mptcp $address $mark`
	return a
}

// reachable says why nobody can listen on an address.
func reachable(kind, address string) string {
	if address == "" {
		return "this machine has no address but its own"
	}
	place := net.JoinHostPort(address, "0")
	var end io.Closer
	var err error
	if kind == "udp4" {
		end, err = net.ListenPacket(kind, place)
	} else {
		end, err = net.Listen(kind, place)
	}
	if err != nil {
		return err.Error()
	}
	end.Close()
	return ""
}

// ownAddress returns an address under which other computers know this one.
func ownAddress() string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, address := range addresses {
		if block, ok := address.(*net.IPNet); ok && block.IP.To4() != nil && !block.IP.IsLoopback() {
			return block.IP.String()
		}
	}
	return ""
}

// server is the attack that lets others in: what listens inside a command is not to
// be reached from outside, where any web page could call it.
func server() attack {
	var over chan struct{}
	var reached chan bool
	return attack{
		name: "listen for others", class: classNetwork,
		prepare: func(t *testing.T, l *lab) {
			t.Helper()
			over, reached = make(chan struct{}), make(chan bool, 1)
			go func() { reached <- call(l, over) }()
		},
		line: `./attack serve "$workspace" $mark`,
		escaped: func(*testing.T, *lab) bool {
			close(over)
			return <-reached
		},
	}
}

// call waits until a server says in the workspace which port it has, calls it, and
// reports whether it was this lab's that answered. It stops waiting when the command
// is over.
func call(l *lab, over <-chan struct{}) bool {
	// The server need not wait any longer. Where the file cannot be written it waits
	// for its time to end.
	defer func() { _ = os.WriteFile(filepath.Join(l.workspace, "called"), nil, 0o600) }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		port, err := os.ReadFile(filepath.Join(l.workspace, "port"))
		if err == nil {
			return answers("127.0.0.1:"+string(port), l.mark)
		}
		select {
		case <-over:
			return false
		case <-tick.C:
		}
	}
}

// answers reports whether a server greets with a text.
func answers(address, text string) bool {
	connection, err := net.DialTimeout("tcp4", address, soon)
	if err != nil {
		return false
	}
	defer connection.Close()
	_ = connection.SetReadDeadline(time.Now().Add(soon)) // reading fails then too
	got, _ := io.ReadAll(connection)                     // what came counts
	return string(got) == text
}
