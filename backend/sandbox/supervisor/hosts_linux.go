package supervisor

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// hostsFile is where names are looked up first, and resolverFile names the servers that are
	// asked for names (hosts(5), resolv.conf(5)). Of the second there need not be any: programs
	// ask one of this computer then, and there is none.
	hostsFile    = "/etc/hosts"
	resolverFile = "/etc/resolv.conf"
	// listenBacklog is how many connections wait to be taken.
	listenBacklog = 64
)

// ownNames are those of loopback itself.
const ownNames = "127.0.0.1 localhost\n::1 localhost\n"

// showHosts gives the server a file of hosts with the names that it may reach, and listens at
// their addresses.
func (g *guarded) showHosts() error {
	if len(g.Hosts) == 0 {
		return nil
	}
	for _, host := range g.Hosts {
		listener, err := listenOn(host)
		if err != nil {
			return fmt.Errorf("listen for %s at port %d: %w", host.Name, host.Port, err)
		}
		g.listeners = append(g.listeners, listener)
	}
	if err := unix.Mount("fairlead", localPath(coverOn), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0755,size=64k"); err != nil {
		return fmt.Errorf("mount a file system for names: %w", err)
	}
	if err := g.replaceFile(hostsFile, g.hostsText()); err != nil {
		return fmt.Errorf("put names into %s: %w", hostsFile, err)
	}
	if err := g.replaceFile(resolverFile, "# no server is asked\n"); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("empty %s: %w", resolverFile, err)
	}
	// What is mounted elsewhere of it stays.
	if err := unix.Unmount(localPath(coverOn), unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the file system for names: %w", err)
	}
	return nil
}

// hostsText is the file of hosts.
func (g *guarded) hostsText() string {
	var text strings.Builder
	text.WriteString(ownNames)
	known := map[string]bool{}
	for _, host := range g.Hosts {
		if !known[host.Name] {
			known[host.Name] = true
			address := host.address()
			fmt.Fprintf(&text, "%d.%d.%d.%d %s\n", address[0], address[1], address[2], address[3], host.Name)
		}
	}
	return text.String()
}

// replaceFile mounts a file with a text over one of the new file system, or over the link that
// is there.
func (g *guarded) replaceFile(path, text string) error {
	at, err := unix.Openat2(unix.AT_FDCWD, localPath(path), &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return err
	}
	defer unix.Close(at)
	made := joinPath(localPath(coverOn), baseName(path))
	if err := os.WriteFile(made, []byte(text), 0o444); err != nil { //nolint:gosec // every program reads it, in a file system of our own
		return err
	}
	file := tree{file: true}
	if _, err := file.open(made, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	defer unix.Close(file.fd)
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY, Propagation: unix.MS_PRIVATE}
	if err := unix.MountSetattr(file.fd, "", unix.AT_EMPTY_PATH, &attributes); err != nil {
		return fmt.Errorf("set what may be done: %w", err)
	}
	return unix.MoveMount(file.fd, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// address is the address of the host's name.
func (h Host) address() [4]byte {
	return [4]byte{127, 7, byte(h.Number >> 8), byte(h.Number)} //nolint:gosec // its two bytes
}

// listenOn listens for a host on loopback.
func listenOn(host Host) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, unix.IPPROTO_TCP)
	if err != nil {
		return -1, err
	}
	if err = unix.Bind(fd, &unix.SockaddrInet4{Port: host.Port, Addr: host.address()}); err == nil {
		err = unix.Listen(fd, listenBacklog)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// offerListeners gives Fairlead what listens for the hosts. A socket stays in the network that it
// was made in, in whatever process it is.
func (g *guarded) offerListeners() {
	if len(g.listeners) == 0 {
		return
	}
	_ = unix.Sendmsg(controlFD, []byte{OfferListeners}, unix.UnixRights(g.listeners...), nil, unix.MSG_NOSIGNAL) // there is nobody else to tell
	for _, listener := range g.listeners {
		unix.Close(listener)
	}
}
