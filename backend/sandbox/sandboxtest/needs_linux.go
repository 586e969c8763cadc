package sandboxtest

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// NeedsFull skips a test where commands cannot be confined at level full. It finds that
// out by itself: where Fairlead finds it out, a fault of Fairlead's would look the same.
func NeedsFull(t testing.TB) {
	t.Helper()
	needsOrdinaryUser(t)
	if err := tryNamespaces(); err != nil {
		t.Skipf("this system refuses namespaces: %v", err)
	}
}

// tryNamespaces makes them, once: a process that Fairlead has closed to others cannot any more.
var tryNamespaces = sync.OnceValue(func() error {
	try := exec.Command("/bin/sh", "-c", "mount -t tmpfs none /tmp")
	try.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWNET,
		// mount wants to be called by root, if only that of a namespace.
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if output, err := try.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
})

// NeedsLimited skips a test where commands cannot be confined at level limited.
func NeedsLimited(t testing.TB) {
	t.Helper()
	needsOrdinaryUser(t)
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION); errno != 0 {
		t.Skipf("this system has no Landlock: %v", errno)
	}
}

func needsOrdinaryUser(t testing.TB) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("as root every level is none")
	}
}
