package supervisor

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// ownNetwork gives the thread a network with nothing but loopback.
func ownNetwork() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("make a network of its own: %w", err)
	}
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open the network: %w", err)
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("name loopback: %w", err)
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("switch on loopback: %w", err)
	}
	return nil
}
